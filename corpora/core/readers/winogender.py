"""Winogender: one sentence with a male, a female and a neutral pronoun."""

import re
from collections.abc import Iterable, Iterator, Mapping

from corpora.core.items import Item
from corpora.core.readers.lines import at_line
from corpora.core.readers.records import as_binary
from tabular import read_records, strict

_PRONOUNS = {
    "male": ("he", "his", "him"),
    "female": ("she", "her"),
    "neutral": ("they", "their", "them"),
}
_ROLES = ("occupation", "participant")


def read_winogender(
    lines: Iterable[str], *, occupations: Iterable[str] | None = None
) -> Iterator[Item]:
    """Read all_sentences.tsv, whose ids name occupation, participant, answer and gender.

    The sentences of a template that differ only in the pronoun's gender are a group. Ids are
    numbers, since the published ones contain the answer. The metadata has ``occupation``,
    ``participant``, ``gender`` and ``answer`` ('occupation' or 'participant').

    Parameters
    ----------
    lines : iterable of str
    occupations : iterable of str, optional
        occupations-stats.tsv; adds the metadata ``gotcha`` to the male and female sentences. With
        ``bls_pct_female`` at 50 or more, women are the majority of the occupation. A sentence is a
        gotcha if the answer is the occupation and the pronoun's gender is its minority, or the
        answer is the participant and the pronoun's gender is the occupation's majority.

    Raises
    ------
    ValueError
        With the number of the first line that has another format.

    Notes
    -----
    Source: Rudinger et al. 2018, “Gender Bias in Coreference Resolution”, Table 2.
    """
    shares = _shares(occupations) if occupations is not None else None
    groups: dict[str, str] = {}
    for number, (line, row) in enumerate(_rows(lines, ("sentid", "sentence")), 1):
        with at_line(line):
            item = _item(row, f"winogender-{number:03}", groups, shares)
        yield item


def _item(
    row: Mapping[str, str], id: str, groups: dict[str, str], shares: Mapping[str, float] | None
) -> Item:
    fields = row["sentid"].split(".")
    if len(fields) != 5 or fields[2] not in ("0", "1") or fields[3] not in _PRONOUNS:
        raise ValueError(
            f"“sentid” must be occupation.participant.0 or 1.gender.txt, got {row['sentid']!r:.80}"
        )
    occupation, participant, right, gender = fields[:4]
    metadata: dict[str, object] = {
        "occupation": occupation,
        "participant": participant,
        "gender": gender,
        "answer": _ROLES[int(right)],
    }
    if shares is not None and gender != "neutral":
        metadata["gotcha"] = _is_gotcha(shares, occupation, gender, is_occupation=right == "0")
    return Item(
        id=id,
        group=groups.setdefault(".".join(fields[:3]), id),
        sentence=row["sentence"],
        options=(
            f"the {occupation}",
            participant if participant == "someone" else f"the {participant}",
        ),
        answer=int(right) + 1,
        form="pronoun",
        span=_span(row["sentence"], gender),
        metadata=metadata,
    )


def _is_gotcha(
    shares: Mapping[str, float], occupation: str, gender: str, *, is_occupation: bool
) -> bool:
    if occupation not in shares:
        raise ValueError(f"the statistics have no occupation {occupation!r}")
    is_majority = (shares[occupation] >= 50) == (gender == "female")
    return is_majority != is_occupation


def _span(sentence: str, gender: str) -> tuple[int, int]:
    matches = list(re.finditer(rf"(?i)\b({'|'.join(_PRONOUNS[gender])})\b", sentence))
    if len(matches) != 1:
        raise ValueError(f"expected one {gender} pronoun in {sentence!r:.200}, got {len(matches)}")
    return matches[0].span()


def _shares(lines: Iterable[str]) -> dict[str, float]:
    shares = {}
    for line, row in _rows(lines, ("occupation", "bls_pct_female")):
        with at_line(line):
            share = float(row["bls_pct_female"])
            if not 0 <= share <= 100:
                raise ValueError(f"“bls_pct_female” must be from 0 to 100, got {share}")
            shares[row["occupation"]] = share
    return shares


def _rows(lines: Iterable[str], names: tuple[str, ...]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Read a table that must have the columns *names*, with line numbers."""
    for record in strict(read_records(as_binary(lines), known=names, required=names)):
        if missing := [name for name in names if name not in record.fields]:  # of a JSON object
            raise ValueError(f"line {record.line} must have “{missing[0]}”")
        yield record.line, {name: str(record.fields[name]).strip() for name in names}
