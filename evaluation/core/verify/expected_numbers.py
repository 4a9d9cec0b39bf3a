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


def _n(*values: float) -> list[str]:
    return [plain(Decimal(str(value))) for value in values]


def _fixed(value: float, digits: int) -> str:
    return plain(Decimal(f"{value:.{digits}f}"))


def _share(part: int, whole: int) -> str:
    return f"{_fixed(100 * part / whole, 1)}%"


def _in(*texts: object) -> list[str]:
    return [number for text in texts for number in numbers(one_line(str(text)))]


def _data_set(facts: Facts) -> Sentences:
    splits = {stem: facts["splits"][stem] for stem in WHOLE if stem in facts["splits"]}
    total = sum(split["questions"] for split in splits.values())
    built = facts["built_at"][:10]
    yield "data.name", [*_in(facts["title"], facts["name"]), facts["version"], built, *_n(total)]
    sizes = (_n(of["questions"], of["pairs"], of["unpaired"]) for of in splits.values())
    yield "data.splits", _flat(sizes)
    smaller = [facts["splits"][stem]["questions"] for stem in SMALLER if stem in facts["splits"]]
    yield "data.sizes", _n(*smaller)
    means = [of["mean_words"] for of in splits.values() if of["mean_words"] is not None]
    yield "data.length", [_fixed(mean, 2) for mean in means]
    if facts["repeats"] is not None:
        yield "data.repeats", _n(facts["repeats"]["questions"], facts["repeats"]["repeated"])
    out = facts["left_out"]
    if out:
        listed = _flat(_n(out[why]) + _unless(why, REASONS) for why in sorted(out))
        yield "data.left_out", _n(facts["snapshot"]["questions"], sum(out.values())) + listed


REASONS = ("withheld", "in_validation", "near_duplicate", "blind_not_published", "not_selected")


def _unless(name: str, known: Iterable[str]) -> list[str]:
    """Return the numbers in a name that is written as it is, since no words are known for it."""
    return [] if name in known else _in(name)


