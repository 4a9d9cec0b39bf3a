"""Serializers of rows of the database."""

from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import CharField, Field, Model
from rest_framework import serializers

KEYS = ("slug", "public_id", "name")
"""What other rows are named by; the first that a table has."""


class RowSerializer(serializers.ModelSerializer[Any]):
    """A row: its ``id`` is its public id, and a row that it refers to is shown by its key."""

    def get_uniqueness_extra_kwargs(self, *args: Any) -> Any:
        # Of columns of a constraint DRF would show defaults, which only a request has.
        _names, _declared, extra_kwargs = args
        return extra_kwargs, {}

    def build_field(self, field_name: str, info: Any, model_class: Any, nested_depth: int) -> Any:
        if field_name == "id":
            return _shown_by(_column(model_class, "public_id"), "public_id", is_null=False)
        found = info.forward_relations.get(field_name)
        if found is None or found.to_many:
            return super().build_field(field_name, info, model_class, nested_depth)
        key = next(one for one in KEYS if _column(found.related_model, one))
        column, null = _column(found.related_model, key), found.model_field.null
        return _shown_by(column, f"{field_name}.{key}", is_null=null)


def _column(table: type[Model], name: str) -> "Field[Any, Any] | None":
    try:
        return table._meta.get_field(name)  # type: ignore[return-value]
    except FieldDoesNotExist:
        return None


def _shown_by(column: Any, source: str, *, is_null: bool) -> Any:
    options: dict[str, Any] = {"source": source, "read_only": True}
    if is_null:
        options |= {"allow_null": True, "default": None}
    if column.name != "public_id":
        return serializers.SlugField, options
    is_text = isinstance(column, CharField)
    return serializers.CharField if is_text else serializers.UUIDField, options
