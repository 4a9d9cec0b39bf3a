"""A matrix: every dialect through every import, read alike or refused with its sentence."""

import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from collection.core.rules import Thresholds
from collection.imports.articles import NewArticle, decide
from collection.imports.folders import FIELDS, REQUIRED
from collection.imports.questions import FIELDS as QUESTION_FIELDS
from collection.imports.questions import PublishedQuestion
from collection.imports.questions import decide as decide_question
from collection.imports.report import Reject
from corpora.core.items import Item
from corpora.core.readers import READERS
from evaluation.core.predictions import read_predictions
from tabular import decoded, read_records
from tests.collection.import_lines import pair
from tests.tabular.dialects import READ, REFUSED, Row
from winoplatform.errors import DomainError
from workers.services import invitations

TEXT = 'Lay the shirts on the bed; roll "each" of them, then close the suitcase.'
ARTICLES = [
    {"source_id": f"a{n}", "title": f"How to pack, {n}", "text": TEXT, "category": "travel"}
    for n in (1, 2)
]
SENTENCES = [f"Olga lent Petra her ladder {why} _ had a roof to mend." for why in ("as", "but")]
QUESTIONS = [
    {"sentence": sentence, "option1": "Olga", "option2": "Petra", "answer": answer}
    for sentence, answer in zip(SENTENCES, "21", strict=True)
]
PREDICTIONS = [{"id": "q1", "prediction": "2", "note": "é; |"}, {"id": "q2", "prediction": "1"}]
PREDICTIONS[1]["note"] = ""
PEOPLE = [
    {"username": name, "email": f"{name}@example.org", "role": "worker"} for name in ("erin", "fay")
]
Read = Callable[[bytes], object]


def read_articles(content: bytes) -> list[NewArticle]:
    found = read_records(io.BytesIO(content), known=FIELDS, required=REQUIRED)
    return [_kept(decide(record)) for record in found]


def read_published(content: bytes) -> list[PublishedQuestion]:
    found = read_records(io.BytesIO(content), known=QUESTION_FIELDS, required=QUESTION_FIELDS)
    return [_kept(decide_question(record, thresholds=Thresholds())) for record in found]


def _kept(decided: object) -> object:
    if isinstance(decided, Reject):
        raise ValueError(decided.message)
    return decided


def read_items(content: bytes) -> list[Item]:
    return list(READERS["table"](io.BytesIO(content)))


def read_answers(content: bytes) -> dict[str, int | None]:
    return read_predictions(
        io.BytesIO(content), list(map(_item, QUESTIONS, "12")), format="csv"
    ).predictions


def _item(row: Row, number: str) -> Item:
    options = (row["option1"], row["option2"])
    return Item(id=f"q{number}", group="g", sentence=row["sentence"], options=options)


def read_people(content: bytes) -> list[tuple[str, str, str]]:
    """Return the rows of a list, without the checks against the database."""
    try:
        rows = list(invitations._rows(decoded(content)))
    except DomainError as refusal:
        raise ValueError(refusal.message) from refusal
    return [(row.username, row.email, row.role) for row in rows]


IMPORTS: dict[str, tuple[Sequence[Row], Read]] = {
    "articles": (ARTICLES, read_articles),
    "published questions": (
        [{k: str(v) for k, v in row.items()} for row in pair()],
        read_published,
    ),
    "reference sets": (QUESTIONS, read_items),
    "predictions": (PREDICTIONS, read_answers),
    "lists of people": (PEOPLE, read_people),
}


@pytest.mark.parametrize("name", IMPORTS)
@pytest.mark.parametrize("dialect", READ)
def test_every_import_reads_the_same_in_every_dialect(dialect: str, name: str) -> None:
    rows, read = IMPORTS[name]
    found = read(READ[dialect](rows))
    assert found == read(READ["comma"](rows))
    assert len(found) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize("name", IMPORTS)
@pytest.mark.parametrize("dialect", REFUSED)
def test_what_no_import_reads_is_refused_with_the_same_sentence(dialect: str, name: str) -> None:
    rows, read = IMPORTS[name]
    write, sentence = REFUSED[dialect]
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read(write(rows))


def test_the_page_on_imports_lists_every_dialect() -> None:
    page = (Path(__file__).parents[2] / "docs" / "imports.md").read_text(encoding="utf-8")
    missing = [name for name in (*READ, *REFUSED) if f"| {name} |" not in page]
    assert missing == []


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"title,text\nA,b\nB\n", "wrong_columns"),
        (b"title,text\nA,b,c\n", "wrong_columns"),
        (b"title,,text\nA,x,b\n", "column_unnamed"),
        (b'title,text\nA,"b\n', "quote_open"),
        (b'title,text\nA,"say \\"x\\""\n', "not_csv"),
        (b"title,text\nA,\xe9\n", "not_utf8"),
        (b"title,text\nA,b\0\n", "has_nul"),
        (b"title,body\nA,b\n", "column_missing"),
        (b"t\xeftle,text\nA,b\n", "not_utf8"),
        (b'[{"title": "A", "text": "b"}, {"title": ', "not_json"),
        (b'[{"title": "A", "text": "b"}', "not_json"),
        (b'[{"title": "A", "text": "b"} {"title": "B"}]', "not_json"),
        (b'{"title": "A", "text": NaN}', "not_json"),
    ],
)
def test_a_fault_has_its_code_and_never_another_exception(content: bytes, code: str) -> None:
    found = list(read_records(io.BytesIO(content), known=FIELDS, required=REQUIRED))
    assert [record.problem.code for record in found if record.problem] == [code]
