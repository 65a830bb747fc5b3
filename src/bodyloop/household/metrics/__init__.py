"""Paper metrics of one rollout and of a run: pure functions over recorded values, without simulator or network."""
