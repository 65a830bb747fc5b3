"""Plan, dispatch, journal and resume runs of any suite."""
