"""Analytic motion: every skill planned in closed form from the five-frame history."""

from bodyloop.motion.analytic.generator import AnalyticGenerator

__all__ = ["AnalyticGenerator"]
