"""Model configuration files: which model is asked, how it is reached, and with which settings.

One JSON file per model. Credentials come from environment variables only; a file that holds one is refused, and no
credential is ever part of an identity, a record or a message.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, field_validator

from bodyloop.config.profiles import read_json_object, validate_json
from bodyloop.errors import AuthenticationError, ConfigError, MissingFileError, UnknownNameError

__all__ = [
    "BACKENDS",
    "AzureOpenAIConfig",
    "FilesystemQueueConfig",
    "ModelConfig",
    "OpenAICompatibleConfig",
    "check_model_config",
    "credential",
    "load_model_config",
]


def _plain_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an http:// or https:// address")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("must not hold credentials, a query or a fragment; keys come from the environment")
    return value


Name = Annotated[str, Field(min_length=1)]
# A key pasted where the name of a variable belongs must not end up in a message.
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
Url = Annotated[str, AfterValidator(_plain_url)]
Seconds = Annotated[float, Field(gt=0)]

_OPENAI_URL: Final = "https://api.openai.com/v1"
_PLACEHOLDER_KEY: Final = "no-key"
_SECRET_NAME: Final = re.compile(r"api[-_]?key|authorization|password|secret|(access|auth|bearer)[-_]?token", re.I)


_OWN_FIELDS: Final = frozenset(
    {"messages", "model", "temperature", "max_tokens", "max_completion_tokens", "response_format", "reasoning_effort"}
    | {"stream", "n"}
)
_NO_PART_OF_RESULTS: Final = frozenset(
    ("model_env", "api_key_env", "azure_endpoint_env", "api_version_env", "queue_dir", "timeout_s", "poll_interval_s")
)


class _Base(BaseModel):
    """Fields that every backend has."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, hide_input_in_errors=True)

    model: Name
    """Served name, or deployment."""
    max_tokens: Annotated[int, Field(gt=0)]
    temperature: Annotated[float, Field(ge=0)]
    response_format: dict[str, Any] | None = None
    """For example ``{"type": "json_object"}``; null or empty is not sent."""

    def identity(self) -> dict[str, Any]:
        """What a result depends on: everything but credentials, waiting times and local folders."""
        return {key: value for key, value in self.model_dump(mode="json").items() if key not in _NO_PART_OF_RESULTS}


class _HttpConfig(_Base):
    """Fields of the backends that speak the chat-completions protocol."""

    model_env: Variable | None = None
    """Environment variable that, when set, overrides ``model``."""
    send_temperature: bool = True
    max_tokens_parameter: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    reasoning_effort: Name | None = None
    timeout_s: Seconds = 300.0


class OpenAICompatibleConfig(_HttpConfig):
    """Any server with the chat-completions protocol: vLLM, Ollama, hosted ones."""

    backend: Literal["openai_compatible"]
    base_url: Url | None = None
    """Without it, OpenAI's own service."""
    api_key_env: Variable | None = None
    """Default ``OPENAI_API_KEY``. A server of your own (``base_url``) needs no key unless this names one."""
    extra_body: dict[str, Any] = {}
    """Passed through in the request body."""

    @field_validator("extra_body")
    @classmethod
    def _check_extra_body(cls, value: dict[str, Any]) -> dict[str, Any]:
        if own := sorted(_OWN_FIELDS & value.keys()):
            raise ValueError(f"must not hold {', '.join(own)}: the file's other fields decide that")
        if any(_SECRET_NAME.search(key) for key in _keys(value)):
            raise ValueError("must not hold credentials; they would be written into the run")
        return value

    @property
    def url(self) -> str:
        """Where requests go."""
        return self.base_url or _OPENAI_URL


class AzureOpenAIConfig(_HttpConfig):
    """A deployment in Azure OpenAI; ``model`` is its name."""

    backend: Literal["azure_openai"]
    azure_endpoint: Url | None = None
    azure_endpoint_env: Variable = "AZURE_OPENAI_ENDPOINT"
    api_version: Name | None = None
    api_version_env: Variable = "AZURE_OPENAI_API_VERSION"
    api_key_env: Variable | None = None
    """Default ``AZURE_OPENAI_API_KEY``."""


class FilesystemQueueConfig(_Base):
    """A worker process that owns the credentials answers requests from a folder."""

    backend: Literal["filesystem_queue"]
    queue_dir: Name
    """Relative to the configuration file."""
    reasoning_budget_tokens: Annotated[int, Field(ge=0)] | None = None
    timeout_s: Seconds = 900.0
    poll_interval_s: Seconds = 1.0

    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """The queue folder."""
        return self._folder / self.queue_dir


