from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bodyloop.errors import AuthenticationError, ConfigError, MissingFileError
from bodyloop.models.config import (
    FilesystemQueueConfig,
    OpenAICompatibleConfig,
    check_model_config,
    credential,
    load_model_config,
)

SECRET = "sk-very-secret-0123456789"
OPENAI = {
    "backend": "openai_compatible",
    "model": "qwen",
    "max_tokens": 1200,
    "temperature": 0,
    "response_format": {"type": "json_object"},
    "base_url": "http://127.0.0.1:8000/v1",
}
AZURE = {"backend": "azure_openai", "model": "deployment", "max_tokens": 10, "temperature": 0.0}
QUEUE = {"backend": "filesystem_queue", "model": "gemini", "max_tokens": 10, "temperature": 0, "queue_dir": "queue"}
REQUIRED = ("backend", "model", "max_tokens", "temperature", "response_format")


def write(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / "my_model.json"
    path.write_text(json.dumps(content))
    return path


def test_a_file_becomes_a_config(tmp_path):
    config = load_model_config(write(tmp_path, OPENAI), {})
    assert isinstance(config, OpenAICompatibleConfig)
    assert (config.model, config.temperature, config.url) == ("qwen", 0.0, "http://127.0.0.1:8000/v1")
    assert config.timeout_s == 300.0
    check_model_config(config, "f", temperature=0.0, required=REQUIRED)


def test_the_example_of_the_readme_is_a_model(tmp_path):
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", readme, re.S)
    config = load_model_config(write(tmp_path, json.loads(example)), {})
    check_model_config(config, "f", temperature=0.0, required=REQUIRED)


def test_a_queue_lies_next_to_its_file(tmp_path):
    config = load_model_config(write(tmp_path, QUEUE), {})
    assert isinstance(config, FilesystemQueueConfig)
    assert config.folder == tmp_path / "queue"
    assert (config.timeout_s, config.poll_interval_s) == (900.0, 1.0)
    absolute = load_model_config(write(tmp_path, {**QUEUE, "queue_dir": "/elsewhere/queue"}), {})
    assert isinstance(absolute, FilesystemQueueConfig)
    assert absolute.folder == Path("/elsewhere/queue")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"backend": "openai_compatibel"}, ["backend", "openai_compatible"]),
        ({"backend": None}, ["backend"]),
        ({"modle": "x"}, ["modle", "did you mean 'model'"]),
        ({"max_tokens": 0}, ["max_tokens", "greater than 0"]),
        ({"max_tokens": "many"}, ["max_tokens"]),
        ({"temperature": -1}, ["temperature"]),
        ({"max_tokens_parameter": "tokens"}, ["max_tokens_parameter", "max_completion_tokens"]),
        ({"base_url": "localhost:8000"}, ["base_url", "http://"]),
        ({"base_url": f"http://user:{SECRET}@host/v1"}, ["base_url", "credentials"]),
        ({"base_url": f"http://host/v1?key={SECRET}"}, ["base_url", "credentials"]),
        ({"api_key": SECRET}, ["api_key", "api_key_env"]),
        ({"api_key_env": SECRET}, ["api_key_env"]),
        ({"extra_body": {"nested": [{"api_key": SECRET}]}}, ["extra_body", "credentials"]),
        ({"extra_body": {"temperature": 1.0}}, ["extra_body", "temperature"]),
        ({"extra_body": {"stream": True}}, ["extra_body", "stream"]),
        ({"queue_dir": "q"}, ["queue_dir"]),
        ({"timeout_s": 0}, ["timeout_s"]),
    ],
)
def test_wrong_content_names_file_and_field_but_no_value(tmp_path, change, words):
    with pytest.raises(ConfigError) as caught:
        load_model_config(write(tmp_path, {**OPENAI, **change}), {})
    message = str(caught.value)
    assert all(word in message for word in ["my_model.json", *words])
    assert SECRET not in message


@pytest.mark.parametrize("field", ["backend", "model", "max_tokens", "temperature"])
def test_missing_fields(tmp_path, field):
    content = {name: value for name, value in OPENAI.items() if name != field}
    with pytest.raises(ConfigError, match=f"'{field}' is missing"):
        load_model_config(write(tmp_path, content), {})


