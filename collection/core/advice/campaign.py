"""Advice based on the campaign's other twins, which are passed in as counts."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from collection.core.advice.cues import Association, Cue, Kind, association
from collection.core.findings import Finding, make_finding, quote

NEAR_DUPLICATE = 0.6  # similarity, 0 to 1
OVERUSED_SHARE = 0.01  # of the campaign's twins
LEAST_BITS: Mapping[Kind, float] = MappingProxyType({"option": 2.0, "place": 2.5})


@dataclass(frozen=True, slots=True)
class Near:
    """The stored twin most similar to a new one, its similarity (0 to 1), and its ownership."""

    sentence: str
    similarity: float
    is_own: bool


def near_duplicate_findings(near: Near | None) -> Iterator[Finding]:
    """Yield advice if a stored twin has nearly the same content words.

    The value is the share of letter trigrams that the content words of two sentences, one of each
    twin, have in common (PostgreSQL's ``similarity``); the example is the stored sentence. The
    message quotes it only to its own author.
    """
    if near is None or near.similarity < NEAR_DUPLICATE:
        return
    same = "Another twin of this campaign is very similar"
    if near.is_own:
        written = quote(near.sentence, longest=200)
        same = f"A twin that you wrote for this campaign is very similar: {written}"
    yield make_finding(
        "near_duplicate",
        f"{same}; write about something else.",
        value=round(near.similarity, 3),
        example=near.sentence,
    )


def overuse_findings(key: str, *, uses: int, limit: int, twins: int) -> Iterator[Finding]:
    """Yield advice if too many other twins of the campaign have this trigger.

    Parameters
    ----------
    key : str
        The trigger's key, from ``trigger_key``.
    uses : int
        How many other twins have it; the value of the finding.
    limit : int
        How many may have it in a campaign of any size.
    twins : int
        How many other twins the campaign has. In a large campaign a share of `OVERUSED_SHARE` is
        always allowed: few words contrast well, and every crowd reuses them.
    """
    if key and uses >= limit and uses > OVERUSED_SHARE * twins:
        first, _, second = key.partition("|")
        words = " / ".join(quote(side) for side in (first, second) if side)
        yield make_finding(
            "trigger_overused",
            f"Many other twins of this campaign have the trigger {words}; "
            "choose words that are used less often.",
            value=float(uses),
            example=words,
        )


def associated(own: Iterable[Cue], counts: Mapping[str, int]) -> dict[Kind, Association]:
    """Return the associations that reveal the answers of a twin, by kind.

    Parameters
    ----------
    own : iterable of Cue
        The twin's cues.
    counts : mapping
        How many other twins have a cue, by its name.

    See ``association`` for the measure; the threshold is `LEAST_BITS`.
    """
    own = tuple(own)
    associations = {kind: association(own, counts, kind=kind) for kind in LEAST_BITS}
    return {
        kind: each
        for kind, each in associations.items()
        if each is not None and each.bits >= LEAST_BITS[kind]
    }


def association_findings(associations: Mapping[Kind, Association]) -> Iterator[Finding]:
    """Yield advice on associations; the value is in bits, the example has the counts.

    The message names the writer's words, but neither counts nor which option is right.
    """
    for kind, each in associations.items():
        code, message = (
            ("local_association", _local(each))
            if kind == "option"
            else ("pair_association", _place(each))
        )
        counted = f"{each.strongest.word}: {each.right} of {each.seen}"
        yield make_finding(code, message, value=round(each.bits, 2), example=counted)


def _local(result: Association) -> str:
    word, option = quote(result.strongest.word), quote(result.strongest.target)
    return (
        f"The words at the blank reveal the answer: {word} alone shows whether {option} is "
        "right; choose another trigger word or other options."
    )


def _place(result: Association) -> str:
    return (
        f"The trigger word {quote(result.strongest.word)} reveals the answer by the order in "
        "which the options are named; choose another trigger word, or name the options in the "
        "opposite order."
    )
