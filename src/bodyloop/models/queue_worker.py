"""The other side of a filesystem queue: takes requests, asks a model, writes responses."""

from __future__ import annotations

import base64
import json
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from bodyloop.errors import AuthenticationError, ConfigError, ModelError
from bodyloop.models.base import Message, Model
from bodyloop.models.config import FilesystemQueueConfig, ModelConfig
from bodyloop.models.filesystem_queue import DONE, IN_PROGRESS, PENDING, REQUEST_SCHEMA
from bodyloop.models.openai_compatible import ChatCompletionsModel
from bodyloop.models.usage import NormalizedUsage, normalize_usage
from bodyloop.records.files import write_json_atomic

__all__ = ["ModelForRequest", "QueueWorker", "RequestModels"]

_ASKED_SETTINGS: Final = ("max_tokens", "temperature", "response_format")
RESPONSE_SCHEMA: Final = "humanclaw_vlm_queue_response_v1"
ModelForRequest = Callable[[Mapping[str, Any]], Model]
"""The model that answers a request, given its content."""


class QueueWorker:
    """Answers the requests of one queue, oldest first, one at a time. Several workers may share a queue."""

    def __init__(self, queue_dir: Path, model_for: ModelForRequest, *, clock: Callable[[], float] = time.time) -> None:
        self._root, self._model_for, self._clock = queue_dir, model_for, clock
        for name in (PENDING, IN_PROGRESS, DONE):
            (queue_dir / name).mkdir(parents=True, exist_ok=True)

    def serve(
        self,
        stop: Callable[[], bool],
        *,
        poll_interval_s: float = 1.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> int:
        """Answer until ``stop()``; returns how many requests were answered.

        Raises:
            AuthenticationError: the provider refuses the worker's credentials; the request got that as its answer.
            ConfigError: the worker's model cannot work as configured; likewise.
        """
        answered = 0
        while not stop():
            if self.answer_next():
                answered += 1
            else:
                sleep(poll_interval_s)
        return answered

    def answer_next(self) -> bool:
        """Answer the oldest request; false if there is none."""
        for folder in sorted((self._root / PENDING).glob("*")):
            taken = self._root / IN_PROGRESS / folder.name
            try:
                folder.rename(taken)
            except OSError:  # withdrawn, or another worker was faster
                continue
            self._answer(taken)
            return True
        return False

    def _answer(self, folder: Path) -> None:
        fatal: Exception | None = None
        try:
            request = _load_request(folder)
            if self._clock() > float(request.get("expires_time", "inf")):
                response: dict[str, Any] = {"error": "the request is past its time"}
            else:
                response = self._ask(request, folder)
        except (AuthenticationError, ConfigError) as error:
            fatal, response = error, {"error": str(error), "error_type": _kind(error)}
        except (ModelError, OSError, ValueError, KeyError, TypeError) as error:
            response = {"error": f"{_kind(error)}: {error}", "error_type": _kind(error)}
        if folder.is_dir():  # otherwise the client has given up, and nobody would clear the answer away
            data = {"schema": RESPONSE_SCHEMA, "call_id": folder.name, **response}
            write_json_atomic(self._root / DONE / folder.name / "response.json", data)
            shutil.rmtree(folder, ignore_errors=True)
        if fatal is not None:
            raise fatal

    def _ask(self, request: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        model = self._model_for(request)
        model.current_episode_step = int(request.get("episode_step", 0))
        text = model.respond([_restored(message, folder) for message in request["messages"]])
        answer = {"content": text, "idempotency_key": request.get("idempotency_key")}
        usage = normalize_usage(model.last_usage)
        return answer if usage is None else {**answer, "usage": _plain(usage)}


class RequestModels:
    """Models by the settings of requests: limits and format come from the request, the rest from ``config``.

    The model's name is the worker's own: what a client calls it need not be the name of a deployment.
    Raises ConfigError if ``config`` is itself a queue.
    """

    def __init__(self, config: ModelConfig) -> None:
        if isinstance(config, FilesystemQueueConfig):
            raise ConfigError("a queue worker needs a model with an address, not another filesystem_queue")
        self._config = config
        self._made: dict[str, ChatCompletionsModel] = {}

    def __call__(self, request: Mapping[str, Any]) -> Model:
        """The model for a request. Raises ValueError if a setting has a wrong type or range."""
        settings = {name: request[name] for name in _ASKED_SETTINGS if name in request}
        key = json.dumps(settings, sort_keys=True)
        if key not in self._made:
            config = type(self._config).model_validate({**self._config.model_dump(), **settings})
            self._made[key] = ChatCompletionsModel(config)
        return self._made[key]

    def close(self) -> None:
        """Close all connections."""
        for model in self._made.values():
            model.close()


def _kind(error: Exception) -> str:
    return "ConfigError" if isinstance(error, ConfigError) else type(error).__name__


def _load_request(folder: Path) -> Mapping[str, Any]:
    request = json.loads((folder / "request.json").read_bytes())
    if not isinstance(request, Mapping) or request.get("schema") != REQUEST_SCHEMA:
        raise ValueError(f"not a request in the format {REQUEST_SCHEMA}")
    return request


def _restored(message: Message, folder: Path) -> Message:
    """A message with its images as data URLs again."""
    if isinstance(message["content"], str):
        return message
    return {**message, "content": [_restored_part(part, folder) for part in message["content"]]}


def _restored_part(part: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    name = part.get("stored_image_file")
    if name is None:
        return part
    if Path(name).name != name:
        raise ValueError("an image of the request lies outside its folder")
    data = base64.b64encode((folder / name).read_bytes()).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{part['media_type']};base64,{data}"}}


def _plain(usage: NormalizedUsage) -> dict[str, int]:
    """Counts under names that no reader subtracts from each other."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.visible_output_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "total_tokens": usage.total_tokens,
    }
