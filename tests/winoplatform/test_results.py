"""Serializers of responses follow from the dataclasses that they show."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from rest_framework import serializers

from validation.models import Vote
from winoplatform.api.results import ResultSerializer, result_serializer


@dataclass(frozen=True)
class Part:
    """A part."""

    name: str


@dataclass(frozen=True)
class Whole:
    """A whole with its parts.

    Parameters
    ----------
    low, high : float or None
        None if ``n`` is 0.
    """

    low: float | None
    high: float | None
    n: int
    parts: tuple[Part, ...]
    counts: Mapping[str, int]
    rest: Part | None = None

    @property
    def pay(self) -> Decimal:
        return Decimal("0.4") * self.n


class WholeWithPaySerializer(ResultSerializer):
    class Meta:
        of = Whole
        fields = ("n", "pay")
        help = {"pay": "Of all parts."}


WHOLE = Whole(None, None, 2, (Part("a"),), {"a": 1})


def test_every_field_is_shown_as_a_value_of_its_type() -> None:
    assert result_serializer(Whole)(WHOLE).data == {
        "low": None, "high": None, "n": 2, "parts": [{"name": "a"}], "counts": {"a": 1},
        "rest": None,
    }  # fmt: skip


def test_texts_come_from_the_docstring_and_speak_of_json() -> None:
    fields = result_serializer(Whole)().fields
    assert fields["high"].help_text == "Null if `n` is 0."
    assert fields["high"].allow_null
    assert fields["rest"].required  # in a response, also what has a default
    assert result_serializer(Whole).__doc__ == "A whole with its parts."


class OfAVoteSerializer(ResultSerializer):
    class Meta:
        of = Vote
        fields = ("worker", "question.sentence", "question.verdict.valid", "twin")
        paths = {"twin": "question.twin.public_id"}
        help = {"sentence": "As shown."}


def test_paths_show_columns_of_other_rows_and_rows_by_their_keys() -> None:
    fields = OfAVoteSerializer().fields
    assert {name: field.source for name, field in fields.items()} == {
        "worker": "worker.public_id", "sentence": "question.sentence",
        "valid": "question.verdict.valid", "twin": "question.twin.public_id",
    }  # fmt: skip
    assert isinstance(fields["valid"], serializers.BooleanField)
    assert fields["sentence"].help_text == "As shown."


def test_what_a_missing_row_may_hide_is_null_and_not_required() -> None:
    fields = OfAVoteSerializer().fields
    assert (fields["valid"].allow_null, fields["valid"].required) == (True, False)
    assert (fields["twin"].allow_null, fields["twin"].required) == (False, True)


def test_a_property_is_shown_where_it_is_named() -> None:
    shown = WholeWithPaySerializer(WHOLE)
    assert shown.data == {"n": 2, "pay": "0.80"}
    assert shown.fields["pay"].help_text == "Of all parts."
    assert isinstance(shown.fields["n"], serializers.IntegerField)
