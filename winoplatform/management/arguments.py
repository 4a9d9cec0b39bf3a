"""Settings as options of commands: of columns, and of the forms that start runs."""

from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db.models import Model
from rest_framework import serializers

from winoplatform.api.fields import ByPublicId
from winoplatform.described import column_of, form_field
from winoplatform.ids import as_uuid
from winoplatform.runs.sharing import Share

Form = Any  # a serializer's class, whose fields the general type does not have


def add_setting(parser: ArgumentParser, model: type[Model], name: str, **options: Any) -> None:
    """Add the option of a setting, which accepts what a form with its column's bounds does."""
    field = form_field(model, name)

    def read(text: str) -> Any:
        try:
            return field.clean(text)
        except ValidationError as error:
            raise ArgumentTypeError(" ".join(error.messages)) from error

    parser.add_argument(
        f"--{name}", type=read, help=_help(column_of(model, name).help_text), **options
    )


def add_form(parser: ArgumentParser, form: Form, *, without: Collection[str] = ()) -> None:
    """Add an option for each field of a form, *without* some; the form checks their values."""
    for name, field in form().fields.items():
        if name not in without:
            parser.add_argument(
                _option(name),
                dest=name,
                required=field.required,
                default=None,
                help=_help(field.help_text),
                **_kind(field),
            )


def checked(form: Form, options: Mapping[str, Any], **given: Any) -> dict[str, Any]:
    """Return the values of a form's options, and *given* ones.

    Raises
    ------
    CommandError
        When the form refuses them; with its sentences.
    """
    fields = form().fields
    sent = {name: options[name] for name in fields if options.get(name) is not None} | given
    filled = form(data={name: _named(fields[name], value) for name, value in sent.items()})
    if not filled.is_valid():
        raise CommandError(" ".join(_sentences(filled.errors)))
    values: dict[str, Any] = filled.validated_data
    return values


def _kind(field: Any) -> dict[str, Any]:
    """Return how an option of a field is read."""
    if isinstance(field, serializers.BooleanField):
        return {"action": BooleanOptionalAction}
    many = {"nargs": "*"} if hasattr(field, "child") else {}
    read: Any = getattr(field, "child", field)
    if isinstance(read, serializers.Serializer):
        return many | {"type": _parts, "metavar": ",".join(f"{name}=…" for name in read.fields)}
    if isinstance(read, serializers.ChoiceField):
        return many | {"choices": list(read.choices), "metavar": "|".join(map(str, read.choices))}
    return many


def _parts(text: str) -> dict[str, str]:
    """Read ``reference_set=winogrande,split=dev``."""
    pairs = [part.partition("=") for part in text.split(",")]
    return {name.strip(): value.strip() for name, _, value in pairs}


def _named(field: Any, value: Any) -> Any:
    """Return *value* with names of rows, where these have unique ones, replaced by their ids."""
    if isinstance(value, list):
        return [_named(getattr(field, "child", field), each) for each in value]
    if isinstance(value, dict):
        fields = getattr(field, "fields", {})
        return {name: _named(fields.get(name), each) for name, each in value.items()}
    find = getattr(getattr(field, "rows", None), "named", None)
    if not isinstance(field, ByPublicId) or as_uuid(value) or find is None:
        return value
    row = find(value)
    return value if row is None else row.public_id


def _sentences(errors: Any, name: str = "") -> Iterator[str]:
    if isinstance(errors, Mapping):
        for inner, each in errors.items():
            yield from _sentences(each, str(inner))
    elif isinstance(errors, list):
        for each in errors:
            yield from _sentences(each, name)
    else:
        option = "" if name in ("", "non_field_errors") else f"{_option(name)}: "
        yield f"{option}{errors}"


def _option(name: str) -> str:
    """Return the option of a field; Django has an option ``--settings`` of its own."""
    return f"--{'run-settings' if name == 'settings' else name.replace('_', '-')}"


def _help(text: Any) -> str:
    return str(text or "").replace("%", "%%")


def add_share(parser: ArgumentParser) -> None:
    """Add the two arguments by which a process learns which one of several it is."""
    parser.add_argument("--index", type=int, default=0, help="Which process this is, from 0.")
    parser.add_argument("--of", type=int, default=1, help="How many processes there are.")


def given_share(options: Mapping[str, Any]) -> Share:
    """Return what `add_share` has read."""
    share = Share(options["index"], options["of"])
    if not 0 <= share.index < share.of:
        raise CommandError("--index is a number from 0 to one less than --of.")
    return share
