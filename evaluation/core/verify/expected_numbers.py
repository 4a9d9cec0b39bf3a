"""The numbers that a methods section must have, from what the files of a release tell.

It shares no code with `evaluation.core.paper_kit`, which writes the section: this module is a list
of the sentences' numbers in their order, and reads no text but what people gave.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import groupby
from typing import Any

from corpora.core.bundle.reading import Bundle
from corpora.core.bundle.wording import one_line
from evaluation.core.verify.numbers import numbers, plain

Facts = Mapping[str, Any]
Sentences = Iterator[tuple[str, list[str]]]
WHOLE = ("train_xl", "dev", "test")
SMALLER = ("train_xs", "train_s", "train_m", "train_l")
FRESH = ("above", "below", "none")


def expected_numbers(bundle: Bundle, facts: Facts) -> dict[str, list[str]]:
    """Return the numbers of each sentence, by its key; a sentence without any has an empty list.

    Parameters
    ----------
    bundle : Bundle
    facts : mapping
        The manifest as the files tell it, see `recomputing.recomputed`.
    """
    parts = (
        _data_set(facts),
        _collection(facts),
        _validation(facts),
        _agreement(facts["agreement"]),
        _pay(facts["collection"]),
        _filter(facts),
        _people(facts["human"]),
        _position(bundle, facts),
        _leaks(facts["leaks"]),
        _texts(facts),
    )
    return {key: of for part in parts for key, of in part}


def _flat(parts: Iterable[list[str]]) -> list[str]:
    return [number for part in parts for number in part]


def plain_numbers(*values: float) -> list[str]:
    """Return values in the form of `numbers`."""
    return [plain(Decimal(str(value))) for value in values]


def fixed(value: float, digits: int) -> str:
    """Return a value that is rounded to some digits after the point."""
    return plain(Decimal(f"{value:.{digits}f}"))


def _share(part: int, whole: int) -> str:
    return f"{fixed(100 * part / whole, 1)}%"


def in_texts(*texts: object) -> list[str]:
    """Return the numbers in texts that people gave."""
    return [number for text in texts for number in numbers(one_line(str(text)))]


def _data_set(facts: Facts) -> Sentences:
    splits = {stem: facts["splits"][stem] for stem in WHOLE if stem in facts["splits"]}
    total = sum(split["questions"] for split in splits.values())
    built = facts["built_at"][:10]
    yield (
        "data.name",
        [*in_texts(facts["title"], facts["name"]), facts["version"], built, *plain_numbers(total)],
    )
    sizes = (plain_numbers(of["questions"], of["pairs"], of["unpaired"]) for of in splits.values())
    yield "data.splits", _flat(sizes)
    smaller = [facts["splits"][stem]["questions"] for stem in SMALLER if stem in facts["splits"]]
    yield "data.sizes", plain_numbers(*smaller)
    means = [of["mean_words"] for of in splits.values() if of["mean_words"] is not None]
    yield "data.length", [fixed(mean, 2) for mean in means]
    if facts["repeats"] is not None:
        yield (
            "data.repeats",
            plain_numbers(facts["repeats"]["questions"], facts["repeats"]["repeated"]),
        )
    out = facts["left_out"]
    if out:
        listed = _flat(plain_numbers(out[why]) + _unless(why, REASONS) for why in sorted(out))
        yield (
            "data.left_out",
            plain_numbers(facts["snapshot"]["questions"], sum(out.values())) + listed,
        )


REASONS = ("withheld", "in_validation", "near_duplicate", "blind_not_published", "not_selected")


def _unless(name: str, known: Iterable[str]) -> list[str]:
    """Return the numbers in a name that is written as it is, since no words are known for it."""
    return [] if name in known else in_texts(name)


def _collection(facts: Facts) -> Sentences:
    about = facts["collection"]
    n, written = about["questions"], about["written"]
    source = plain_numbers(n) if n else []
    if written:
        source += (
            plain_numbers(about["writers"])
            if written == n
            else plain_numbers(written, about["writers"], n - written)
        )
        months = [about[name] for name in ("first_written", "last_written")]
        if None not in months:
            yield "collection.months", list(dict.fromkeys(months))
        for place, rules in enumerate(about["rules"], 1):
            yield f"collection.rules.{place}", _rules(rules)
        yield from _versions(about, "writing")
    yield "collection.source", source
    ways = facts["origin"]["questions"]
    known = ("typed", "pasted", "unknown")
    origin = (plain_numbers(ways[way]) + _unless(way, known) for way in sorted(ways))
    yield "collection.origin", _flat(origin)
    for place, counts in enumerate(facts.get("background") or (), 1):
        answers = _flat(
            in_texts(option) + plain_numbers(counts["lines"][option])
            for option in sorted(counts["lines"])
        )
        rest = [] if counts["rest"] is None else plain_numbers(counts["rest"])
        told = (
            plain_numbers(counts["people"])
            + in_texts(counts["text"])
            + answers
            + rest
            + plain_numbers(counts["least"])
        )
        yield f"collection.background.{place}", told


def _rules(rules: Facts) -> list[str]:
    overlap = plain(Decimal(format(100 * rules["min_overlap"], ".4g"))) + "%"
    words = plain_numbers(rules["questions"], rules["min_words"], rules["max_words"])
    return [
        *words,
        overlap,
        *plain_numbers(rules["votes_per_question"]),
        *in_texts(rules["verdict_policy"]),
    ]


def _versions(about: Facts, work: str) -> Sentences:
    versions = about["guidelines"].get(work, {})
    told = _flat(in_texts(name) + plain_numbers(versions[name]) for name in sorted(versions))
    yield f"guidelines.{work}", told


def _validation(facts: Facts) -> Sentences:
    about = facts["collection"]
    ways = groupby(about["decided"], key=lambda way: (way["by"], way["policy"], way["version"]))
    for place, ((by, policy, version), group) in enumerate(ways, 1):
        counts = [(way["questions"], way["votes"]) for way in group]
        how = [*in_texts(policy), *plain_numbers(version)] if by == "votes" else []
        told = plain_numbers(sum(questions for questions, _ in counts)) + how
        yield f"validation.decided.{place}", told + _flat(plain_numbers(*both) for both in counts)
    votes = about["votes"] + about["votes_excluded"]
    if votes:
        more = (about["votes_excluded"], about["votes_additional"])
        yield "validation.votes", plain_numbers(about["validators"], votes, *more)
        yield from _versions(about, "validating")
    if about.get("erased"):
        yield "validation.erased", plain_numbers(about["erased"])
    blind = facts["splits"].get("test", {"questions": 0})["questions"]
    if blind:
        yield "validation.blind", plain_numbers(blind, facts["commitments"])


def _agreement(figures: Mapping[str, Facts]) -> Sentences:
    for part in ("answer", "ambiguity", "local"):
        names = [f"{part}_{measure}" for measure in ("raw", "alpha", "kappa")]
        told = (_figure(figures[name]) for name in names if name in figures)
        yield f"agreement.{part}", _flat(told)


def _figure(figure: Facts) -> list[str]:
    if figure["value"] is None:
        return plain_numbers(figure["n"])
    ends = [figure["low"], figure["high"]]
    interval = [] if None in ends else ["95%", *(fixed(end, 3) for end in ends)]
    return [fixed(figure["value"], 3), *interval, *plain_numbers(figure["n"])]


def _pay(about: Facts) -> Sentences:
    did = {"writing": about["written"], "validating": about["votes"] + about["votes_excluded"]}
    currency = about["currency"]
    for work in (work for work, n in did.items() if n):
        amounts = about["pay"].get(work, {})
        told = (
            ([plain(Decimal(amount)), *in_texts(currency)] if amount else [])
            + plain_numbers(amounts[amount])
            for amount in sorted(amounts)
        )
        yield f"pay.{work}", _flat(told)
        hour = about["hourly_pay"].get(work)
        if hour is not None and hour["median"] is not None:
            rate = plain(Decimal(hour["median"]))
            yield f"pay.hourly.{work}", [rate, *in_texts(currency), *plain_numbers(hour["n"])]


def _filter(facts: Facts) -> Sentences:
    selection = facts["selection"]
    if selection is None:
        return
    settings = selection.get("filter")
    settings = settings if isinstance(settings, Mapping) else {}
    if isinstance(settings.get("kept"), int):
        yield "filter.kept", plain_numbers(settings["kept"], facts["snapshot"]["questions"])
    yield "filter.settings", [*_settings(settings)]
    encoding = selection.get("encoding")
    if isinstance(encoding, Mapping) and "encoder" in encoding:
        yield "filter.encoder", in_texts(encoding["encoder"])
    splits = facts["splits"]
    if {"train_xl", "train_debiased"} <= splits.keys():
        told = (
            splits[stem][key]
            for stem in ("train_xl", "train_debiased")
            for key in ("questions", "pairs")
        )
        yield "filter.sizes", plain_numbers(*told)
    fresh = settings.get("fresh_models")
    for when, side in fresh.items() if isinstance(fresh, Mapping) else ():
        if isinstance(side, Mapping) and side.get("direction") in FRESH:
            numbers_of = plain_numbers(side["n"]) if isinstance(side.get("n"), int) else []
            if side["direction"] == "none" and isinstance(side.get("detectable"), float):
                numbers_of += [fixed(side["detectable"], 3), "80%"]
            yield f"filter.{when}", numbers_of


def _settings(settings: Facts, before: str = "") -> Iterator[str]:
    """Yield the numbers in the settings' names and values, in their order."""
    for key, value in settings.items():
        name = f"{before}{key}"
        if not before and (key == "fresh_models" or key.startswith("kept")):
            continue
        if isinstance(value, Mapping):
            yield from _settings(value, f"{name}.")
        elif not name.endswith("sha256"):
            listed = value if isinstance(value, list) else ["none" if value is None else value]
            yield from in_texts(name, ", ".join(map(str, listed)))


