"""Declarations of what a table holds about people, and what the erasure does with it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Model, Q, QuerySet
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

ALL: tuple[str, ...] = ()
"""Every column, except those that are never exported."""
ERASED = "(erased)"
"""Stands where a table demands a text."""
ACCOUNT = _("as long as the account")
CAMPAIGN = _("as long as the campaign")
LEDGER = _("always: pay is accounted for")
DATA_SET = _("part of the data set, which the campaign paid for; it stays without a name")


@dataclass(frozen=True, slots=True)
class Period:
    """A number of days that the operator sets, after which rows are emptied or deleted.

    Parameters
    ----------
    setting
        The name of the setting; 0 days keep them for ever.
    after
        From when the days count, in words.
    due
        Narrows rows to those that are due at a time, ``now`` minus the days.
    """

    setting: str
    after: Any
    due: Callable[[Any, datetime], Any]

    @property
    def days(self) -> int:
        return int(getattr(settings, self.setting))


@dataclass(frozen=True, slots=True)
class Identity:
    """An account that is to be erased, with all texts that name its person."""

    pk: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Holding:
    """What one table holds about people.

    Parameters
    ----------
    about
        Paths to the account that a row is about, each with the columns that this person gets in
        the export; ``ALL`` for all.
    wrote
        Paths to the account that wrote a text of the row, with the columns to be exported. Only
        these are erased with the writer.
    did
        Paths to accounts that did something to the row: the key stays, and there is nothing else.
    blank, word, random, zeroed
        Columns that the erasure empties, replaces by ``ERASED`` or by a random key, or sets to 0.
    renewed
        Columns that the erasure's service replaces itself.
    stays
        Reasons why columns stay, each with its columns.
    is_deleted
        Whether the erasure deletes the rows about the person.
    hidden
        Columns that nobody gets in the export.
    beside
        Further columns of the export, each with the path to it.
    shown_as
        How values of a column are exported, where people see others than are stored.
    withheld
        Why rows about a person are not in the export; empty if they are.
    further
        Rows about a person to which no path leads, by the texts that name the person.
    naming
        Columns of rows about a person that name them.
    function
        The function of the database that empties rows of a table with a history.
    eraser
        Deletes rows that no query can find; returns their number.
    release
        Gives back what the person holds, before any row is emptied.
    """

    model: type[Model]
    what: Any
    why: Any = ""
    kept: Any = ""
    period: Period | None = None
    about: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wrote: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    did: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()
    word: tuple[str, ...] = ()
    random: tuple[str, ...] = ()
    zeroed: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    stays: Mapping[Any, tuple[str, ...]] = field(default_factory=dict)
    is_deleted: bool = False
    hidden: tuple[str, ...] = ()
    beside: Mapping[str, str] = field(default_factory=dict)
    shown_as: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    withheld: Any = ""
    further: Callable[[Identity], Q] | None = None
    naming: tuple[str, ...] = ()
    function: str = ""
    eraser: Callable[[int], int] | None = None
    release: Callable[[int], None] | None = None

    @property
    def table(self) -> str:
        return str(self.model._meta.label)

    @property
    def app(self) -> str:
        """The app that declares it: tables of other projects belong to ``workers``."""
        label = self.model._meta.app_label
        return label if self.model.__module__.startswith(label) else "workers"

    @property
    def is_personal(self) -> bool:
        return bool(self.about or self.wrote or self.did or self.further or self.eraser)

    @property
    def keeps_rows(self) -> bool:
        """Whether rows about people stay, with texts that may be emptied."""
        return self.is_personal and not self.is_deleted

    @property
    def emptied(self) -> tuple[str, ...]:
        """The columns whose content the erasure removes."""
        return (*self.blank, *self.word, *self.random, *self.zeroed, *self.renewed)

    def rows(self, paths: Iterable[str], person: Identity) -> "QuerySet[Any]":
        """Return the rows from which one of *paths* leads to the person."""
        return self._where(_leading(paths, person))

    def rows_about(self, person: Identity) -> "QuerySet[Any]":
        """Return the rows about the person, also those to which no path leads."""
        return self._where(self._about(person))

    def rows_tied(self, person: Identity) -> "QuerySet[Any]":
        """Return the rows about the person, and those with a text of theirs."""
        return self._where(self._about(person) | _leading(self.wrote, person))

    def _about(self, person: Identity) -> Q:
        further = self.further(person) if self.further is not None else Q()
        return _leading(self.about, person) | further

    def _where(self, tied: Q) -> "QuerySet[Any]":
        return self.model._base_manager.filter(tied) if tied else self.model._base_manager.none()


def _leading(paths: Iterable[str], person: Identity) -> Q:
    return Q(*[(path, person.pk) for path in paths], _connector=Q.OR)


_registry: dict[type[Model], Holding] = {}


def hold(model: type[Model], what: Any, why: Any, kept: Any, **declared: Any) -> None:
    """Declare what a table holds about people; *kept* is a `Period` or words."""
    period = kept if isinstance(kept, Period) else None
    words = {} if period else {"kept": kept}
    _register(Holding(model=model, what=what, why=why, period=period, **words, **declared))


def no_person(what: Any, *tables: type[Model]) -> None:
    """Declare that tables hold nothing about people."""
    for model in tables:
        _register(Holding(model=model, what=what))


def _register(holding: Holding) -> None:
    assert holding.model not in _registry, f"{holding.table} is declared twice"
    _registry[holding.model] = holding


def holdings() -> list[Holding]:
    """Return the declarations of all apps, in the order in which rows can be deleted."""
    autodiscover_modules("personal_data")
    return list(_registry.values())


def identity(account: int) -> Identity:
    """Return an account with the texts that name its person, longest first."""
    plain = Identity(account)
    names: set[str] = set()
    for holding in holdings():
        if holding.naming:
            rows = holding.rows(holding.about, plain)
            for values in rows.values_list(*holding.naming):
                names |= {str(value) for value in values if value}
    return Identity(account, tuple(sorted(names, key=lambda name: (-len(name), name))))


def undeclared() -> Iterator[str]:
    """Yield what the declarations lack: tables, references to accounts, and columns of text."""
    from django.apps import apps

    declared = {holding.model: holding for holding in holdings()}
    for model in apps.get_models(include_auto_created=True):
        if model not in declared:
            yield f"{model._meta.label}: not declared"
            continue
        yield from _gaps(declared.pop(model))
    yield from (f"{holding.table}: no such table" for holding in declared.values())


def _gaps(holding: Holding) -> Iterator[str]:
    declared = {*holding.about, *holding.wrote, *holding.did}
    covered = {*holding.emptied, *(name for names in holding.stays.values() for name in names)}
    for column in holding.model._meta.get_fields():
        if not column.concrete:
            continue
        if str(getattr(column.related_model, "_meta", "")) == "workers.user":
            if column.name not in declared:
                yield f"{holding.table}.{column.name}: a reference to an account"
        elif holding.keeps_rows and is_text(column) and column.name not in covered:
            yield f"{holding.table}.{column.name}: a text"
    named = {column.name for column in holding.model._meta.get_fields()}
    yield from (f"{holding.table}.{name}: no such column" for name in sorted(covered - named))


def is_text(column: Any) -> bool:
    """Return whether people or programs may write anything into a column."""
    if column.is_relation or getattr(column, "choices", None):
        return False
    if isinstance(column, ArrayField):
        return is_text(column.base_field)
    kinds = (models.CharField, models.TextField, models.JSONField, models.GenericIPAddressField)
    return isinstance(column, (*kinds, models.FileField, models.BinaryField))
