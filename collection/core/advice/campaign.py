"""Advice that rests on the campaign's other twins: what was found there comes in as numbers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from collection.core.advice.cues import Association, Cue, Kind, association
from collection.core.findings import Finding, found, quote

NEAR_DUPLICATE = 0.6  # similarity, 0 to 1
OVERUSED_SHARE = 0.01  # of the campaign's twins
LEAST_BITS: Mapping[Kind, float] = MappingProxyType({"option": 2.0, "place": 2.5})


@dataclass(frozen=True, slots=True)
class Near:
    """The stored twin that is most like a new one, how similar it is (0 to 1), and whose it is."""

    sentence: str
    similarity: float
    is_own: bool


def near_duplicate_findings(near: Near | None) -> Iterator[Finding]:
    """Yield advice where a stored twin has nearly the same content words.

    The number is the share of letter trigrams that the content words of two sentences, one of each
    twin, have in common (PostgreSQL's ``similarity``), the example the stored sentence. The message
    quotes it only to its own author.
    """
    if near is None or near.similarity < NEAR_DUPLICATE:
        return
    same = "Another twin of this campaign is much the same"
    if near.is_own:
        written = quote(near.sentence, longest=200)
        same = f"A twin that you wrote for this campaign is much the same: {written}"
    yield found(
        "near_duplicate",
        f"{same}; write about something else.",
        value=round(near.similarity, 3),
        example=near.sentence,
    )


def overuse_findings(key: str, *, uses: int, limit: int, twins: int) -> Iterator[Finding]:
    """Yield advice where other twins of the campaign have this trigger too often.

    Parameters
    ----------
    key : str
        The trigger's words, as by ``trigger_key``.
    uses : int
        How many other twins have it; the number of the finding.
    limit : int
        How many may have it in any campaign.
    twins : int
        How many other twins the campaign has. In a large campaign a share of `OVERUSED_SHARE` is
        allowed however many uses that is: few words contrast well, and every crowd comes back to
        them.
    """
    if key and uses >= limit and uses > OVERUSED_SHARE * twins:
        first, _, second = key.partition("|")
        words = " / ".join(quote(side) for side in (first, second) if side)
        yield found(
            "trigger_overused",
            f"Many other twins of this campaign have the trigger {words}; "
            "choose words that are used less often.",
            value=float(uses),
            example=words,
        )


def associated(own: Iterable[Cue], counts: Mapping[str, int]) -> dict[Kind, Association]:
    """Return the associations that give the answers of a twin away, by kind.

    Parameters
    ----------
    own : iterable of Cue
        The twin's cues.
    counts : mapping
        How many other twins have a cue, by its name.

    See ``association`` for the measure; `LEAST_BITS` are enough.
    """
    own = tuple(own)
    validated = {kind: association(own, counts, kind=kind) for kind in LEAST_BITS}
    return {
        kind: each
        for kind, each in validated.items()
        if each is not None and each.bits >= LEAST_BITS[kind]
    }


def association_findings(associations: Mapping[Kind, Association]) -> Iterator[Finding]:
    """Yield advice on what is `associated`; its number is in bits, its example the counts.

    The message names the writer's own words, and neither counts nor which option is right.
    """
    for kind, each in associations.items():
        code, message = (
            ("local_association", _local(each))
            if kind == "option"
            else ("pair_association", _place(each))
        )
        counted = f"{each.strongest.word}: {each.right} of {each.seen}"
        yield found(code, message, value=round(each.bits, 2), example=counted)


def _local(result: Association) -> str:
    word, option = quote(result.strongest.word), quote(result.strongest.target)
    return (
        f"The words at the blank give the answer away: {word} says by itself whether {option} is "
        "right; choose another trigger word or other options."
    )


def _place(result: Association) -> str:
    return (
        f"The trigger word {quote(result.strongest.word)} gives the answer away by the order in "
        "which the options are named; choose another trigger word, or name the options the other "
        "way round."
    )
