"""Methods that read a corpus: the articles imported, or the operator's file."""

from pathlib import Path
from typing import Any

import pytest

from corpora.core.items import Item
from evaluation import loading, services
from evaluation.core.corpus import sentences
from tests.evaluation.methods.calls import answers_of, scores_of
from tests.evaluation.sets import failure_of, small_set
from tests.factories import ArticleFactory, CampaignFactory
from tests.filtering.stages import carried, killed_after, read, rows
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here

YELLED = Item(
    id="y",
    group="y",
    sentence="Ann yelled at Joan because _ was upset.",
    options=("Ann", "Joan"),
    answer=1,
)
CORPUS = ["He was upset, so he yelled at the driver.", "Dogs yelled at cats.", "Cats were upset."]


def test_a_sentence_of_the_corpus_is_evidence_and_is_kept() -> None:
    [found] = answers_of("retrieval", [YELLED], corpus=CORPUS)
    assert found.scores is not None
    assert found.scores[0] > found.scores[1] == 0
    assert found.evidence[0] == {
        "sentence": CORPUS[0],
        "context": "yell",
        "query": "upset",
        "options": [1],
        "rule": "same word",
        "strength": found.scores[0],
    }


@pytest.mark.parametrize("corpus", [["The weather is fine."], ["Ann walks.", "Joan was upset."]])
def test_an_item_without_evidence_is_a_tie_with_the_reason(corpus: list[str]) -> None:
    [found] = answers_of("retrieval", [YELLED], corpus=corpus)
    assert found.scores is not None
    assert found.scores.tolist() == [0, 0]
    [said] = found.evidence
    assert "sentence" in said["reason"]


def test_the_evidence_is_beside_the_prediction(settings: Any, tmp_path: Path) -> None:
    settings.CORPUS_FILE = str(tmp_path / "corpus.txt")
    (tmp_path / "corpus.txt").write_text(" ".join(CORPUS))
    made = services.evaluate(reference_set=small_set([YELLED]), method="retrieval", by=None)
    run = carried(made)
    [row] = rows(read(run.predictions))
    assert (row["prediction"], row["evidence"][0]["sentence"]) == (1, CORPUS[0])
    assert run.corpus_sha256 == loading.corpus_sha256(CORPUS)
    assert run.metrics["accuracy"]["value"] == 1


def test_words_that_occur_together_decide() -> None:
    item = Item(id="a", group="a", sentence="The _ barks loudly.", options=("dog", "cat"))
    corpus = ["A dog barks.", "My dog barks loudly.", "A cat sleeps.", "The cat purrs."]
    [found] = scores_of("cooccurrence", [item], corpus=corpus)
    assert found[0] > found[1]
    [local] = scores_of("cooccurrence", [item], corpus=["Winter snow falls."], variant="local")
    assert local.tolist() == [0, 0]


def test_articles_of_the_campaign_are_the_corpus(settings: Any) -> None:
    campaign, other = CampaignFactory(), CampaignFactory()
    ArticleFactory(campaign=campaign, text="Boil water. Add salt!\n\nStir", source_id="2")
    ArticleFactory(campaign=campaign, text="Wait. Boil water.", source_id="1")
    ArticleFactory(campaign=other, text="Dig a hole.", source_id="1")
    own = ["Wait.", "Boil water.", "Add salt!", "Stir"]
    assert loading.corpus(campaign) == own
    assert loading.corpus(None) == [*own, "Dig a hole."]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "The corpus (setting CORPUS_FILE) cannot be read: FileNotFoundError."),
        (b"\xff\xfe", "The corpus (setting CORPUS_FILE) cannot be read: UnicodeDecodeError."),
        (b" \n\n", "There is no corpus: import articles"),
        (b"... !!! ...", "corpus must hold at least one word, got none"),
    ],
)
def test_a_corpus_that_cannot_be_read_fails_with_a_sentence_without_its_path(
    settings: Any, tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    settings.CORPUS_FILE = str(tmp_path / "corpus.txt")
    if content is not None:
        (tmp_path / "corpus.txt").write_bytes(content)
    run = services.evaluate(reference_set=small_set(), method="retrieval", by=None)
    execute_here(run)
    assert sentence in failure_of(run)
    assert str(tmp_path) not in run.failure


def test_blocks_of_two_corpora_are_never_mixed(settings: Any, tmp_path: Path) -> None:
    settings.CORPUS_FILE = str(tmp_path / "corpus.txt")
    (tmp_path / "corpus.txt").write_text("The box is large.")
    run = services.evaluate(reference_set=small_set(), method="retrieval", by=None)
    type(run).objects.filter(pk=run.pk).update(block_size=2)
    killed_after(run, 1)
    (tmp_path / "corpus.txt").write_text("The box is small.")
    execute_here(run)
    assert "have corpus_sha256" in failure_of(run)


def test_without_articles_and_file_there_is_no_corpus() -> None:
    data = small_set()
    with pytest.raises(DomainError, match="ask the operator to set CORPUS_FILE"):
        services.evaluate(reference_set=data, method="cooccurrence", by=None)
    article = ArticleFactory()
    run = services.evaluate(reference_set=data, method="cooccurrence", by=None)
    article.delete()
    execute_here(run)
    assert "ask the operator to set CORPUS_FILE" in failure_of(run)


def test_sentences_keep_every_word() -> None:
    text = 'He said: "No!" Then (as always.) he left. \n 3.5 m?Yes\r\n\tEnd'
    found = sentences(text)
    assert " ".join(found).split() == text.split()
    assert found[0] == 'He said: "No!"'
