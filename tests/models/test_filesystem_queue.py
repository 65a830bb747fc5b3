"""Client and worker of a queue, with a real worker thread and a real server behind it."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
import time
from pathlib import Path

import pytest

from bodyloop.errors import AuthenticationError, ConfigError, ModelError
from bodyloop.models.config import load_model_config
from bodyloop.models.filesystem_queue import FilesystemQueueModel
from bodyloop.models.queue_worker import QueueWorker, RequestModels
from bodyloop.models.usage import NormalizedUsage, normalize_usage

IMAGE = "data:image/png;base64,iVBORw0KGgo="
MESSAGES = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": 'Reply with {"mid_level_goal": ...}'},
            {"type": "image_url", "image_url": {"url": IMAGE}},
        ],
    }
]


def client(folder: Path, **changes) -> FilesystemQueueModel:
    content = {
        "backend": "filesystem_queue",
        "model": "gemini",
        "max_tokens": 77,
        "temperature": 0,
        "response_format": {"type": "json_object"},
        "queue_dir": "queue",
        "reasoning_budget_tokens": 512,
        "timeout_s": 5,
        "poll_interval_s": 0.01,
        **changes,
    }
    path = folder / "queue_model.json"
    path.write_text(json.dumps(content))
    return FilesystemQueueModel(load_model_config(path))


def left(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in (folder / "queue").glob("*/*"))


class Answering:
    """A thread that answers the first request with given bytes, as any worker might."""

    def __init__(self, queue: Path, *contents: bytes) -> None:
        self.request: dict = {}
        self.files: list[str] = []
        self._queue, self._contents = queue, contents
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        deadline = time.monotonic() + 5
        while not (found := list((self._queue / "pending").glob("*"))) and time.monotonic() < deadline:
            time.sleep(0.005)
        (folder,) = found
        self.request = json.loads((folder / "request.json").read_text())
        self.files = sorted(path.name for path in folder.iterdir())
        for content in self._contents:
            target = self._queue / "done" / folder.name
            target.mkdir(exist_ok=True)
            (target / "response.json").write_bytes(content)
            time.sleep(0.05)

    def join(self) -> None:
        self._thread.join(timeout=5)


def test_a_request_has_the_published_form(tmp_path):
    model = client(tmp_path)
    model.current_episode_step = 3
    worker = Answering(tmp_path / "queue", b"", b'{"content": "he', b'{"content": "hello"}')
    assert model.respond(MESSAGES) == "hello"
    worker.join()
    request = worker.request
    assert worker.files == ["image_01.png", "request.json"]
    assert re.fullmatch(r"000000_step0003_planner_skill_[0-9a-f]{10}", request["call_id"])
    assert request["schema"] == "humanclaw_vlm_queue_request_v1"
    assert request["messages"][0]["content"][1] == {
        "type": "image_url",
        "stored_image_file": "image_01.png",
        "media_type": "image/png",
    }
    assert request["images"] == [{"image_file": "image_01.png", "media_type": "image/png", "bytes": 8}]
    assert (request["model"], request["max_tokens"], request["temperature"]) == ("gemini", 77, 0.0)
    assert (request["reasoning_budget_tokens"], request["stage"], request["episode_step"]) == (512, "planner_skill", 3)
    assert request["expires_time"] == request["created_time"] + 5
    assert request["pid"] == os.getpid()
    assert len(request["idempotency_key"]) == 64


@pytest.mark.parametrize(
    ("response", "usage"),
    [
        (
            {"content": "a", "usage": "Usage(prompt_tokens=5197, completion_tokens=233, total_tokens=5715, "
             "num_reasoning_tokens=285)"},
            NormalizedUsage(5197, 233, 285, 5715),
        ),
        (
            {"content": "a", "prompt_tokens": 10, "completion_tokens": 4, "num_reasoning_tokens": 2},
            NormalizedUsage(10, 4, 2, 16),
        ),
        ({"choices": [{"message": {"content": "a"}}]}, None),
    ],
)  # fmt: skip
def test_forms_of_a_response(tmp_path, response, usage):
    model = client(tmp_path)
    worker = Answering(tmp_path / "queue", json.dumps(response).encode())
    assert model.respond(MESSAGES) == "a"
    worker.join()
    assert normalize_usage(model.last_usage) == usage
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("response", "error", "words"),
    [
        ({"error": "quota"}, ModelError, "quota"),
        ({"error": "refused", "error_type": "AuthenticationError"}, AuthenticationError, "refused"),
        ({"error": "no such model", "error_type": "ConfigError"}, ConfigError, "no such model"),
        ({"content": 3}, ModelError, "no text"),
        ([], ModelError, "not a JSON object"),
    ],
)
def test_bad_responses(tmp_path, response, error, words):
    model = client(tmp_path)
    worker = Answering(tmp_path / "queue", json.dumps(response).encode())
    with pytest.raises(error, match=words) as caught:
        model.respond(MESSAGES)
    worker.join()
    assert type(caught.value) is error


def test_a_request_that_is_not_answered_is_withdrawn(tmp_path):
    model = client(tmp_path, timeout_s=0.1)
    with pytest.raises(ModelError, match=r"within 0\.1 s"):
        model.respond(MESSAGES)
    assert left(tmp_path) == []
    worker = QueueWorker(tmp_path / "queue", RequestModels(load_model_config(_served(tmp_path, "http://x/v1"))))
    assert not worker.answer_next()


def test_a_queue_that_vanishes(tmp_path):
    model = client(tmp_path)
    shutil.rmtree(tmp_path / "queue")
    with pytest.raises(ModelError, match="queue_dir queue"):
        model.respond(MESSAGES)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "queue").write_text("a file")
    with pytest.raises(ConfigError, match="queue_dir queue"):
        client(tmp_path)


def test_what_dead_clients_left_is_swept_and_what_lives_is_not(tmp_path):
    for name, expires in (("old", 1.0), ("new", time.time() + 60)):
        folder = tmp_path / "queue" / "pending" / name
        folder.mkdir(parents=True)
        (folder / "request.json").write_text(json.dumps({"expires_time": expires}))
    answer = tmp_path / "queue" / "done" / "unread"
    answer.mkdir(parents=True)
    os.utime(answer, (1, 1))
    (tmp_path / "queue" / "tmp" / "being_built").mkdir(parents=True)
    client(tmp_path)
    assert left(tmp_path) == ["queue/pending/new", "queue/tmp/being_built"]


def _served(folder: Path, url: str) -> Path:
    path = folder / "served.json"
    content = {"backend": "openai_compatible", "model": "deployment", "max_tokens": 1, "temperature": 1}
    path.write_text(json.dumps({**content, "base_url": url}))
    return path


@pytest.fixture
def served_queue(tmp_path, chat_server):
    """A worker thread on the queue, whose model is the HTTP server."""
    models = RequestModels(load_model_config(_served(tmp_path, chat_server.url)))
    worker = QueueWorker(tmp_path / "queue", models)
    stop, errors = threading.Event(), []

    def serve() -> None:
        try:
            worker.serve(stop.is_set, poll_interval_s=0.01)
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=serve)
    thread.start()
    yield errors
    stop.set()
    thread.join(timeout=5)
    models.close()


def test_through_worker_and_server(tmp_path, chat_server, served_queue):
    model = client(tmp_path)
    chat_server.plan = ["ok", "500", "ok"]
    assert model.respond(MESSAGES) == chat_server.text
    with pytest.raises(ModelError, match="500"):
        model.respond(MESSAGES)
    assert model.respond(MESSAGES) == chat_server.text
    assert normalize_usage(model.last_usage) == NormalizedUsage(100, 25, 15, 140)
    body = chat_server.requests[0]["body"]
    assert body["messages"] == MESSAGES
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("deployment", 77, 0.0)
    assert body["response_format"] == {"type": "json_object"}
    assert left(tmp_path) == []
    assert served_queue == []


def test_refused_credentials_end_worker_and_client(tmp_path, chat_server, served_queue):
    chat_server.plan = ["401"]
    with pytest.raises(AuthenticationError, match="401"):
        client(tmp_path).respond(MESSAGES)
    time.sleep(0.05)
    assert [type(error) for error in served_queue] == [AuthenticationError]


def test_a_worker_drops_the_answer_to_a_withdrawn_request(tmp_path, chat_server, served_queue):
    chat_server.plan = ["slow"]
    with pytest.raises(ModelError, match="withdrawn"):
        client(tmp_path, timeout_s=0.3).respond(MESSAGES)
    time.sleep(1.0)
    assert left(tmp_path) == []


def test_a_worker_refuses_what_is_no_request(tmp_path):
    folder = tmp_path / "queue" / "pending" / "odd"
    folder.mkdir(parents=True)
    (folder / "request.json").write_text('{"schema": "other"}')
    worker = QueueWorker(tmp_path / "queue", RequestModels(load_model_config(_served(tmp_path, "http://x/v1"))))
    assert worker.answer_next()
    response = json.loads((tmp_path / "queue" / "done" / "odd" / "response.json").read_text())
    assert "not a request" in response["error"]


def test_a_worker_refuses_wrong_settings(tmp_path, chat_server, served_queue):
    model = client(tmp_path)
    model.config = model.config.model_copy(update={"max_tokens": "many"})
    with pytest.raises(ModelError, match="max_tokens"):
        model.respond(MESSAGES)
    assert chat_server.requests == []


def test_a_worker_needs_a_model_with_an_address(tmp_path):
    with pytest.raises(ConfigError, match="queue worker"):
        RequestModels(client(tmp_path).config)
