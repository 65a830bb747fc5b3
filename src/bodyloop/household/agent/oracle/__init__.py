"""The oracle: a privileged model that plans on the route grid and answers in the agent's JSON."""

from bodyloop.household.agent.oracle.model import OracleModel

__all__ = ["OracleModel"]
