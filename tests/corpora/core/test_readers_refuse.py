"""Whatever a file has, a format reads it or refuses it with a sentence."""

import io
import random
from contextlib import suppress

import pytest

from corpora.core.readers import BY_NAME, MAIN
from corpora.core.readers.records import LONGEST_WORD, as_word
from corpora.services.reference_sets import _read
from winoplatform.errors import DomainError

PIECES = (
    '"', '"', '""', ",", "\n", "\r", "\t", ";", "{", "}", "{}", "[", "]", "_", "1", "a", "sep=;",
    '{"id": 1}', '{"sentence": "a _"}', "sentid\tsentence\n", "sentence,option1,option2,answer\n",
    "<a>", "[he]",
)  # fmt: skip


@pytest.mark.parametrize("name", BY_NAME)
def test_marks_and_pieces_of_tables_are_read_or_refused(name: str) -> None:
    format, draw = BY_NAME[name], random.Random(1)
    texts = ['"' * n for n in (1, 2, 999, 131_073)] + ['"\n' * 5_001, "{}\n", "[]", "[{}]"]
    texts += ["".join(draw.choices(PIECES, k=draw.randint(1, 12))) for _ in range(300)]
    for text in texts:
        files = {part: io.BytesIO(text.encode()) for part in format.required or (MAIN,)}
        with suppress(DomainError):  # any other error is one of the server
            _read(format, None, "test", files, None)


def test_a_pronoun_has_a_longest_length() -> None:
    assert as_word("." * LONGEST_WORD).search("." * LONGEST_WORD)
    with pytest.raises(ValueError, match="a pronoun may have 200 characters"):
        as_word("." * (LONGEST_WORD + 1))
