"""The numbers that the tables of a paper kit must have, from what the files of a release tell.

As `expected_numbers`, it shares no code with what writes the tables.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from corpora.core.bundle.layout import STEMS
from corpora.core.bundle.reading import Bundle
from evaluation.core.verify.expected_numbers import fixed, in_texts, plain_numbers, position_of
from evaluation.core.verify.numbers import numbers

Facts = Mapping[str, Any]
Row = list[str]
UNTOLD = "table.filter-settings"
"""The key of a table that no file but the manifest tells."""


def expected_tables(bundle: Bundle, facts: Facts) -> dict[str, list[Row]]:
    """Return the numbers in the rows of each table, by its key, without rows that have none.

    Parameters
    ----------
    bundle : Bundle
    facts : mapping
        The manifest as the files tell it, see `recomputing.recomputed`.
    """
    made = {
        "statistics": _statistics(facts["splits"]),
        "agreement": _agreement(facts["agreement"]),
        "pay": _pay(facts["collection"]),
        "filter": _filter(facts),
        "baselines": _baselines(bundle, facts),
        "people": _people(facts["human"]),
    }
    return {f"table.{name}": [row for row in rows if row] for name, rows in made.items()}


def _statistics(splits: Facts) -> Iterator[Row]:
    yield ["1"]  # the option in the head
    for of in (splits[stem] for stem in STEMS if stem in splits):
        sizes = plain_numbers(of["questions"], of["pairs"], of["unpaired"])
        labels = [] if of["label_1"] is None else plain_numbers(of["label_1"])
        means = [fixed(of[key], 2) for key in ("mean_words", "mean_tokens") if of[key] is not None]
        vocabulary = [] if of["vocabulary"] is None else plain_numbers(of["vocabulary"])
        yield [*sizes, *labels, *means, *vocabulary]


def _agreement(figures: Mapping[str, Facts]) -> Iterator[Row]:
    names = [
        f"{part}_{measure}"
        for part in ("answer", "ambiguity", "local")
        for measure in ("raw", "alpha", "kappa")
    ]
    if figures:
        yield ["95%"]
    for name in names:
        if name in figures:
            yield _figure(figures[name])


def _figure(figure: Facts | None) -> Row:
    if figure is None:
        return ["0"]
    if figure["value"] is None:
        return plain_numbers(figure["n"])
    ends = _ends(figure["low"], figure["high"])
    return [fixed(figure["value"], 3), *ends, *plain_numbers(figure["n"])]


def _ends(low: float | None, high: float | None) -> Row:
    return [] if low is None or high is None else [fixed(low, 3), fixed(high, 3)]


def _pay(about: Facts) -> Iterator[Row]:
    for work in ("writing", "validating"):
        amounts = about["pay"].get(work, {})
        for amount in sorted(amounts):
            paid = f"{amount} {about['currency']}" if amount else ""
            yield [*numbers(paid), *plain_numbers(amounts[amount])]
        hour = about["hourly_pay"].get(work)
        if hour is not None and hour["median"] is not None:
            paid = f"{hour['median']} {about['currency']}"
            yield [*numbers(paid), *plain_numbers(hour["n"])]


def _filter(facts: Facts) -> Iterator[Row]:
    splits, selection = facts["splits"], facts["selection"]
    if selection is None:
        return
    if {"train_xl", "train_debiased"} <= splits.keys():
        both = [splits[stem] for stem in ("train_xl", "train_debiased")]
        for key in ("questions", "pairs", "vocabulary"):
            yield plain_numbers(*(of[key] for of in both))
    settings = selection.get("filter")
    fresh = settings.get("fresh_models") if isinstance(settings, Mapping) else None
    if not isinstance(fresh, Mapping):
        return
    sides = [fresh.get(when) for when in ("before", "after")]
    told = [side if isinstance(side, Mapping) else {} for side in sides]
    for key in ("direction", "n", "detectable"):
        yield [number for side in told for number in _cell(side.get(key))]


def _cell(value: object) -> Row:
    if isinstance(value, float):
        return [fixed(value, 3)]
    return plain_numbers(value) if isinstance(value, int) else in_texts(value or "")


def _baselines(bundle: Bundle, facts: Facts) -> Iterator[Row]:
    if not facts["splits"].get("dev", {}).get("questions"):
        return
    yield ["0.5", "0.25"]
    position = position_of(bundle, facts)
    if position is not None:
        option, right, n, both, pairs = position
        yield [option, fixed(right / n, 3), *([fixed(both / pairs, 3)] if pairs else [])]
    for human in facts["human"]:
        shares = (human[name] for name in ("majority", "group"))
        values = [share["value"] for share in shares if share is not None]
        yield [*_whom(human), *(fixed(value, 3) for value in values if value is not None)]


def _whom(human: Facts) -> Row:
    return in_texts(f"{human['release']} {human['split']}".strip())


def _people(human: list[Facts]) -> Iterator[Row]:
    if human:
        yield ["95%"]
    for one in human:
        for name in ("individual", "majority", "group"):
            figure = one[name]
            likely = _ends(figure["people_low"], figure["people_high"]) if figure else []
            yield [*_whom(one), *_figure(figure), *likely, *plain_numbers(one["people"])]
