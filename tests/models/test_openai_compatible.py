"""Against a real HTTP server on this machine."""

from __future__ import annotations

import json
import socket
import traceback

import pytest

from bodyloop.errors import AuthenticationError, ConfigError, ModelError, ReplyError
from bodyloop.models.config import load_model_config
from bodyloop.models.openai_compatible import ChatCompletionsModel
from bodyloop.models.text import parse_reply
from bodyloop.models.usage import NormalizedUsage, normalize_usage

SECRET = "sk-very-secret-0123456789"
IMAGE = "data:image/png;base64,iVBORw0KGgo="
MESSAGES = [
    {
        "role": "user",
        "content": [{"type": "text", "text": "Act."}, {"type": "image_url", "image_url": {"url": IMAGE}}],
    }
]


@pytest.fixture
def model_for(tmp_path, chat_server, monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    made = []

    def make(**changes):
        content = {
            "backend": "openai_compatible",
            "model": "served",
            "max_tokens": 321,
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "base_url": chat_server.url,
            "api_key_env": "MY_KEY",
            **changes,
        }
        path = tmp_path / "model.json"
        path.write_text(json.dumps({key: value for key, value in content.items() if value != "drop"}))
        made.append(ChatCompletionsModel(load_model_config(path)))
        return made[-1]

    yield make
    for model in made:
        model.close()


def test_one_request_carries_the_message_and_the_settings(model_for, chat_server):
    model = model_for()
    assert model.respond(MESSAGES) == chat_server.text
    (request,) = chat_server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"]["authorization"] == f"Bearer {SECRET}"
    assert request["body"] == {
        "model": "served",
        "messages": MESSAGES,
        "max_tokens": 321,
        "temperature": 0.0,
        "response_format": {"type": "json_object"},
    }
    assert normalize_usage(model.last_usage) == NormalizedUsage(100, 25, 15, 140)


def test_optional_settings(model_for, chat_server):
    model = model_for(
        send_temperature=False,
        max_tokens_parameter="max_completion_tokens",
        reasoning_effort="low",
        extra_body={"chat_template_kwargs": {"enable_thinking": False}},
        response_format=None,
    )
    model.respond(MESSAGES)
    assert chat_server.requests[0]["body"] == {
        "model": "served",
        "messages": MESSAGES,
        "max_completion_tokens": 321,
        "reasoning_effort": "low",
        "chat_template_kwargs": {"enable_thinking": False},
    }


def test_azure_addresses_the_deployment(model_for, chat_server):
    model = model_for(
        backend="azure_openai",
        base_url="drop",
        azure_endpoint=chat_server.url.removesuffix("/v1"),
        api_version="2024-10-21",
    )
    assert model.respond(MESSAGES) == chat_server.text
    (request,) = chat_server.requests
    assert request["path"] == "/openai/deployments/served/chat/completions?api-version=2024-10-21"
    assert request["headers"]["api-key"] == SECRET


def test_the_connection_is_kept(model_for, chat_server):
    model = model_for()
    for _ in range(3):
        model.respond(MESSAGES)
    assert chat_server.connections == 1


@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        ("401", AuthenticationError, "401"),
        ("403", AuthenticationError, "403"),
        ("404", ConfigError, "check 'model' (served) and the address"),
        ("429", ModelError, "429"),
        ("500", ModelError, "500"),
        ("400", ModelError, "400"),
        ("413", ModelError, "413"),
        ("truncated", ModelError, ""),
        ("html", ModelError, "without choices"),
        ("empty", ModelError, "without choices"),
    ],
)
def test_failures_are_reported_once_and_without_the_key(model_for, chat_server, kind, error, words):
    model = model_for()
    chat_server.plan = [kind]
    with pytest.raises(error) as caught:
        model.respond(MESSAGES)
    assert type(caught.value) is error
    assert words in str(caught.value)
    assert chat_server.url in str(caught.value)
    assert len(chat_server.requests) == 1
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert model.last_usage == {}
    assert model.respond(MESSAGES) == chat_server.text


@pytest.mark.parametrize(
    "refusal",
    [
        {"message": "Unsupported value", "param": "temperature", "code": "unsupported_value"},
        {"message": "temperature is not supported by this model", "param": None, "code": 400},
    ],
)
def test_a_refused_parameter_is_a_matter_of_configuration(model_for, chat_server, refusal):
    chat_server.plan = [json.dumps(refusal)]
    with pytest.raises(ConfigError, match=r"'temperature'.*'send_temperature' false"):
        model_for().respond(MESSAGES)


def test_a_prompt_that_is_too_long_is_not(model_for, chat_server):
    refusal = {"message": "at most 4096 tokens of context, see max_tokens", "param": None, "code": 400}
    chat_server.plan = [json.dumps(refusal)]
    with pytest.raises(ModelError, match="4096 tokens"):
        model_for().respond(MESSAGES)


def test_a_slow_server_is_given_up(model_for, chat_server):
    chat_server.plan = ["slow"]
    with pytest.raises(ModelError, match=r"no reply within 0\.2 s"):
        model_for(timeout_s=0.2).respond(MESSAGES)
    assert len(chat_server.requests) == 1


def test_a_prose_reply_is_text_that_cannot_be_parsed(model_for, chat_server):
    model = model_for()
    chat_server.plan = ["prose"]
    text = model.respond(MESSAGES)
    with pytest.raises(ReplyError):
        parse_reply(text)
    assert normalize_usage(model.last_usage) is not None


def test_a_server_that_echoes_the_key_does_not_get_it_into_the_records(model_for, chat_server):
    chat_server.plan = ["echo"]
    model = model_for()
    assert model.respond(MESSAGES) == "your header was Bearer ***"
    chat_server.plan = ["echo in html"]
    with pytest.raises(ModelError) as caught:
        model.respond(MESSAGES)
    assert SECRET[:8] not in str(caught.value)


def test_nobody_listens(model_for):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    with pytest.raises(ModelError, match=f"cannot reach {url}"):
        model_for(base_url=url).respond(MESSAGES)


def test_no_key(model_for, monkeypatch, chat_server):
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(AuthenticationError, match="MY_KEY is not set"):
        model_for().respond(MESSAGES)
    assert chat_server.requests == []
