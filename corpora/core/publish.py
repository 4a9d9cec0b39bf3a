"""The published form of questions: WinoGrande's columns, without anything that reveals the answer.

In WinoGrande 1.1 the ending of qID equals the answer, even in the blind test file. Here ids and
the order of options come from a keyed hash that cannot be predicted without the key.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from corpora.core.bundle import layout
from corpora.core.items import TwinItem
from tabular import reads_as_number

SPLITS = ("train", "dev", "test")
NAME_HOLDS = 20
"""Votes, or twins, for which a person's name stands: then they get another one."""
_BASE_LENGTH = 30  # as in WinoGrande's ids


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One published question.

    Parameters
    ----------
    qid : str
        ``<30 random letters and digits>-<1|2>``; twins share the base, the ending is random.
    sentence, option1, option2 : str
    answer : int
        1 or 2, after the options were shuffled.
    source_id : str
        The question's id inside the platform; never written to a public file.
    swapped : bool
        Whether the options were swapped; the same for both twins.
    domain : str
    """

    qid: str
    sentence: str
    option1: str
    option2: str
    answer: int
    source_id: str
    swapped: bool
    domain: str = ""

    def option(self, number: int | None) -> int | None:
        """Return the published number of an option of the source."""
        return 3 - number if number is not None and self.swapped else number


class Publisher:
    """Every random choice of a release: ids, order of options, training sizes, pseudonyms, salts.

    Parameters
    ----------
    key : bytes, at least 16
        Secret and specific to this release. Each choice is an HMAC with it, so the same questions
        and key give the same release, and without the key the published files do not reveal the
        choices. The text of a question is the same in each release, so a reader of two of them
        can match questions: who worked on them has the name of the release that had them first.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) < 16:
            raise ValueError(f"key must be at least 16 bytes, got {len(key)}")
        self._key = key

    def base(self, group: str) -> str:
        """Return what the ids of a twin's questions begin with; rows are in its order."""
        return base64.b32encode(self._digest("base", group)).decode()[:_BASE_LENGTH]

    def rows(self, questions: Sequence[TwinItem]) -> list[PublishedRow]:
        """Return the published rows of one twin's questions, by qid.

        Raises
        ------
        ValueError
            When they are not of one twin, more than two, or have the same id.
        """
        _require_twin(questions)
        endings = self._endings(questions)
        rows = [self._row(question, endings[question.id]) for question in questions]
        return sorted(rows, key=lambda row: row.qid)

    def endings(self, ids: Sequence[str]) -> dict[str, int]:
        """Return 1 and 2 for the two rows of a pair, or either for a single row, by their ids."""
        # Rows are ordered by the HMAC of their ids, since the ids themselves may reveal the
        # answer. The ending of an unpaired question is random too: a constant 1 would reveal that
        # its twin was filtered out.
        if len(ids) == 1:
            return {ids[0]: 1 + self._coin("ending", ids[0])}
        ordered = sorted(ids, key=lambda line: self._digest("ending", line))
        return {id: ending for ending, id in enumerate(ordered, 1)}

    def place(self, group: str) -> bytes:
        """Return the place of a pair in the order whose first pairs are the training sizes."""
        return self._digest("size", group)

    def pseudonym(self, worker: object, *, role: str = "validator", turn: int | None = None) -> str:
        """Return a person's name for a piece of work; a writer who also validates has two.

        Parameters
        ----------
        worker : object
        role : str
        turn : int, optional
            How much work of this kind they had done before. Each name stands for `NAME_HOLDS`
            pieces in turn, and the first one for fewer, so that its count tells nothing of the
            person's; one name stands for all of it without a turn.
        """
        who = str(worker)
        if turn is not None:
            done = turn + self._digest("begins", f"{role}\0{who}")[0] % NAME_HOLDS
            who = f"{who}\0{done // NAME_HOLDS}"
        name = self._digest(role, who).hex()[:16]
        # A spreadsheet would change a name that reads as a number.
        return f"p{name[1:]}" if reads_as_number(name) else name

    def salt(self, question: str) -> str:
        """Return the salt of a blind question's commitment: 32 bytes as hexadecimal digits."""
        return self._digest("salt", question).hex()

    def _row(self, question: TwinItem, ending: int) -> PublishedRow:
        swapped = self._coin("swap", question.group)
        first, second = question.options[::-1] if swapped else question.options
        return PublishedRow(
            qid=f"{self.base(question.group)}-{ending}",
            sentence=question.sentence,
            option1=first,
            option2=second,
            answer=3 - question.answer if swapped else question.answer,
            source_id=question.id,
            swapped=swapped,
            domain=question.metadata.get("domain", ""),
        )

    def _endings(self, questions: Sequence[TwinItem]) -> dict[str, int]:
        return self.endings([question.id for question in questions])

    def _coin(self, purpose: str, name: str) -> bool:
        return bool(self._digest(purpose, name)[0] & 1)

    def _digest(self, purpose: str, name: str) -> bytes:
        return hmac.digest(self._key, f"{purpose}\0{name}".encode(), "sha256")


