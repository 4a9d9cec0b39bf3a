"""The machine's guess must not tell the answers that it was trained on: some are blind labels."""

from typing import Any

import pytest

from collection.models import Assignment, Campaign, Question, Twin
from collection.services import TwinText
from collection.signals import advice_wanted
from filtering import guessing, runner, services
from filtering.models import FilterRun, Guess
from filtering.services import guesses as asking
from tests.collection.stored_twins import stored
from tests.factories import QuestionFactory, TwinFactory, UserFactory, VoteFactory
from tests.filtering.guessable import guessable, new_twin, run_over, writing_in
from tests.filtering.stages import read

pytestmark = pytest.mark.django_db
LONE = "Long after midnight Tom carried the trophy past the suitcase because the _ shone brightly."
INVENTED = "Paula drew the trophy and the suitcase for a calendar, and only the _ came out well."
UNLIKE = (
    "On Sunday Mary painted the fence beside the old barn with oil since the _ looked too dull.",
    "On Sunday Mary painted the fence beside the old barn with oil since the _ looked too shiny.",
)


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking.current_app, "send_task", lambda *_, **__: None)
    guessing._members.cache_clear()


@pytest.fixture(scope="module")
def own_run_kept(kept: str) -> int:
    """Over a snapshot of the campaign's own questions, a lone second one among them."""
    first, *others = guessable(pairs=30)[::2]
    campaign = TwinFactory(published=True, sentences=both(first.sentence)).campaign
    for question in others:
        TwinFactory(published=True, campaign=campaign, sentences=both(question.sentence))
    lone = TwinFactory(published=True, campaign=campaign)
    lone.questions.all().delete()
    QuestionFactory(twin=lone, number=2, sentence=LONE)
    snapshot = services.take_snapshot(campaign=campaign, by=None)
    runner.carry_snapshot(snapshot.pk)
    return run_over(snapshot).pk


@pytest.fixture
def run(own_run_kept: int) -> FilterRun:
    return FilterRun.objects.get(pk=own_run_kept)


def both(sentence: str) -> tuple[str, str]:
    return sentence, sentence.replace("large", "small")


def kept(run: FilterRun, number: int) -> str:
    ids = read(run.kept).split()
    questions = Question.objects.filter(public_id__in=ids, number=number).exclude(sentence=LONE)
    question = questions.order_by("pk").first()
    assert question is not None
    return question.sentence


def ask(campaign: Campaign, sentences: tuple[str, str], **changes: Any) -> Guess | None:
    held = writing_in(campaign)
    text = new_twin(sentences=sentences, **changes)
    return services.ask_guess(worker=held.worker, assignment=held, text=text)


WAYS = {
    "as it is": str,
    "in capitals": str.upper,
    "with wide gaps": lambda sentence: f"  {sentence.replace(' ', '   ')}",
    "without its full stop": lambda sentence: sentence.rstrip("."),
    "with accents": lambda sentence: sentence.translate(str.maketrans("aeiou", "áéíóú")),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("which", ["first", "second", "lone"])
def test_no_question_of_the_campaign_is_guessed_beside_an_invented_partner(
    which: str, way: str, run: FilterRun
) -> None:
    sentence = LONE if which == "lone" else kept(run, 1 if which == "first" else 2)
    asked, invented = WAYS[way](sentence), WAYS[way](INVENTED)
    options = WAYS[way]("trophy").strip(), WAYS[way]("suitcase").strip()
    campaign = run.encoding.snapshot.campaign
    for answers in ((1, 2), (2, 1)):
        fields = {"options": options, "answers": answers}
        assert ask(campaign, (asked, invented), **fields) is None
        assert ask(campaign, (invented, asked), **fields) is None
    assert not Guess.objects.exists()


def test_nor_is_one_that_is_nearly_the_same(run: FilterRun) -> None:
    near = kept(run, 1).replace("The trophy", "The shiny trophy")
    campaign = run.encoding.snapshot.campaign
    assert ask(campaign, (near, INVENTED)) is None
    assert ask(campaign, (INVENTED, near)) is None
    assert ask(campaign, UNLIKE, options=("fence", "barn")) is not None  # the control


def test_one_sentence_cannot_be_asked_for_twice(run: FilterRun) -> None:
    campaign = run.encoding.snapshot.campaign
    for answers in ((1, 1), (2, 2)):
        assert ask(campaign, UNLIKE, options=("fence", "barn"), answers=answers) is None


def test_hidden_characters_hide_nothing(run: FilterRun) -> None:
    hidden = tuple(sentence.replace("e", "e\u200b") for sentence in UNLIKE)
    assert ask(run.encoding.snapshot.campaign, hidden, options=("oil", "On")) is None


# -- what became a question after it was guessed ---------------------------------------------------


@pytest.fixture
def campaign(run_kept: int) -> Campaign:
    return FilterRun.objects.get(pk=run_kept).encoding.snapshot.campaign


def advised(campaign: Campaign, leave_out: Twin | None = None) -> list[str]:
    found = advice_wanted.send(sender=Twin, campaign=campaign, text=new_twin(), leave_out=leave_out)
    return [finding.code for _, few in found for finding in few]


def test_a_guess_is_not_given_once_its_text_is_a_question(campaign: Campaign) -> None:
    held = writing_in(campaign)
    guess = ask(campaign, new_twin().sentences)
    assert guess is not None
    guessing.answer_guess(guess.pk)
    assert advised(campaign) == ["machine_guesses"]
    twin = stored(campaign, new_twin().sentences, author=held.worker, assignment=held)
    assert advised(campaign) == []
    assert advised(campaign, leave_out=twin) == ["machine_guesses"]


# -- whose guess -----------------------------------------------------------------------------------

Status = Assignment.Status


@pytest.mark.parametrize(
    ("status", "asks"),
    [
        (Status.OPEN, True),
        (Status.SUBMITTED, True),
        (Status.WITHDRAWN, True),
        (Status.RETURNED, False),
        (Status.EXPIRED, False),
    ],
)
def test_one_asks_while_one_writes_or_revises(status: str, asks: bool, campaign: Campaign) -> None:
    held = writing_in(campaign)
    if status == Status.SUBMITTED:
        stored(campaign, new_twin().sentences, author=held.worker, assignment=held)
    Assignment.objects.update(status=status)
    assert (ask(campaign, new_twin().sentences) is not None) == asks


def test_who_cannot_revise_a_twin_any_more_asks_for_nothing(campaign: Campaign) -> None:
    held = writing_in(campaign)
    twin = stored(campaign, new_twin().sentences, author=held.worker, assignment=held)
    Assignment.objects.update(status=Status.SUBMITTED)
    VoteFactory(question=twin.questions.get(number=1))
    assert ask(campaign, new_twin().sentences) is None


def test_nobody_asks_with_another_ones_assignment(campaign: Campaign) -> None:
    held = writing_in(campaign)
    text: TwinText = new_twin()
    assert services.ask_guess(worker=UserFactory(), assignment=held, text=text) is None
    assert services.ask_guess(worker=held.worker, assignment=held, text=text) is not None


def test_nobody_asks_in_a_closed_campaign(campaign: Campaign) -> None:
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    campaign.refresh_from_db()
    assert ask(campaign, new_twin().sentences) is None
