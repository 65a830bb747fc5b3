"""One model call of a stage, and its repetition after failures at the same state."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bodyloop.errors import AuthenticationError, ConfigError, ModelError, ReplyError
from bodyloop.household.agent.image import EgoImage
from bodyloop.household.types import StageOutput
from bodyloop.models.base import Message, Model
from bodyloop.models.text import parse_reply

__all__ = [
    "PLANNER_STAGE",
    "VERIFIER_STAGE",
    "VLM_RETRY_BACKOFF_SECONDS",
    "VLM_STAGE_MAX_ATTEMPTS",
    "StageCaller",
    "StageResult",
]

PLANNER_STAGE: Final = "percept_mid_low"
VERIFIER_STAGE: Final = "verifier"
VLM_STAGE_MAX_ATTEMPTS: Final = 5
VLM_RETRY_BACKOFF_SECONDS: Final = (1.0, 2.0, 4.0, 8.0)

Check = Callable[[Mapping[str, Any]], object]
"""Raises :class:`~bodyloop.errors.ReplyError` when a parsed reply is not usable."""


@dataclass(frozen=True)
class StageResult:
    """All attempts of one stage, oldest first; ``reply`` is ``None`` when every attempt failed."""

    reply: Mapping[str, Any] | None
    attempts: tuple[StageOutput, ...]

    def with_note(self, note: str) -> StageResult:
        """The same result with ``note`` appended to the error text of the last attempt."""
        last = self.attempts[-1]
        noted = replace(last, error=f"{last.error}; {note}" if last.error else note)
        return replace(self, attempts=(*self.attempts[:-1], noted))


def _failure(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


class StageCaller:
    """Calls one model for planner and verifier stages."""

    def __init__(self, model: Model, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.model = model
        self._sleep = sleep

    def _messages(self, prompt: str, image: EgoImage) -> list[Message]:
        content: list[dict[str, Any]] = [{"type": "text", "text": prompt}]
        if getattr(self.model, "needs_image", True):
            content.append({"type": "image_url", "image_url": {"url": image.data_url}})
        return [{"role": "user", "content": content}]

    def _call(self, stage: str, prompt: str, image: EgoImage, episode_step: int, check: Check) -> StageOutput:
        """One attempt; transport and reply errors end up in the output, credential and configuration errors do not."""
        raw_output, reply, error = "", {}, None
        messages = self._messages(prompt, image)
        self.model.current_episode_step = episode_step
        self.model.last_usage = {}
        try:
            raw_output = self.model.respond(messages)
            reply = parse_reply(raw_output)
            check(reply)
        except (AuthenticationError, ConfigError):
            raise
        except Exception as caught:
            # A built-in privileged model calls no provider: anything but an unusable reply is a defect to be seen.
            if self.model.privileged and not isinstance(caught, ModelError):
                raise
            error = _failure(caught)
        return StageOutput(stage, reply, raw_output, prompt, error, dict(self.model.last_usage or {}))

    def _call_with_retries(
        self, stage: str, prompt: str, image: EgoImage, episode_step: int, check: Check
    ) -> StageResult:
        """Up to five attempts with the same prompt and image, waiting 1, 2, 4, 8 seconds in between."""
        attempts: list[StageOutput] = []
        for attempt in range(VLM_STAGE_MAX_ATTEMPTS):
            if attempt:
                self._sleep(VLM_RETRY_BACKOFF_SECONDS[attempt - 1])
            attempts.append(self._call(stage, prompt, image, episode_step, check))
            if attempts[-1].error is None:
                return StageResult(attempts[-1].raw, tuple(attempts))
        return StageResult(None, tuple(attempts))


def any_object(reply: Mapping[str, Any]) -> None:
    """The check of a stage whose fields all have defaults."""
    if not isinstance(reply, Mapping):
        raise ReplyError("the reply is not an object")
