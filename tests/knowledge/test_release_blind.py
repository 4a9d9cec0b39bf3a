"""A statement names the answer: nothing about a blind question is in any file or answer."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from corpora import services as corpora
from corpora.core.items import Item
from corpora.core.leaks.files import PublishedFile
from corpora.core.leaks.report import leak_report
from corpora.core.leaks.results import LeakReport
from corpora.core.publish import Publisher
from corpora.models import Draw, Release
from corpora.selectors import released as of_questions
from knowledge import proving, services
from knowledge.building import build
from knowledge.core.formalisation import Formalisation as Content
from knowledge.core.formalisation import Thing
from knowledge.models import KnowledgeRelease, KnowledgeSet, Sentence
from knowledge.prover.process import Prover
from tests.api.calls import API, client_of, ok
from tests.corpora.test_blind_once import SHARES, whole
from tests.factories import UserFactory
from tests.filtering.stages import Killed, frozen, lease_ends, snapshot_of
from tests.knowledge.annotating import FALSE, TRUE
from tests.knowledge.releasing import a_set, archive, asked, files, lines, released, unpacked
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus

OUTCOME = "not Poss(fit_into(Trophy, Suitcase), S0)"


@pytest.fixture(autouse=True)
def one_prover(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "shared", lambda: prover)


def content_of(item: Item, predicate: str) -> Content:
    """The question as formulas, with a predicate of its own."""
    names = ["Trophy" if option.startswith("trophy") else "Suitcase" for option in item.options]
    assert item.answer is not None
    return Content(
        things=tuple(Thing(name, option) for name, option in zip(names, item.options, strict=True)),
        options=tuple(names),
        answer=names[item.answer - 1],
        pronoun="It",
        scene=(),
        clause=f"{predicate}(It)",
        outcome=OUTCOME,
    )


def formalised(of: KnowledgeSet, item: Item, mark: str) -> None:
    """A formula, its words, a formalisation and a pair, all of which have a mark."""
    predicate = f"too_{mark}"
    place = "x" if item.options[(item.answer or 1) - 1].startswith("trophy") else "y"
    formula = services.add_formula(
        knowledge_set=of, name=f"f-{mark}", by=None,
        text=f"{predicate}({place}) -> not Poss(fit_into(x, y), s)",
    )  # fmt: skip
    services.put_words(
        knowledge_set=of, name=predicate, positive="{x is|are} too " + mark,
        negative="{x is|are} not too " + mark,
    )  # fmt: skip
    row = services.formalise(
        knowledge_set=of, question=item.id, formalisation=content_of(item, predicate),
        formulas=[formula], by=None,
    )  # fmt: skip
    true = services.write_sentence(
        knowledge_set=of, formalisation=row, by=None, formula=formula,
        text=(TRUE % 1).replace("rule", mark),
    )  # fmt: skip
    services.write_false_version(
        of=true, kind="changed", text=(FALSE % 1).replace("rule", mark), by=None
    )


def mark_of(number: int, is_blind: bool) -> str:
    return f"{'secretly' if is_blind else 'openly'}{number:03d}"


def over_a_release(pairs: int = 8, **shares: Any) -> tuple[KnowledgeSet, Release]:
    """A set with a formula and a pair for each question, blind ones too."""
    release = whole(snapshot_of(frozen(pairs=pairs), near_duplicate=1, **(SHARES | shares)), "r1")
    Release.objects.filter(pk=release.pk).update(is_public=True)
    of = services.create_knowledge_set(name="all", release=release, by=None)
    for number, row in enumerate(of_questions(release)):
        formalised(of, row.item, mark_of(number, row.split == "test"))
    return of, release


def blind_texts(release: Release) -> list[str]:
    rows = [row for row in of_questions(release) if row.split == "test"]
    assert len(rows) >= 4
    return [text for row in rows for text in (row.item.id, row.item.sentence, row.item.group)]


def everything_readable(user: Any) -> bytes:
    """All that the interface says of knowledge releases, with every file."""
    client = client_of(user)
    listed = client.get(f"{API}knowledge-releases/")
    found = [listed.content]
    for one in ok(listed)["results"]:
        url = f"{API}knowledge-releases/{one['id']}/"
        found += [client.get(url).content, client.get(f"{url}files/").content]
        for file in ok(client.get(f"{url}files/")):
            content = b"".join(client.get(f"{url}files/{file['name']}").streaming_content)
            found.append(content)
            if file["name"].endswith(".zip"):
                found += unpacked(content).values()
    return b"\n".join(found)


def test_an_outsider_with_every_file_finds_nothing_of_blind_questions() -> None:
    of, release = over_a_release()
    made = [released(of, name) for name in ("one", "two")]
    n_blind = sum(row.split == "test" for row in of_questions(release))
    for user in (UserFactory(), UserFactory(curator=True)):
        found = everything_readable(user).decode(errors="replace")
        assert "openly" in found
        assert "secretly" not in found
        assert [text for text in blind_texts(release) if text in found] == []
    told = json.loads(files(made[0])["manifest.json"])["about"]["left_out"]
    assert told == {"held_back": n_blind}
    assert made[0].n_pairs == 16 - n_blind
    # The control: a curator's own rows have them.
    assert any("secretly" in one.text for one in of.formulas.all())


@pytest.mark.long
def test_a_formula_of_a_blind_question_is_not_told_by_another_that_does_not_need_it() -> None:
    of, release = over_a_release(4, test_share="0.5")
    shown = next(row.item for row in of_questions(release) if row.split != "test")
    secret = next(one for one in of.formulas.all() if "secretly" in one.text)
    row = of.formalisations.get(question=shown.id)
    services.formalise(
        knowledge_set=of, question=shown.id, by=None,
        formalisation=Content.from_dict(row.content), formulas=[*row.formulas.all(), secret],
    )  # fmt: skip
    found = unpacked(archive(released(of)))
    assert not [name for name, content in found.items() if b"secretly" in content]
    versions = [(one["question"], one["version"]) for one in lines(found["formalisations.jsonl"])]
    assert (shown.id, 1) in versions
    assert (shown.id, 2) not in versions


def imported(name: str, items: list[Item], *, is_public: bool = False) -> KnowledgeSet:
    """A set over a reference set, with knowledge for each question."""
    questions = corpora.import_reference_set(
        name=name, format="items", by=None, is_public=is_public,
        splits={"test": [item.to_line() for item in items]},
    )  # fmt: skip
    of = services.create_knowledge_set(name=name, reference_set=questions, by=None)
    for number, item in enumerate(items):
        formalised(of, item, mark_of(number, is_blind=False))
    return of


def as_items(pairs: int) -> list[Item]:
    return [Item.from_line(one.to_line()) for one in frozen(pairs=pairs)]


@pytest.mark.long
def test_a_private_copy_of_blind_questions_is_not_released() -> None:
    release = whole(snapshot_of(frozen(pairs=8), near_duplicate=1, **SHARES), "r1")
    blind = {row.item.sentence for row in of_questions(release) if row.split == "test"}
    made = released(imported("copy", as_items(8)))
    shown = {row["sentence"] for row in lines(files(made)["questions.jsonl"])}
    assert blind
    assert not shown & blind
    assert len(shown) == 16 - len(blind)
    # Over a set that only curators see, so is its release.
    assert ok(client_of(UserFactory()).get(f"{API}knowledge-releases/"))["results"] == []


@pytest.mark.long
def test_what_a_release_has_told_is_never_drawn_blind() -> None:
    released(imported("before", as_items(4)))
    later = whole(
        snapshot_of(frozen(pairs=12), near_duplicate=1, test_share="0.5", dev_share="0"), "r1"
    )
    told = {item.sentence for item in as_items(4)}
    splits = {row.item.sentence: row.split for row in of_questions(later)}
    assert {splits[sentence] for sentence in told} == {"train"}
    assert Draw.objects.filter(split="test").count() >= 4


@pytest.mark.long
def test_a_question_that_is_drawn_blind_meanwhile_ends_the_build(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release: KnowledgeRelease = asked(imported("race", as_items(4)), "late")

    def killed(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(build, "made_of", killed)
        with pytest.raises(Killed):
            execute_here(release)
    lease_ends(release)
    whole(snapshot_of(frozen(pairs=4), near_duplicate=1, test_share="0.5", dev_share="0"), "r1")
    execute_here(release)
    release.refresh_from_db()
    assert release.status == RunStatus.FAILED
    assert "held back since it was begun" in release.failure
    assert not release.files.exists()


@pytest.mark.long
def test_the_index_of_sentences_is_a_curators() -> None:
    made = released(imported("public", as_items(2), is_public=True))
    url = f"{API}knowledge-releases/{made.public_id}/files/"
    for user, status in ((UserFactory(), 404), (UserFactory(curator=True), 200)):
        assert client_of(user).get(f"{url}index.jsonl").status_code == status
    sentences = {row["sentence"] for row in lines(files(made, restricted=True)["index.jsonl"])}
    assert sentences == {str(one.public_id) for one in made.knowledge_set.sentences.all()}


N_PAIRS = 40
TEXTS = {"option1": "true", "option2": "false"}


def sealed(text: str) -> str:
    """The same for the same text, and nothing of it: what the text tells is no leak."""
    return hashlib.sha256(text.encode()).hexdigest()


def published(release: KnowledgeRelease) -> Iterator[PublishedFile]:
    """The problems as the search for leaks reads questions: true is the first option."""
    for variant in ("variable", "grounded", "natural"):
        content = files(release)[f"{variant}.jsonl"]
        rows = lines(content)
        yield PublishedFile(
            name=f"{variant}.jsonl",
            rows=[
                {"qID": row["id"], "sentence": sealed(row["knowledge"]), **TEXTS} for row in rows
            ],
            answers=[1 if row["label"] else 2 for row in rows],
            n_rows=len(rows),
            size=len(content),
        )


def searched(*releases: KnowledgeRelease) -> LeakReport:
    found = {release.name: list(published(release)) for release in releases}
    last = releases[-1].name
    return leak_report(found.pop(last), name=last, earlier=found, blind=())


@pytest.mark.long
def test_nothing_of_three_releases_tells_a_label() -> None:
    of = a_set(N_PAIRS)
    report = searched(*(released(of, name) for name in ("one", "two", "three")))
    assert report.n_tests > 500
    assert report.leak_sentences == ()


@pytest.mark.long
def test_ids_of_one_length_have_no_letter_of_another_release() -> None:
    of = a_set(10)
    ids = [{row["id"] for row in lines(files(released(of, name))["natural.jsonl"])}
           for name in ("one", "two")]  # fmt: skip
    assert not ids[0] & ids[1]
    assert {len(id) for found in ids for id in found} == {32}
    order = [row["id"] for row in lines(files(released(of, "three"))["natural.jsonl"])]
    assert order == sorted(order)


def plant_ending(self: Publisher, ids: list[str]) -> dict[str, int]:
    """The true sentence of a pair ends with 1."""
    is_true = {
        str(one.public_id): one.is_true for one in Sentence.objects.filter(public_id__in=ids)
    }
    return {id: 1 if is_true[id] else 2 for id in ids}


@pytest.mark.long
def test_an_ending_that_is_the_label_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Publisher, "endings", plant_ending)
    assert searched(released(a_set(N_PAIRS), "one")).leaks
