"""Household rollouts decided by a model behind a real HTTP server, through the command line."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from bodyloop.cli.main import main

SECRET = "sk-very-secret-0123456789"
MODEL = {
    "backend": "openai_compatible",
    "model": "served-name",
    "max_tokens": 1200,
    "temperature": 0.0,
    "response_format": {"type": "json_object"},
    "api_key_env": "BODYLOOP_TEST_KEY",
}
REPLY = {
    "visible_state": "a room",
    "mid_level_progress_analysis": "none yet",
    "mid_level_goal": "cross the room",
    "low_level_action_reasoning": "the way is clear",
    "action_id": 0,
    "action_name": "Walk forward (slow)",
    "additional_info": {},
}


def _model(folder: Path, **content) -> str:
    path = folder / "my_model.json"
    path.write_text(json.dumps({**MODEL, **content}))
    return str(path)


def _run(output: Path, model: str, *flags: str) -> int:
    return main(["run", "household", "--model", model, "--output", str(output), "--max-steps", "2", *flags])


def _files_with(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_two_decisions_through_a_server(tmp_path, chat_server, monkeypatch, capfd):
    monkeypatch.setenv("BODYLOOP_TEST_KEY", SECRET)
    chat_server.text = json.dumps(REPLY)
    chat_server.plan = ["429", "ok", "prose", "ok"]
    model = _model(tmp_path, base_url=chat_server.url)
    assert _run(tmp_path / "run", model) == 0
    assert len(chat_server.requests) == 4
    for request in chat_server.requests:
        assert request["headers"]["authorization"] == f"Bearer {SECRET}"
        (message,) = request["body"]["messages"]
        assert message["role"] == "user"
        assert [part["type"] for part in message["content"]] == ["text", "image_url"]
        kind, data = message["content"][1]["image_url"]["url"].split(",")
        assert kind == "data:image/png;base64"
        assert Image.open(io.BytesIO(base64.b64decode(data))).size == (448, 448)
    first, again, *_ = (request["body"] for request in chat_server.requests)
    assert first == again
    record = json.loads((tmp_path / "run" / "journal.jsonl").read_text())
    assert (record["model"], record["privileged"], record["fallback_decisions"]) == ("served-name", False, 0)
    assert record["usage"]["vlm_calls"] == 4
    assert record["usage"]["failed_vlm_calls"] == 2
    assert record["usage"]["answered_token_source"] == "provider_exact"
    step = json.loads((tmp_path / "run" / record["folder"] / "step001_percept_mid_low.json").read_text())
    assert step["response"] == REPLY
    fields = json.loads((tmp_path / "run" / "run.json").read_text())["fingerprint"]["fields"]
    assert fields["model"]["config"]["base_url"] == chat_server.url
    assert "my_model.json" not in json.dumps(fields)
    assert _files_with(tmp_path / "run", SECRET) == []
    captured = capfd.readouterr()
    assert SECRET not in captured.out + captured.err
    # Another name for the same content is the same run; other content is not.
    renamed = Path(model).rename(tmp_path / "renamed.json")
    assert _run(tmp_path / "run", str(renamed), "--resume") == 0
    assert len(chat_server.requests) == 4
    assert _run(tmp_path / "run", _model(tmp_path, base_url=chat_server.url, max_tokens=9), "--resume") == 2
    assert "model.config.max_tokens: 1200 != 9" in capfd.readouterr().err


def test_refused_credentials_leave_an_unscored_rollout_and_no_key(tmp_path, chat_server, monkeypatch, capfd):
    monkeypatch.setenv("BODYLOOP_TEST_KEY", SECRET)
    chat_server.plan = ["401"]
    assert _run(tmp_path / "run", _model(tmp_path, base_url=chat_server.url)) == 1
    assert len(chat_server.requests) == 1
    record = json.loads((tmp_path / "run" / "journal.jsonl").read_text())
    assert record["outcome"] == "unscored"
    assert "401" in record["reason"]
    assert list((tmp_path / "run" / "logs").iterdir())
    assert _files_with(tmp_path / "run", SECRET) == []
    captured = capfd.readouterr()
    assert SECRET not in captured.out + captured.err


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"temperature": 0.5}, 2, ["my_model.json", "temperature", "0.5"]),
        ({"modle": "x"}, 2, ["my_model.json", "modle", "model"]),
        ({"api_key": SECRET}, 2, ["my_model.json", "api_key_env"]),
        ({}, 1, ["BODYLOOP_TEST_KEY"]),
    ],
)
def test_a_wrong_model_is_refused_before_anything_starts(tmp_path, capsys, monkeypatch, change, status, words):
    monkeypatch.delenv("BODYLOOP_TEST_KEY", raising=False)
    assert _run(tmp_path / "run", _model(tmp_path, **change)) == status
    message = capsys.readouterr().err
    assert all(word in message for word in words)
    assert len(message.strip().splitlines()) == 1
    assert SECRET not in message
    assert not (tmp_path / "run").exists()


def test_fields_that_the_profile_requires(tmp_path, capsys):
    content = {key: value for key, value in MODEL.items() if key != "response_format"}
    path = tmp_path / "my_model.json"
    path.write_text(json.dumps(content))
    assert _run(tmp_path / "run", str(path)) == 2
    assert "response_format" in capsys.readouterr().err


def test_no_such_file(tmp_path, capsys):
    assert _run(tmp_path / "run", str(tmp_path / "none.json")) == 2
    assert "none.json does not exist" in capsys.readouterr().err
