"""The frozen form of a question, and the sentence an encoder reads."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass

BLANK = "_"
# A sentence starts at the very beginning or after its predecessor's full stop, quotes between.
_AT_SENTENCE_START = re.compile(r"(?:^|[.!?][\"'”’)]*\s)\s*[\"'“‘(]*$")


@dataclass(frozen=True, slots=True)
class FrozenQuestion:
    """One question as a snapshot holds it.

    Parameters
    ----------
    id, twin : str
        The question's id and the id it shares with its twin (alone when the twin is gone).
    sentence : str
        The sentence with exactly one blank ``_``.
    option1, option2 : str
        The two options.
    answer : int
        1 or 2, the option that is right.
    domain : str
        ``social``, ``physical`` or ``unknown``; carried along, not read by any algorithm here.

    Raises
    ------
    ValueError
        When ``answer`` is neither 1 nor 2, or ``sentence`` lacks its one blank.
    """

    id: str
    twin: str
    sentence: str
    option1: str
    option2: str
    answer: int
    domain: str

    def __post_init__(self) -> None:
        if self.answer not in (1, 2):
            raise ValueError(f"answer must be 1 or 2, got {self.answer!r}")
        _require_one_blank(self.sentence)

    @property
    def options(self) -> tuple[str, str]:
        return self.option1, self.option2

    @property
    def filled(self) -> tuple[str, str]:
        """The sentence with either option in its blank."""
        return fill(self.sentence, self.option1), fill(self.sentence, self.option2)

    def to_line(self) -> str:
        """Return the question's one canonical JSON line: sorted keys, no spaces, no newline.

        Equal questions give equal lines, so a hash over lines names a snapshot's content.
        """
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"), sort_keys=True)

    @classmethod
    def from_line(cls, line: str) -> FrozenQuestion:
        """Read what `to_line` wrote; ValueError names a missing or unknown field."""
        try:
            fields = json.loads(line)
            return cls(**fields)
        except (json.JSONDecodeError, TypeError) as error:
            raise ValueError(f"line must be a frozen question as JSON: {error}") from error


def fill(sentence: str, option: str) -> str:
    """Put an option into the sentence's blank.

    What follows the blank (``'s``, a comma) stays attached. An option that opens a sentence gets
    a capital, since ``the trophy`` and ``The trophy`` differ for cased encoders; an option that
    is capitalised already (a name) is never lowered.

    Parameters
    ----------
    sentence : str
        Holds exactly one ``_``.
    option : str
        Inserted as it is, outer spaces removed.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        When ``sentence`` does not hold exactly one blank.

    Examples
    --------
    >>> fill("The plant outgrew the _'s rim.", "pot")
    "The plant outgrew the pot's rim."
    >>> fill("It rained. _ was wet.", "grass")
    'It rained. Grass was wet.'
    """
    _require_one_blank(sentence)
    before, after = sentence.split(BLANK)
    option = option.strip()
    if _AT_SENTENCE_START.search(before):
        option = option[:1].upper() + option[1:]
    return before + option + after


def _require_one_blank(sentence: str) -> None:
    if sentence.count(BLANK) != 1:
        raise ValueError(f"sentence must hold exactly one blank '_', got {sentence!r}")