ModelConfig: TypeAlias = OpenAICompatibleConfig | AzureOpenAIConfig | FilesystemQueueConfig

BACKENDS: Final[Mapping[str, type[ModelConfig]]] = {
    "openai_compatible": OpenAICompatibleConfig,
    "azure_openai": AzureOpenAIConfig,
    "filesystem_queue": FilesystemQueueConfig,
}


def load_model_config(path: str | Path, environ: Mapping[str, str] = os.environ) -> ModelConfig:
    """Read a model configuration; variables it names for model, endpoint and version are resolved.

    Raises:
        MissingFileError: there is no such file.
        ConfigError: its content is wrong; the message names file, field and remedy, and never quotes a value.
    """
    source, where = Path(path), str(path)
    if not source.is_file():
        raise MissingFileError(f"model configuration {where} does not exist")
    text, data = read_json_object(source, where, "model configuration")
    if "api_key" in data:
        raise ConfigError(
            f"{where}: field 'api_key': a key does not belong in a file; remove it, export it as an environment "
            "variable and name that variable in 'api_key_env'"
        )
    if "backend" not in data:
        raise ConfigError(f"{where}: field 'backend' is missing; one of: {', '.join(BACKENDS)}")
    backend = data["backend"]
    if not isinstance(backend, str) or backend not in BACKENDS:
        raise UnknownNameError("backend", str(backend), BACKENDS, where=f"{where}, field 'backend'")
    config = validate_json(BACKENDS[backend], text, where, "model configuration")
    if isinstance(config, FilesystemQueueConfig):
        config._folder = source.parent
        return config
    if config.model_env and environ.get(config.model_env):
        config = config.model_copy(update={"model": environ[config.model_env]})
    return _resolve_azure(config, where, environ) if isinstance(config, AzureOpenAIConfig) else config


def _resolve_azure(config: AzureOpenAIConfig, where: str, environ: Mapping[str, str]) -> AzureOpenAIConfig:
    """Endpoint and version from the file, else from the environment."""
    resolved = {
        "azure_endpoint": config.azure_endpoint or environ.get(config.azure_endpoint_env),
        "api_version": config.api_version or environ.get(config.api_version_env),
    }
    for field, value in resolved.items():
        if not value:
            variable = getattr(config, f"{field}_env")
            raise ConfigError(f"{where}: field {field!r} is missing, and environment variable {variable} is not set")
    try:
        _plain_url(str(resolved["azure_endpoint"]))
    except ValueError as error:
        raise ConfigError(f"{where}: environment variable {config.azure_endpoint_env} {error}") from None
    return config.model_copy(update=resolved)


def check_model_config(config: ModelConfig, where: str, *, temperature: float, required: Sequence[str]) -> None:
    """Hold a configuration against what an experiment demands.

    Raises:
        ConfigError: a required field was not given, or the temperature is another.
    """
    missing = [field for field in required if field not in config.model_fields_set]
    if missing:
        raise ConfigError(f"{where}: the profile requires field(s) {', '.join(missing)}, which the file does not set")
    if config.temperature != temperature:
        raise ConfigError(
            f"{where}: field 'temperature' is {config.temperature}, but the profile asks for {temperature}; set it to "
            "that, and 'send_temperature' to false for a model that refuses the parameter"
        )


def credential(config: ModelConfig, environ: Mapping[str, str] = os.environ) -> str:
    """The key of a model from the environment; a queue has none, and a server of one's own needs none.

    Raises:
        AuthenticationError: the variable is not set, or holds no key; the message names it.
    """
    if isinstance(config, FilesystemQueueConfig):
        return ""
    azure = isinstance(config, AzureOpenAIConfig)
    variable = config.api_key_env or ("AZURE_OPENAI_API_KEY" if azure else "OPENAI_API_KEY")
    key = environ.get(variable, "").strip()
    if key and not (key.isascii() and key.isprintable()):
        raise AuthenticationError(f"environment variable {variable} holds characters that no key has")
    if key:
        return key
    if isinstance(config, OpenAICompatibleConfig) and config.base_url and config.api_key_env is None:
        return _PLACEHOLDER_KEY
    raise AuthenticationError(f"no key for model {config.model}: environment variable {variable} is not set")


def _keys(value: Any) -> Iterator[str]:
    """All keys of nested mappings."""
    items: Iterable[Any] = ()
    if isinstance(value, Mapping):
        yield from value
        items = value.values()
    elif isinstance(value, list):
        items = value
    for item in items:
        yield from _keys(item)