def test_a_queue_needs_its_folder(tmp_path):
    content = {name: value for name, value in QUEUE.items() if name != "queue_dir"}
    with pytest.raises(ConfigError, match="'queue_dir' is missing"):
        load_model_config(write(tmp_path, content), {})


def test_no_file_and_no_json(tmp_path):
    with pytest.raises(MissingFileError, match=r"none\.json"):
        load_model_config(tmp_path / "none.json", {})
    path = tmp_path / "broken.json"
    for text in ('{"backend": ', "[]", '{"model": "a", "model": "b"}'):
        path.write_text(text)
        with pytest.raises(ConfigError, match=r"broken\.json"):
            load_model_config(path, {})


def test_the_profile_fixes_temperature_and_required_fields(tmp_path):
    warm = load_model_config(write(tmp_path, {**OPENAI, "temperature": 0.7}), {})
    with pytest.raises(ConfigError, match=r"f: field 'temperature' is 0\.7.*asks for 0\.0"):
        check_model_config(warm, "f", temperature=0.0, required=())
    bare = load_model_config(write(tmp_path, AZURE | {"azure_endpoint": "https://a", "api_version": "1"}), {})
    with pytest.raises(ConfigError, match=r"requires field.*response_format"):
        check_model_config(bare, "f", temperature=0.0, required=REQUIRED)


def test_azure_takes_endpoint_and_version_from_the_environment(tmp_path):
    path = write(tmp_path, {**AZURE, "model_env": "MY_DEPLOYMENT"})
    with pytest.raises(ConfigError, match=r"azure_endpoint.*AZURE_OPENAI_ENDPOINT"):
        load_model_config(path, {})
    with pytest.raises(ConfigError, match=r"api_version.*AZURE_OPENAI_API_VERSION"):
        load_model_config(path, {"AZURE_OPENAI_ENDPOINT": "https://a"})
    environ = {"AZURE_OPENAI_ENDPOINT": f"https://u:{SECRET}@a", "AZURE_OPENAI_API_VERSION": "1"}
    with pytest.raises(ConfigError, match="AZURE_OPENAI_ENDPOINT must not hold credentials") as caught:
        load_model_config(path, environ)
    assert SECRET not in str(caught.value)
    environ = {"AZURE_OPENAI_ENDPOINT": "https://a", "AZURE_OPENAI_API_VERSION": "1", "MY_DEPLOYMENT": "other"}
    config = load_model_config(path, environ)
    assert config.identity()["azure_endpoint"] == "https://a"
    assert config.model == "other"


def test_the_identity_holds_what_results_depend_on(tmp_path):
    first = load_model_config(write(tmp_path, OPENAI), {})
    other = {**OPENAI, "api_key_env": "SOME_KEY", "timeout_s": 5.0, "model_env": "UNSET"}
    assert load_model_config(write(tmp_path, other), {}).identity() == first.identity()
    assert load_model_config(write(tmp_path, {**OPENAI, "max_tokens": 7}), {}).identity() != first.identity()
    assert json.loads(json.dumps(first.identity())) == first.identity()
    queue = load_model_config(write(tmp_path, QUEUE), {}).identity()
    assert str(tmp_path) not in json.dumps(queue)
    assert "queue_dir" not in queue


def test_credentials_come_from_the_environment(tmp_path):
    own = load_model_config(write(tmp_path, OPENAI), {})
    assert credential(own, {}) == "no-key"
    assert credential(own, {"OPENAI_API_KEY": SECRET}) == SECRET
    with pytest.raises(AuthenticationError, match="OPENAI_API_KEY") as caught:
        credential(own, {"OPENAI_API_KEY": f"{SECRET}\u00e9"})
    assert SECRET not in str(caught.value)
    named = load_model_config(write(tmp_path, {**OPENAI, "api_key_env": "MY_KEY"}), {})
    with pytest.raises(AuthenticationError, match="MY_KEY"):
        credential(named, {"OPENAI_API_KEY": SECRET})
    hosted = load_model_config(write(tmp_path, {**OPENAI, "base_url": None}), {})
    with pytest.raises(AuthenticationError, match="OPENAI_API_KEY"):
        credential(hosted, {})
    azure = load_model_config(write(tmp_path, AZURE | {"azure_endpoint": "https://a", "api_version": "1"}), {})
    with pytest.raises(AuthenticationError, match="AZURE_OPENAI_API_KEY"):
        credential(azure, {})
