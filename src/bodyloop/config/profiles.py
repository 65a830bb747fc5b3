"""Typed experiment profiles: one complete JSON file, nothing inherited, nothing defaulted.

A profile says everything that fixes an experiment. A missing field is an error even where a sensible value exists,
so that the file alone tells what was run.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bodyloop.errors import ConfigError, MissingFileError, UnknownNameError

__all__ = ["Profile", "Section", "builtin_profiles", "load_profile", "read_json_object", "validate_json"]


class Section(BaseModel):
    """Base of a profile and of its parts: frozen, strictly typed, no unknown keys, no defaults."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Refuse a field with a default when the class is made. Raises TypeError."""
        super().__pydantic_init_subclass__(**kwargs)
        defaulted = [name for name, field in cls.model_fields.items() if not field.is_required()]
        if defaulted:
            raise TypeError(f"{cls.__name__}: a profile has no defaults, but {', '.join(defaulted)} have one")


class Profile(Section):
    """Base of a suite's profile."""

    schema_name: Annotated[str, Field(alias="schema", min_length=1)]
    """Format of the file, key ``schema``."""
    profile: Annotated[str, Field(min_length=1)]
    """Name of the experiment."""
    description: str

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data, as in the file."""
        return self.model_dump(mode="json", by_alias=True)


P = TypeVar("P", bound=Profile)
M = TypeVar("M", bound=BaseModel)


def builtin_profiles(folder: Traversable) -> dict[str, Traversable]:
    """The profiles shipped in a package folder, by file name without ``.json``."""
    found = (entry for entry in folder.iterdir() if entry.name.endswith(".json"))
    return {entry.name.removesuffix(".json"): entry for entry in sorted(found, key=lambda entry: entry.name)}


def load_profile(cls: type[P], name_or_path: str, builtin: Mapping[str, Traversable]) -> P:
    """Load a built-in profile by name, or any other from a JSON file.

    Raises:
        MissingFileError: There is no such file.
        ConfigError: Its content is wrong; the message names file, field and remedy.
    """
    source = _find(name_or_path, builtin)
    where = name_or_path if name_or_path not in builtin else f"profile {name_or_path}"
    text, data = read_json_object(source, where, "profile")
    if "extends" in data:
        raise ConfigError(f"{where}: field 'extends' is not supported; a profile must be complete in itself")
    return validate_json(cls, text, where, "profile")


def read_json_object(source: Traversable, where: str, what: str) -> tuple[str, dict[str, Any]]:
    """Text and content of a JSON file that holds one object, keys unique. Raises ConfigError naming ``where``."""
    try:
        text = source.read_text(encoding="utf-8")
        data = json.loads(text, object_pairs_hook=_unique)
    except (UnicodeDecodeError, ValueError) as error:
        raise ConfigError(f"{where}: not valid JSON ({error})") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{where}: a {what} is a JSON object")
    return text, data


def validate_json(cls: type[M], text: str, where: str, what: str) -> M:
    """The model in a JSON text. Raises ConfigError with all problems; values are never quoted."""
    try:
        return cls.model_validate_json(text)
    except ValidationError as error:
        raise ConfigError(f"{where}: {_explain(cls, error, what)}") from None


def _find(name_or_path: str, builtin: Mapping[str, Traversable]) -> Traversable:
    if name_or_path in builtin:
        return builtin[name_or_path]
    path = Path(name_or_path)
    if path.is_file():
        return path
    if path.suffix == ".json" or len(path.parts) > 1:
        raise MissingFileError(f"profile file {name_or_path} does not exist; built-in: {', '.join(builtin)}")
    raise UnknownNameError("profile", name_or_path, builtin)


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError if a key comes twice, of which JSON would silently keep the last."""
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {twice!r} comes twice")
    return data


def _explain(cls: type[BaseModel], error: ValidationError, what: str) -> str:
    """All problems in one line; unknown keys come first because they usually explain a missing one."""
    problems = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    lines = [_explain_one(cls, problem["loc"], problem["type"], problem["msg"], what) for problem in problems]
    more = f"; and {len(lines) - 5} more" if len(lines) > 5 else ""
    return "; ".join(lines[:5]) + more


def _explain_one(cls: type[BaseModel], loc: tuple[int | str, ...], kind: str, message: str, what: str) -> str:
    field = ".".join(map(str, loc))
    if kind == "extra_forbidden":
        section = ".".join(map(str, loc[:-1])) or f"the {what}"
        return str(UnknownNameError("field", str(loc[-1]), _field_names(cls, loc[:-1]), where=section))
    if kind == "missing":
        return f"field {field!r} is missing"
    return f"field {field!r}: {message[:1].lower()}{message[1:]}"


def _field_names(cls: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    """JSON names of the fields of the section at ``loc``."""
    section: type[BaseModel] | None = cls
    for step in loc:
        fields = section.model_fields if section else {}
        field = fields.get(str(step))
        section = _model_in(field.annotation) if field else section
    return [field.alias or name for name, field in section.model_fields.items()] if section else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model class inside ``Model``, ``Model | None``, ``tuple[Model, ...]`` and the like."""
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return annotation if issubclass(annotation, BaseModel) else None
    return next((found for item in typing.get_args(annotation) if (found := _model_in(item))), None)
