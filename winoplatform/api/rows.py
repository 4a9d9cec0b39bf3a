"""Serializers of rows of the database."""

from copy import deepcopy
from typing import Any

from rest_framework import serializers

from winoplatform.api.results import column_of, field_at, paths_of


class RowSerializer(serializers.ModelSerializer[Any]):
    # A row: its ``id`` is its public id, and a row that it refers to is shown by its key. The API's
    # description would have a docstring for each subclass. For paths in ``Meta.fields``,
    # ``Meta.paths`` and ``Meta.help`` see ``ResultSerializer``.

    def get_uniqueness_extra_kwargs(self, *args: Any) -> Any:
        # Of columns of a constraint DRF would show defaults, which only a request has.
        _names, _declared, extra_kwargs = args
        texts = getattr(self.Meta, "help", {})
        helped = {name: {"help_text": text} for name, text in texts.items()}
        return extra_kwargs | helped, {}

    def get_field_names(self, *args: Any) -> Any:
        self.paths = paths_of(self.Meta, super().get_field_names(*args))
        return list(self.paths)

    def build_field(self, field_name: str, info: Any, model_class: Any, nested_depth: int) -> Any:
        path = self.paths[field_name]
        column = column_of(model_class, path)
        is_own = column is not None and (not column.is_relation or column.many_to_many)
        if is_own and path == field_name != "id":
            return super().build_field(field_name, info, model_class, nested_depth)
        built = field_at(model_class, path, name=field_name)
        read_only = {"read_only": True} if path == field_name else {}
        # A copy: the field of a list's values may stand in one list only.
        return type(built), deepcopy(built._kwargs) | read_only
