"""The validation of a knowledge set: what annotators are asked, who is not, and the figures."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from corpora import services as corpora
from corpora.models import Draw
from corpora.selectors import released
from knowledge import services
from knowledge.core.formalisation import Thing
from knowledge.selectors import set_figures
from panels.selectors import progress_of
from tests.factories import UserFactory
from tests.filtering.stages import carried, frozen, snapshot_of
from tests.knowledge.annotating import formalisation, formula, knowledge_set, pair, validation
from tests.knowledge.wsc_formal import TROPHY
from tests.panels.people import answer_all, enrol
from tests.refusals import refused
from workers.models import LedgerEntry


def test_an_annotator_sees_the_problem_with_variables_and_no_label():
    of = validation(n_pairs=1)
    assert {row.item.sentence for row in of.items.all()} == {
        "The trophy does not fit into the suitcase because _ is too large. The _ is more likely to "
        f"refer to the trophy than the suitcase because if person X is {when}, person Y waits for "
        "X, as rule 0 says."
        for when in ("late", "on time")
    }
    assert {row.item.answer for row in of.items.all()} == {1, 2}
    assert of.seats.count() == 12


def test_answers_are_paid_as_answers_about_knowledge():
    of, bob = validation(), UserFactory()
    enrol(bob, of)
    answer_all(of, [bob])
    entries = LedgerEntry.objects.filter(worker=bob)
    assert {entry.kind for entry in entries} == {"knowledge"}
    assert entries.total() == Decimal("500.00")


def test_authors_of_sentences_and_formulas_and_curators_do_not_enrol():
    alice, carol = UserFactory.create_batch(2)
    of = knowledge_set()
    pair(of, 7, by=alice)
    formula(of, carol)
    made = validation(of=of)
    for person, code in [
        (alice, "author_of_set"),
        (carol, "author_of_set"),
        (UserFactory(curator=True), "knows_labels"),
    ]:
        with refused(code):
            enrol(person, made)


def of_release(*, first):
    """A knowledge set over a release of nine pairs, with a pair about a question of the first.

    That pair is drawn into the split *first*, and the others into the other of two.
    """
    snapshot = snapshot_of(frozen(pairs=9))
    others = {"test": "train", "train": "test"}[first]
    Draw.objects.bulk_create(
        Draw(twin=twin, split=others if number else first, origin="linked", is_pair=True)
        for number, twin in enumerate(snapshot.campaign.twins.all())
    )
    release = carried(corpora.build_release(snapshot=snapshot, name="beds", by=None))
    of = services.create_knowledge_set(name="beds", by=None, release=release)
    row = next(row for row in released(release) if row.split == first)
    things = (Thing("First"), Thing("Second"))
    content = replace(
        TROPHY,
        things=things,
        options=("First", "Second"),
        answer=things[row.item.answer - 1].name,
        outcome=None,
    )
    question = services.formalise(
        knowledge_set=of, question=row.item.id, formalisation=content, formulas=[], by=None
    )
    pair(of, formalisation=question)
    return of


def test_annotators_see_no_question_whose_label_a_release_holds_back():
    of = of_release(first="test")
    with refused("not_a_problem"):
        services.begin_validation(knowledge_set=of, by=None, reward=Decimal(1))
    of.refresh_from_db()
    assert of.panel is None


def test_annotators_see_the_other_questions_of_a_release():
    of = of_release(first="train")
    made = services.begin_validation(knowledge_set=of, by=None, reward=Decimal(1))
    assert made.campaign == of.release.snapshot.campaign
    assert all("is more likely to refer to" in row.line for row in made.items.all())


@pytest.mark.long
def test_what_cannot_be_validated_is_refused():
    with refused("no_problems"):
        validation(n_pairs=0)
    with refused("no_campaign"):
        validation(of=knowledge_set("unpaid", campaign=None))
    of = knowledge_set("half")
    services.write_sentence(
        knowledge_set=of, formalisation=formalisation(of), text="All sleep.", by=None
    )
    with refused("unbalanced"):
        validation(of=of)
    wrong = [{"needed": 3}, {"needed": 7}, {"annotators": 0}, {"reward": Decimal(-1)}]
    for number, asked in enumerate(wrong):
        with pytest.raises(ValidationError):
            validation(of=knowledge_set(f"wrong-{number}"), **asked)


def test_a_set_is_validated_once():
    of = validation()
    with refused("already_begun"):
        services.begin_validation(knowledge_set=of.knowledge_set, by=None, reward=Decimal(1))


@pytest.mark.long
def test_figures_are_of_the_answers_so_far():
    of, people = validation(n_pairs=3), UserFactory.create_batch(6)
    for at, person in enumerate(people):
        enrol(person, of)
        answer_all(of, [person], lambda seat, at=at: seat.item.item.answer if at else 2)
    found = set_figures(of.knowledge_set)
    assert found.figures.n_complete == found.figures.n_valid == 6
    assert found.figures.raw.value == pytest.approx(33 / 36)
    assert found.valid == set(of.knowledge_set.sentences.values_list("pk", flat=True))
    assert set(found.annotators) == {str(person.public_id) for person in people}
    so_far = progress_of(of)
    assert (so_far.n_votes, so_far.n_wanted, so_far.n_enrolled) == (36, 36, 6)
