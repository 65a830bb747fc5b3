"""bodyloop: closed-loop evaluation of agents that act through a simulated body."""

__version__ = "0.1.0"