def _people(human: list[Facts]) -> Sentences:
    for place, one in enumerate(human, 1):
        where = in_texts(one["split"], one["release"])
        if not one["release"] and one["split"] == "all":
            where = []
        shares = (one[name] for name in ("individual", "majority", "group"))
        told = _flat(_figure(share) for share in shares if share is not None)
        counts = plain_numbers(one["people"], one["votes"], one["questions"])
        yield f"people.performance.{place}", counts + where + told
    yield "baselines.chance", ["50%", "25%"]


def _position(bundle: Bundle, facts: Facts) -> Sentences:
    position = position_of(bundle, facts)
    if position is None:
        return
    option, right, n, both, pairs = position
    told = [option, *plain_numbers(right, n), _share(right, n)]
    if pairs:
        told += [*plain_numbers(both, pairs), _share(both, pairs)]
    yield "baselines.position", told


def position_of(bundle: Bundle, facts: Facts) -> tuple[str, int, int, int, int] | None:
    """Count how often the more frequent answer is right, again from the lists of labels.

    Returns
    -------
    tuple, or None
        The option, how many questions of dev it answers and of how many, and how many pairs of how
        many. None where training or dev has no questions.
    """
    if not all(facts["splits"].get(stem, {}).get("questions") for stem in ("train_xl", "dev")):
        return None
    training = Counter(bundle.lines("train_xl-labels.lst"))
    option = b"2" if training[b"2"] > training[b"1"] else b"1"
    labels = [*bundle.lines("dev-labels.lst")]
    twins: dict[str, list[bytes]] = {}
    for row, label in zip(bundle.rows("dev.jsonl"), labels, strict=True):
        twins.setdefault(row["qID"][: row["qID"].rindex("-")], []).append(label)
    pairs = [of for of in twins.values() if len(of) == 2]
    both = sum(of == [option, option] for of in pairs)
    return option.decode(), labels.count(option), len(labels), both, len(pairs)


def _leaks(report: Facts | None) -> Sentences:
    if report is None:
        return
    yield "leaks.publication", plain_numbers(report["tests"], len(report["found"]))
    if report.get("texts"):
        yield "leaks.texts", plain_numbers(len(report["texts"]), len(report["text_found"]))
    yield "leaks.alpha", plain_numbers(report["alpha"])


def _texts(facts: Facts) -> Sentences:
    """Yield the numbers in what people gave, or other checks have compared."""
    people = facts.get("people", {"origins": [], "platforms": []})
    for place, origin in enumerate(people["origins"], 1):
        yield f"people.{place}", in_texts(*people["platforms"]) if origin == "crowd" else []
    for place, text in enumerate((*facts["warnings"], *facts["limits"]), 1):
        yield f"limits.{place}", in_texts(text)
    stated = facts.get("statements", {})
    names = ("contact", "population", "consent", "ethics_review", "social_impact", "funding")
    for name in names:
        yield f"stated.{name}", in_texts(stated.get(name) or "")
    yield "stated.licence", in_texts(facts["licence"])