def size_limits(places: Iterable[bytes], *, n_pairs: int) -> dict[str, bytes]:
    """Return the last place in each training size below the full set.

    Parameters
    ----------
    places : iterable of bytes
        Those of all complete training pairs, sorted.
    n_pairs : int
        How many they are.

    Returns
    -------
    dict of str to bytes
        A size of less than one pair is left out.

    Examples
    --------
    >>> size_limits([bytes([n]) for n in range(17)], n_pairs=17)
    {'train_m': b'\\x00', 'train_l': b'\\x03'}
    """
    limits, ordered, read = {}, iter(places), 0
    for stem, count in layout.sizes(n_pairs).items():
        if stem != layout.FULL:
            (limits[stem],) = islice(ordered, count - 1 - read, count - read)
            read = count
    return limits


def public_line(row: PublishedRow, *, blind: bool = False) -> bytes:
    """Return a row as WinoGrande's JSON line; blind ones with an empty ``answer``.

    Programs that take the columns of the first file for those of all, as Hugging Face's
    ``load_dataset`` does, read the files in any order.
    """
    return (json.dumps(columns(row, blind=blind)) + "\n").encode()


def columns(row: PublishedRow, *, blind: bool) -> dict[str, str]:
    """Return a row in WinoGrande's columns."""
    return {
        "qID": row.qid,
        "sentence": row.sentence,
        "option1": row.option1,
        "option2": row.option2,
        "answer": "" if blind else str(row.answer),
    }


def canonical(values: Mapping[str, Any]) -> bytes:
    """Return a JSON line with sorted keys and no spaces, without its newline."""
    return json.dumps(values, sort_keys=True, separators=(",", ":")).encode()


def content_hash(row: PublishedRow) -> str:
    """Return the hash of a question's text, options and answer, whatever its order of options."""
    options = [row.option1, row.option2]
    content = [row.sentence, options[row.answer - 1], options[2 - row.answer]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def commitment(opening: bytes) -> str:
    """Return the commitment to a line of the opening file, which has a salt; without its newline.

    Examples
    --------
    >>> commitment(b'{"salt":"00"}')[:16]
    '9c3302ecaf1733d5'
    """
    return hashlib.sha256(opening).hexdigest()


def _require_twin(questions: Sequence[TwinItem]) -> None:
    groups = {question.group for question in questions}
    if len(groups) != 1:
        raise ValueError(f"questions must be of one twin, got {len(groups)}")
    if len(questions) > 2:
        raise ValueError(
            f"questions must share twin {groups.pop()!r} at most 2 times, got {len(questions)}"
        )
    if len({question.id for question in questions}) < len(questions):
        raise ValueError(f"questions must share id {questions[0].id!r} at most once")
