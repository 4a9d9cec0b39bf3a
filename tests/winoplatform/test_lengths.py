"""Every text from outside has a longest length, which is checked before the text is parsed."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django import forms
from django.apps import apps
from django.conf import settings
from rest_framework import serializers

from tests.access.routes import every_route

NOT_TEXT = (
    forms.ChoiceField,
    forms.ModelChoiceField,
    forms.UUIDField,
    serializers.ChoiceField,
)
# Named elsewhere: docs/rules.md lists what bounds each.
OTHERWISE: dict[str, str] = {
    "frontend.account.views.AddPasskeyForm.credential": "JSON; the body of a request is bounded",
    **{
        f"frontend.account.views.{field}": "`BoundedPasswords` bounds it when the form is made"
        for field in (
            "SignInForm.password", "ReauthenticateForm.password", "ChangePasswordForm.oldpassword",
            "ChangePasswordForm.password1", "ChangePasswordForm.password2",
            "SetPasswordForm.password1", "SetPasswordForm.password2", "NewPasswordForm.password1",
            "NewPasswordForm.password2",
        )
    },
}  # fmt: skip


def classes(base: type) -> Iterator[type]:
    """Yield the platform's own subclasses of *base*, of every module of its apps."""
    ours = [c for c in apps.get_app_configs() if Path(c.path).parent == settings.BASE_DIR]
    for config in ours:
        for found in pkgutil.walk_packages(config.module.__path__, f"{config.name}."):
            if ".migrations" not in found.name and ".stand_alone" not in found.name:
                importlib.import_module(found.name)
    names = {config.name for config in ours}
    for one in _below(base):
        if one.__module__.partition(".")[0] in names:
            yield one


def _below(base: type) -> Iterator[type]:
    for one in base.__subclasses__():
        yield one
        yield from _below(one)


def unbounded(field: Any) -> bool:
    """Return whether a field takes text of any length."""
    if isinstance(field, serializers.ListField | serializers.DictField):
        return unbounded(field.child)
    if isinstance(field, serializers.JSONField):
        return True
    is_text = isinstance(field, forms.CharField | serializers.CharField)
    return is_text and not isinstance(field, NOT_TEXT) and field.max_length is None


def form_fields() -> Iterator[tuple[str, Any]]:
    for form in classes(forms.BaseForm):
        for name, field in form.base_fields.items():
            yield f"{form.__module__}.{form.__qualname__}.{name}", field


def taken() -> Iterator[type]:
    """Yield the serializers of what the API takes: bodies, and parameters in the address."""
    for route in every_route():
        view = getattr(route.answers, "view_class", None)
        for said in (getattr(view, "takes", None), getattr(view, "query", None)):
            several = said.values() if isinstance(said, dict) else said
            for one in several if isinstance(several, Iterable) else [several]:
                if isinstance(one, type):
                    yield one


def serializer_fields() -> Iterator[tuple[str, Any]]:
    for kind in set(taken()):
        yield from _inner(f"{kind.__module__}.{kind.__qualname__}", kind())


def _inner(name: str, field: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(field, serializers.Serializer):
        for inner, one in field.fields.items():
            if not one.read_only:
                yield from _inner(f"{name}.{inner}", one)
    elif isinstance(field, serializers.ListSerializer | serializers.ListField):
        yield from _inner(name, field.child)
    else:
        yield name, field


def without_maximum(fields: Iterator[tuple[str, Any]]) -> list[str]:
    return sorted({name for name, field in fields if unbounded(field)} - OTHERWISE.keys())


def test_every_text_of_a_form_has_a_maximum() -> None:
    assert without_maximum(form_fields()) == []


def test_every_text_of_the_api_has_a_maximum() -> None:
    assert without_maximum(serializer_fields()) == []
