"""Models behind the chat-completions protocol: any compatible server, and Azure OpenAI."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from bodyloop.errors import AuthenticationError, ConfigError, ModelError
from bodyloop.models.base import Message
from bodyloop.models.config import AzureOpenAIConfig, OpenAICompatibleConfig, credential

__all__ = ["ChatCompletionsModel"]

_CONNECT_TIMEOUT_S: Final = 10.0
_MESSAGE_LIMIT: Final = 300
_SHOWN_CHARACTERS: Final = 120
_SHORTEST_KEY: Final = 8
_OPTIONAL: Final = ("temperature", "max_tokens", "max_completion_tokens", "response_format", "reasoning_effort")
_REMEDIES: Final = {
    "temperature": ": 'send_temperature' false leaves it out",
    "max_tokens": ": 'max_tokens_parameter' may be 'max_completion_tokens'",
    "max_completion_tokens": ": 'max_tokens_parameter' may be 'max_tokens'",
}
_REFUSES: Final = re.compile(r"unsupported|not support|unknown|unrecognized|unexpected|not permitted", re.I)


class ChatCompletionsModel:
    """One chat-completions request per call, over one connection kept for the life of the object.

    Requests are never repeated here: whoever asks decides, at the same state, whether to ask again. The key is read
    at the first call and removed from every text that comes back.
    """

    privileged = False

    def __init__(self, config: OpenAICompatibleConfig | AzureOpenAIConfig) -> None:
        self.config = config
        self.name = config.model
        self.last_usage: Mapping[str, Any] = {}
        self.current_episode_step = 0
        self._key = ""
        self._client: Any = None

    def respond(self, messages: Sequence[Message]) -> str:
        """The reply text.

        Raises:
            AuthenticationError: there is no key, or the server refuses it.
            ConfigError: the server knows no such model or endpoint, or refuses a parameter.
            ModelError: anything else that is not a reply.
        """
        self.last_usage = {}
        client = self._open()
        import openai

        try:
            completion = client.chat.completions.create(messages=list(messages), **self.request_parameters())
        except openai.OpenAIError as error:
            failure = self._failure(error)
        except ValueError as error:
            failure = ModelError(self._clean(f"the reply of {self._where} is not JSON ({error})"))
        else:
            return self._read(completion)
        # Raised outside the handler: the provider's exception may quote the request, and tracebacks are logged.
        raise failure

    def request_parameters(self) -> dict[str, Any]:
        """Everything a request carries besides its messages."""
        config = self.config
        parameters: dict[str, Any] = {"model": config.model, config.max_tokens_parameter: config.max_tokens}
        if config.send_temperature:
            parameters["temperature"] = config.temperature
        if config.response_format:
            parameters["response_format"] = config.response_format
        if config.reasoning_effort:
            parameters["reasoning_effort"] = config.reasoning_effort
        if isinstance(config, OpenAICompatibleConfig) and config.extra_body:
            parameters["extra_body"] = config.extra_body
        return parameters

    def close(self) -> None:
        """Close the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _open(self) -> Any:
        """The client, made at the first call; the SDK takes a second to import."""
        if self._client is None:
            import openai

            config = self.config
            self._key = credential(config)
            timeout = openai.Timeout(config.timeout_s, connect=min(config.timeout_s, _CONNECT_TIMEOUT_S))
            if isinstance(config, AzureOpenAIConfig):
                self._client = openai.AzureOpenAI(
                    azure_endpoint=str(config.azure_endpoint),
                    api_version=config.api_version,
                    api_key=self._key,
                    timeout=timeout,
                    max_retries=0,
                )
            else:
                self._client = openai.OpenAI(base_url=config.url, api_key=self._key, timeout=timeout, max_retries=0)
        return self._client

    @property
    def _where(self) -> str:
        config = self.config
        return str(config.azure_endpoint) if isinstance(config, AzureOpenAIConfig) else config.url

    def _read(self, completion: Any) -> str:
        """Text and usage of a completion; servers send what they like, so every step is checked."""
        self.last_usage = _usage(completion)
        try:
            text = completion.choices[0].message.content or ""
        except (AttributeError, IndexError, TypeError):
            self._refuse(completion)
        if not isinstance(text, str):
            self._refuse(completion)
        return self._clean(text)

    def _refuse(self, completion: Any) -> NoReturn:
        shown = self._clean(str(completion))[:_SHOWN_CHARACTERS]
        raise ModelError(f"{self._where} answered without choices and text: {shown!r}")

    def _failure(self, error: Exception) -> Exception:
        """The provider's error in the project's terms."""
        import openai

        if isinstance(error, openai.APITimeoutError):
            return ModelError(f"{self._where} gave no reply within {self.config.timeout_s:g} s")
        if isinstance(error, openai.APIConnectionError):
            return ModelError(self._clean(f"cannot reach {self._where} ({error.__cause__ or error})"))
        if not isinstance(error, openai.APIStatusError):
            return ModelError(self._clean(f"the reply of {self._where} cannot be read ({error})"))
        text = self._clean(f"{self._where} answered {error.status_code}: {error.message}")[:_MESSAGE_LIMIT]
        if error.status_code in (401, 403):
            return AuthenticationError(text)
        if error.status_code == 404:
            return ConfigError(f"{text}; check 'model' ({self.name}) and the address in the model configuration")
        if error.status_code in (400, 422) and (field := self._refused_parameter(error)):
            return ConfigError(f"{text}; change {field!r} in the model configuration{_REMEDIES.get(field, '')}")
        return ModelError(text)

    def _refused_parameter(self, error: Any) -> str | None:
        """The parameter of ours that the server does not take, or ``None`` if it objects to something else."""
        parameters = self.request_parameters()
        sent = [name for name in _OPTIONAL if name in parameters] + list(parameters.get("extra_body", {}))
        if error.param in sent:
            return str(error.param)
        if not _REFUSES.search(error.message):
            return None
        return next((name for name in sent if re.search(rf"\b{re.escape(name)}\b", error.message)), None)

    def _clean(self, text: str) -> str:
        """The text without the key. A key too short to be one (a placeholder) may be a word of the text."""
        return text.replace(self._key, "***") if len(self._key) >= _SHORTEST_KEY else text


def _usage(completion: Any) -> dict[str, Any]:
    """The provider's usage as plain data; empty if it reports none."""
    usage: Any = getattr(completion, "usage", None)
    if hasattr(usage, "model_dump"):
        usage = usage.model_dump(exclude_none=True)
    return dict(usage) if isinstance(usage, Mapping) else {}
