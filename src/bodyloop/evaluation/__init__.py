"""Measurements of trials, failure rules over them, and state that survives an evaluation.

Works on arrays of any library of the Python array API standard, NumPy and torch among them.
"""

from bodyloop.evaluation.component import MdpComponent
from bodyloop.evaluation.components import ComponentManager
from bodyloop.evaluation.config import SUCCESS_RATE_KEY, EvaluatorConfig
from bodyloop.evaluation.context import ContextField, ContextSchema
from bodyloop.evaluation.describe import describe_groups, load_groups
from bodyloop.evaluation.episode_tensors import EpisodeTensors, TensorInfo
from bodyloop.evaluation.errors import (
    BindingError,
    ConfigMigrationError,
    EmptyEvaluationError,
    MeasurementError,
    UnregisteredStateError,
)
from bodyloop.evaluation.evaluator import BaseEvaluator, EvaluationEnv, EvaluationPolicy, TrialBatch
from bodyloop.evaluation.manager import EvaluationManager, FrameEnd
from bodyloop.evaluation.mimic import MimicEnv, MimicEvaluator, MimicEvaluatorConfig, MotionTable, valid_frames
from bodyloop.evaluation.plugins import Plugin
from bodyloop.evaluation.result import EvaluationResult, TrialOutcomes, merge_logs
from bodyloop.evaluation.rules import Reduction, ThresholdFailure
from bodyloop.evaluation.smoothness import SmoothnessCalculator, normalized_jerk
from bodyloop.evaluation.snapshots import (
    AttributeSettings,
    ModuleModes,
    Snapshotable,
    preserved,
    restore_all,
    save_all,
)
from bodyloop.evaluation.stateful import ControlComponent, check_registered
from bodyloop.evaluation.tracking_context import TRACKING_CONTEXT, max_body_pos_error, mean_body_pos_error

__all__ = [
    "SUCCESS_RATE_KEY",
    "TRACKING_CONTEXT",
    "AttributeSettings",
    "BaseEvaluator",
    "BindingError",
    "ComponentManager",
    "ConfigMigrationError",
    "ContextField",
    "ContextSchema",
    "ControlComponent",
    "EmptyEvaluationError",
    "EpisodeTensors",
    "EvaluationEnv",
    "EvaluationManager",
    "EvaluationPolicy",
    "EvaluationResult",
    "EvaluatorConfig",
    "FrameEnd",
    "MdpComponent",
    "MeasurementError",
    "MimicEnv",
    "MimicEvaluator",
    "MimicEvaluatorConfig",
    "ModuleModes",
    "MotionTable",
    "Plugin",
    "Reduction",
    "SmoothnessCalculator",
    "Snapshotable",
    "TensorInfo",
    "ThresholdFailure",
    "TrialBatch",
    "TrialOutcomes",
    "UnregisteredStateError",
    "check_registered",
    "describe_groups",
    "load_groups",
    "max_body_pos_error",
    "mean_body_pos_error",
    "merge_logs",
    "normalized_jerk",
    "preserved",
    "restore_all",
    "save_all",
    "valid_frames",
]
