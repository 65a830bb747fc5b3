"""A model behind a folder: requests are published there, and a worker that owns the credentials answers them.

::

    QUEUE/tmp/         being built; one rename publishes
    QUEUE/pending/     <call id>/request.json and its images
    QUEUE/in_progress/ taken by a worker, by the same kind of rename
    QUEUE/done/        <call id>/response.json

A request that is not answered in time is withdrawn, and whatever is past its time is swept by the next client.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bodyloop.errors import AuthenticationError, BodyloopError, ConfigError, ModelError
from bodyloop.models.base import Message
from bodyloop.models.config import FilesystemQueueConfig
from bodyloop.models.usage import queue_worker_usage
from bodyloop.records.files import sha256_json, write_bytes_atomic, write_json_atomic

__all__ = ["DONE", "IN_PROGRESS", "PENDING", "REQUEST_SCHEMA", "TMP", "FilesystemQueueModel"]

REQUEST_SCHEMA: Final = "humanclaw_vlm_queue_request_v1"
"""Name of the published request format; workers written for it understand these requests."""
PENDING, IN_PROGRESS, DONE, TMP = "pending", "in_progress", "done", "tmp"
_DATA_URL: Final = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,(.*)", re.S)
_SUFFIX: Final = {"image/png": ".png", "image/jpeg": ".jpg"}
_FATAL: Final[Mapping[str, type[BodyloopError]]] = {
    "AuthenticationError": AuthenticationError,
    "ConfigError": ConfigError,
}
_MESSAGE_LIMIT: Final = 300
_STAGE_MARKS: Final = {"planner_skill": '"mid_level_goal"', "verifier": '"verdict"'}


@dataclass(frozen=True)
class _Image:
    name: str
    media_type: str
    data: bytes


class FilesystemQueueModel:
    """Publishes one request per call and waits for its response.

    ``clock`` (seconds since the epoch) and ``sleep`` can be replaced in tests.
    """

    privileged = False

    def __init__(
        self,
        config: FilesystemQueueConfig,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.config = config
        self.name = config.model
        self.last_usage: Mapping[str, Any] = {}
        self.current_episode_step = 0
        self._clock, self._sleep = clock, sleep
        self._root = config.folder
        self._counter = 0
        try:
            for name in (PENDING, DONE, TMP):
                (self._root / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"queue_dir {config.queue_dir}: cannot be used ({error.strerror})") from error
        self._sweep()

    def respond(self, messages: Sequence[Message]) -> str:
        """The response's text.

        Raises:
            AuthenticationError, ConfigError: the worker reports that it cannot work.
            ModelError: no response in time (the request is withdrawn), a response that is not an object or reports an
                error, or a queue folder that is gone.
        """
        self.last_usage = {}
        call_id = self._next_id(messages)
        try:
            self._publish(call_id, messages)
            response = self._wait(call_id)
        except OSError as error:
            raise ModelError(
                f"queue_dir {self.config.queue_dir}: {error.strerror or error}; is it still there?"
            ) from error
        finally:
            self._remove(call_id)
        return self._read(response)

    def _next_id(self, messages: Sequence[Message]) -> str:
        stage = _stage(messages)
        return f"{self._counter:06d}_step{self.current_episode_step:04d}_{stage}_{secrets.token_hex(5)}"

    def _publish(self, call_id: str, messages: Sequence[Message]) -> None:
        """Build the request aside and show it with one rename."""
        stored, images = _store_images(messages)
        folder = self._root / TMP / call_id
        folder.mkdir()
        for image in images:
            write_bytes_atomic(folder / image.name, image.data)
        write_json_atomic(folder / "request.json", self._request(call_id, stored, images))
        folder.rename(self._root / PENDING / call_id)
        self._counter += 1

    def _request(self, call_id: str, stored: Sequence[Message], images: Sequence[_Image]) -> dict[str, Any]:
        config, now = self.config, self._clock()
        asked = {
            "model": config.model,
            "messages": list(stored),
            "images": [
                {"image_file": image.name, "media_type": image.media_type, "bytes": len(image.data)} for image in images
            ],
            "max_tokens": config.max_tokens,
            "temperature": config.temperature,
            "reasoning_budget_tokens": config.reasoning_budget_tokens,
            "response_format": config.response_format or None,
        }
        # The same call has the same key however often a worker picks it up; a new attempt is a new call.
        key = sha256_json({"call_id": call_id, **asked})
        return {
            "schema": REQUEST_SCHEMA,
            "call_id": call_id,
            "idempotency_key": key,
            **asked,
            "stage": _stage(stored),
            "episode_step": self.current_episode_step,
            "created_time": now,
            "expires_time": now + config.timeout_s,
            "pid": os.getpid(),
        }

    def _wait(self, call_id: str) -> Mapping[str, Any]:
        deadline = self._clock() + self.config.timeout_s
        while True:
            response = _load_response(self._root / DONE / call_id / "response.json")
            if response is not None:
                return response
            if not (self._root / PENDING).is_dir():
                raise ModelError(f"queue_dir {self.config.queue_dir} is gone")
            if self._clock() >= deadline:
                raise ModelError(f"no response from the queue within {self.config.timeout_s:g} s; request withdrawn")
            self._sleep(self.config.poll_interval_s)

    def _read(self, response: Mapping[str, Any]) -> str:
        reported = response.get("usage") or {key: value for key, value in response.items() if key.endswith("_tokens")}
        self.last_usage = queue_worker_usage(reported)
        if response.get("error"):
            kind = _FATAL.get(str(response.get("error_type")), ModelError)
            raise kind(f"the queue's worker reports: {str(response['error'])[:_MESSAGE_LIMIT]}")
        text = response.get("content")
        if text is None:
            with contextlib.suppress(KeyError, IndexError, TypeError):
                text = response["choices"][0]["message"]["content"]
        if not isinstance(text, str):
            raise ModelError("the queue's response holds no text")
        return text

    def _remove(self, call_id: str) -> None:
        """Withdraw or clear a call; a worker that still has it drops its answer."""
        for name in (PENDING, IN_PROGRESS, DONE, TMP):
            shutil.rmtree(self._root / name / call_id, ignore_errors=True)

    def _sweep(self) -> None:
        """Remove what clients that died have left: requests past their time, and answers nobody waits for."""
        for name in (PENDING, IN_PROGRESS, DONE, TMP):
            for folder in (self._root / name).glob("*"):
                if _is_stale(folder, self._clock(), self.config.timeout_s):
                    shutil.rmtree(folder, ignore_errors=True)


def _stage(messages: Sequence[Message]) -> str:
    """Whose prompt it is, told by the reply it asks for, which comes last; a label only."""
    text = "".join(part["text"] for part in _parts(messages) if part.get("type") == "text")
    stage, position = max(((stage, text.rfind(mark)) for stage, mark in _STAGE_MARKS.items()), key=lambda item: item[1])
    return stage if position >= 0 else "unknown"


def _parts(messages: Sequence[Message]) -> list[Mapping[str, Any]]:
    contents = [message["content"] for message in messages]
    return [part for content in contents if not isinstance(content, str) for part in content]


def _store_images(messages: Sequence[Message]) -> tuple[list[Message], list[_Image]]:
    """The messages with every image replaced by the name of a file, and the images."""
    images: list[_Image] = []

    def stored(part: Mapping[str, Any]) -> Mapping[str, Any]:
        if part.get("type") != "image_url":
            return part
        match = _DATA_URL.fullmatch(part["image_url"]["url"])
        if match is None:
            raise ModelError("the queue takes images as base64 data URLs only")
        try:
            data = base64.b64decode(match[2], validate=True)
        except binascii.Error as error:
            raise ModelError("an image of the request is not valid base64") from error
        images.append(_Image(f"image_{len(images) + 1:02d}{_SUFFIX.get(match[1], '.bin')}", match[1], data))
        return {"type": "image_url", "stored_image_file": images[-1].name, "media_type": match[1]}

    out = [
        message
        if isinstance(message["content"], str)
        else {**message, "content": list(map(stored, message["content"]))}
        for message in messages
    ]
    return out, images


def _load_response(path: Path) -> Mapping[str, Any] | None:
    """A complete response; ``None`` while it is missing, empty or half written."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(data, Mapping):
        raise ModelError("the queue's response is not a JSON object")
    return data


def _is_stale(folder: Path, now: float, timeout_s: float) -> bool:
    """Past the time its request states; without a readable one, untouched for twice the time-out."""
    try:
        expires = float(json.loads((folder / "request.json").read_bytes())["expires_time"])
    except (OSError, ValueError, KeyError, TypeError):
        try:
            expires = folder.stat().st_mtime + 2 * timeout_s
        except OSError:
            return False
    return now > expires