def _collection(facts: Facts) -> Sentences:
    about = facts["collection"]
    n, written = about["questions"], about["written"]
    source = _n(n) if n else []
    if written:
        source += (
            _n(about["writers"]) if written == n else _n(written, about["writers"], n - written)
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
    origin = (_n(ways[way]) + _unless(way, known) for way in sorted(ways))
    yield "collection.origin", _flat(origin)
    for place, counts in enumerate(facts.get("background") or (), 1):
        answers = _flat(
            _in(option) + _n(counts["lines"][option]) for option in sorted(counts["lines"])
        )
        rest = [] if counts["rest"] is None else _n(counts["rest"])
        told = _n(counts["people"]) + _in(counts["text"]) + answers + rest + _n(counts["least"])
        yield f"collection.background.{place}", told


def _rules(rules: Facts) -> list[str]:
    overlap = plain(Decimal(format(100 * rules["min_overlap"], ".4g"))) + "%"
    words = _n(rules["questions"], rules["min_words"], rules["max_words"])
    return [*words, overlap, *_n(rules["votes_per_question"]), *_in(rules["verdict_policy"])]


def _versions(about: Facts, work: str) -> Sentences:
    versions = about["guidelines"].get(work, {})
    told = _flat(_in(name) + _n(versions[name]) for name in sorted(versions))
    yield f"guidelines.{work}", told


def _validation(facts: Facts) -> Sentences:
    about = facts["collection"]
    ways = groupby(about["decided"], key=lambda way: (way["by"], way["policy"], way["version"]))
    for place, ((by, policy, version), group) in enumerate(ways, 1):
        counts = [(way["questions"], way["votes"]) for way in group]
        how = [*_in(policy), *_n(version)] if by == "votes" else []
        told = _n(sum(questions for questions, _ in counts)) + how
        yield f"validation.decided.{place}", told + _flat(_n(*both) for both in counts)
    votes = about["votes"] + about["votes_excluded"]
    if votes:
        more = (about["votes_excluded"], about["votes_additional"])
        yield "validation.votes", _n(about["validators"], votes, *more)
        yield from _versions(about, "validating")
    if about.get("erased"):
        yield "validation.erased", _n(about["erased"])
    blind = facts["splits"].get("test", {"questions": 0})["questions"]
    if blind:
        yield "validation.blind", _n(blind, facts["commitments"])


def _agreement(figures: Mapping[str, Facts]) -> Sentences:
    for part in ("answer", "ambiguity", "local"):
        names = [f"{part}_{measure}" for measure in ("raw", "alpha", "kappa")]
        told = (_figure(figures[name]) for name in names if name in figures)
        yield f"agreement.{part}", _flat(told)


def _figure(figure: Facts) -> list[str]:
    if figure["value"] is None:
        return _n(figure["n"])
    ends = [figure["low"], figure["high"]]
    interval = [] if None in ends else ["95%", *(_fixed(end, 3) for end in ends)]
    return [_fixed(figure["value"], 3), *interval, *_n(figure["n"])]


def _pay(about: Facts) -> Sentences:
    did = {"writing": about["written"], "validating": about["votes"] + about["votes_excluded"]}
    currency = about["currency"]
    for work in (work for work, n in did.items() if n):
        amounts = about["pay"].get(work, {})
        told = (
            ([plain(Decimal(amount)), *_in(currency)] if amount else []) + _n(amounts[amount])
            for amount in sorted(amounts)
        )
        yield f"pay.{work}", _flat(told)
        hour = about["hourly_pay"].get(work)
        if hour is not None and hour["median"] is not None:
            rate = plain(Decimal(hour["median"]))
            yield f"pay.hourly.{work}", [rate, *_in(currency), *_n(hour["n"])]


def _filter(facts: Facts) -> Sentences:
    selection = facts["selection"]
    if selection is None:
        return
    settings = selection.get("filter")
    settings = settings if isinstance(settings, Mapping) else {}
    if isinstance(settings.get("kept"), int):
        yield "filter.kept", _n(settings["kept"], facts["snapshot"]["questions"])
    yield "filter.settings", [*_settings(settings)]
    encoding = selection.get("encoding")
    if isinstance(encoding, Mapping) and "encoder" in encoding:
        yield "filter.encoder", _in(encoding["encoder"])
    splits = facts["splits"]
    if {"train_xl", "train_debiased"} <= splits.keys():
        told = (
            splits[stem][key]
            for stem in ("train_xl", "train_debiased")
            for key in ("questions", "pairs")
        )
        yield "filter.sizes", _n(*told)
    fresh = settings.get("fresh_models")
    for when, side in fresh.items() if isinstance(fresh, Mapping) else ():
        if isinstance(side, Mapping) and side.get("direction") in FRESH:
            numbers_of = _n(side["n"]) if isinstance(side.get("n"), int) else []
            if side["direction"] == "none" and isinstance(side.get("detectable"), float):
                numbers_of += [_fixed(side["detectable"], 3), "80%"]
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
            yield from _in(name, ", ".join(map(str, listed)))


def _people(human: list[Facts]) -> Sentences:
    for place, one in enumerate(human, 1):
        where = _in(one["split"], one["release"])
        if not one["release"] and one["split"] == "all":
            where = []
        shares = (one[name] for name in ("individual", "majority", "group"))
        told = _flat(_figure(share) for share in shares if share is not None)
        counts = _n(one["people"], one["votes"], one["questions"])
        yield f"people.performance.{place}", counts + where + told
    yield "baselines.chance", ["50%", "25%"]


def _position(bundle: Bundle, facts: Facts) -> Sentences:
    """Yield the figures of the more frequent answer, counted again from the lists of labels."""
    if not all(facts["splits"].get(stem, {}).get("questions") for stem in ("train_xl", "dev")):
        return
    training = Counter(bundle.lines("train_xl-labels.lst"))
    option = b"2" if training[b"2"] > training[b"1"] else b"1"
    labels = [*bundle.lines("dev-labels.lst")]
    twins: dict[str, set[bytes]] = {}
    n_of: Counter[str] = Counter()
    for row, label in zip(bundle.rows("dev.jsonl"), labels, strict=True):
        twin = row["qID"][: row["qID"].rindex("-")]
        n_of[twin] += 1
        twins.setdefault(twin, set()).add(label)
    pairs = [twin for twin, n in n_of.items() if n == 2]
    both = sum(twins[twin] == {option} for twin in pairs)
    right = labels.count(option)
    told = [option.decode(), *_n(right, len(labels)), _share(right, len(labels))]
    if pairs:
        told += [*_n(both, len(pairs)), _share(both, len(pairs))]
    yield "baselines.position", told


def _leaks(report: Facts | None) -> Sentences:
    if report is None:
        return
    yield "leaks.publication", _n(report["tests"], len(report["found"]))
    if report.get("texts"):
        yield "leaks.texts", _n(len(report["texts"]), len(report["text_found"]))
    yield "leaks.alpha", _n(report["alpha"])


def _texts(facts: Facts) -> Sentences:
    """Yield the numbers in what people gave, or other checks have compared."""
    people = facts.get("people", {"origins": [], "platforms": []})
    for place, origin in enumerate(people["origins"], 1):
        yield f"people.{place}", _in(*people["platforms"]) if origin == "crowd" else []
    for place, text in enumerate((*facts["warnings"], *facts["limits"]), 1):
        yield f"limits.{place}", _in(text)
    stated = facts.get("statements", {})
    names = ("contact", "population", "consent", "ethics_review", "social_impact", "funding")
    for name in names:
        yield f"stated.{name}", _in(stated.get(name) or "")
    yield "stated.licence", _in(facts["licence"])
