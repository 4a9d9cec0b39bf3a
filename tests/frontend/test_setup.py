"""A campaign from its name to its opening, and how far the starter campaign is."""

import gzip
import json
import re
from collections.abc import Callable
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Article, Assignment, Campaign, ExerciseItem
from collection.selectors.setup import checklist
from collection.services import change_status
from collection.services.campaigns.templates import guidelines_for
from tests.factories import (
    ARTICLE,
    ArticleFactory,
    CampaignFactory,
    StarterLoadFactory,
    TwinFactory,
    UserFactory,
)
from tests.frontend.pages import source, words
from tests.refusals import refusal
from winoplatform.runs.models import RunStatus
from workers.models import Qualification, User

TEXT = "Lay every shirt flat on the bed and roll it tightly before it goes into the suitcase."
LINES = [{"title": "How to pack", "text": TEXT}, {"title": "", "text": TEXT}, {"title": "x"}]


@pytest.fixture
def draft(db: None) -> Campaign:
    return CampaignFactory(slug="spring", name="Spring", status="draft")


def named(name: str, content: bytes) -> BytesIO:
    file = BytesIO(content)
    file.name = name
    return file


def jsonl(*rows: object) -> BytesIO:
    return named("articles.jsonl", "\n".join(map(json.dumps, rows)).encode())


def examine(client: Client, **body: object) -> object:
    return client.post(reverse("campaign-articles", args=["spring"]), body)


@pytest.mark.long
def test_a_name_is_enough_for_a_draft_with_texts(as_dana: Client) -> None:
    asked = {"name": "Spring & fall", "task": "people", "people_origin": "crowd"} | NEW
    made = as_dana.post(reverse("new-campaign"), asked)
    campaign = Campaign.objects.get()
    assert campaign.people_origin == "crowd"
    assert made["Location"] == reverse("campaign-articles", args=["spring-fall"])
    assert campaign.status == "draft"
    assert "12 to 20 words" in campaign.guidelines
    assert "Twins about things do not belong" in campaign.guidelines
    skills = set(ExerciseItem.objects.values_list("skill", "part"))
    assert skills == {("write", "test"), ("validate", "training")}
    assert not ExerciseItem.objects.filter(prompt__contains="the _").exists()
    as_dana.post(reverse("new-campaign"), {"name": "Spring & fall"} | NEW)
    both = Campaign.objects.get(slug="spring-fall-2")
    assert both.exercise.filter(prompt__contains="the _").exists()


NEW = {
    "reward_twin": "0.40", "reward_vote": "0.03", "votes_per_question": "3", "currency": "USD",
    "min_words": "12", "max_words": "20", "min_overlap": "0.7", "assignment_minutes": "60",
    "vote_minutes": "3", "trigger_uses_max": "10", "exercise_pass_share": "0.8",
    "exercise_attempts": "2", "reward_exercise": "0.5", "paste_policy": "note", "least_group": "5",
    "verdict_policy": "majority", "extra_votes_max": "0", "gold_share": "0",
    "gold_pass_share": "0.7", "dev_share": "0.1", "test_share": "0.1", "near_duplicate": "0.6",
}  # fmt: skip


@pytest.mark.long
def test_a_form_that_is_sent_twice_makes_one_campaign(as_dana: Client) -> None:
    page = source(as_dana.get(reverse("new-campaign")))
    [key] = re.findall(r'name="public_id" value="([0-9a-f-]+)"', page)
    body = {"name": "Spring", "task": "both", "public_id": key} | NEW
    first, again = (as_dana.post(reverse("new-campaign"), body) for _ in range(2))
    assert first["Location"] == again["Location"] == reverse("campaign-articles", args=["spring"])
    as_dana.post(reverse("new-campaign"), body | {"public_id": ""})
    assert set(Campaign.objects.values_list("slug", flat=True)) == {"spring", "spring-2"}


def test_guidelines_tell_the_rule_by_which_questions_count(as_dana: Client) -> None:
    for policy, said in (("majority", "if most validators choose"), ("unanimous", "if every")):
        planned = Campaign(verdict_policy=policy)
        assert said in guidelines_for("both", planned)


def test_files_are_shown_before_anything_is_stored(as_dana: Client, draft: Campaign) -> None:
    shown = examine(as_dana, file=jsonl(*LINES))
    report = shown.context["report"]  # type: ignore[attr-defined]
    assert (report.lines, report.imported, report.n_rejected) == (3, 1, 2)
    assert "field title is missing" in words(shown)  # type: ignore[arg-type]
    assert not Article.objects.exists()
    body = {"examined": shown.context["examined"]}  # type: ignore[attr-defined]
    for _ in range(2):
        as_dana.post(reverse("import-articles", args=["spring"]), body)
    assert [article.title for article in draft.articles.all()] == ["How to pack"]


def test_a_preview_without_files_leaves_the_one_before(as_dana: Client, draft: Campaign) -> None:
    shown = examine(as_dana, file=jsonl(*LINES))
    assert "First articles How to pack" in words(shown)  # type: ignore[arg-type]
    again = examine(as_dana, examined=shown.context["examined"])  # type: ignore[attr-defined]
    assert "Choose files, or a campaign." in words(again)  # type: ignore[arg-type]
    assert "First articles How to pack" in words(again)  # type: ignore[arg-type]
    assert again.context["examined"] == shown.context["examined"]  # type: ignore[attr-defined]
    assert "report" not in examine(as_dana, examined="x").context  # type: ignore[attr-defined]


def test_several_texts_are_one_article_each(as_dana: Client, draft: Campaign) -> None:
    files = [named("../../etc/a.txt", f"One\n\n{TEXT}".encode()), named("b.md", b"# Two\n\nof the")]
    shown = examine(as_dana, file=files)
    report = shown.context["report"]  # type: ignore[attr-defined]
    assert (report.imported, report.rejected) == (1, {"no_anchor": 1})


def test_files_of_the_same_name_are_an_article_each(as_dana: Client, draft: Campaign) -> None:
    texts = [f"Title\n{text} {TEXT}".encode() for text in ("First.", "Second.")]
    for content in (*texts, *texts):
        shown = examine(as_dana, file=named("index.txt", content))
        body = {"examined": shown.context.get("examined", "")}  # type: ignore[attr-defined]
        as_dana.post(reverse("import-articles", args=["spring"]), body)
    first, second = draft.articles.order_by("pk").values_list("source_id", flat=True)
    assert first == "index.txt"
    assert second.startswith("index.txt-")


def test_two_files_of_one_name_are_examined_together(as_dana: Client, draft: Campaign) -> None:
    files = [named("index.txt", f"Title\n{text} {TEXT}".encode()) for text in ("One.", "Two.")]
    report = examine(as_dana, file=files).context["report"]  # type: ignore[attr-defined]
    assert (report.imported, report.already_there, report.n_rejected) == (2, 0, 0)


def test_the_articles_of_another_campaign_are_copied(as_dana: Client, draft: Campaign) -> None:
    other = ArticleFactory(campaign__slug="other").campaign
    shown = examine(as_dana, source="other")
    body = {"examined": shown.context["examined"]}  # type: ignore[attr-defined]
    as_dana.post(reverse("import-articles", args=["spring"]), body)
    assert draft.articles.get().text == other.articles.get().text


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (named("big.txt", b"a " * 600_000), "more than 1 MB"),
        (named("huge.txt", b"a " * 5_000_000), "more than 1 MB"),
        (named("a.jsonl.gz", gzip.compress(b"{}" * 9)), "Unpack"),
    ],
    ids=["1.2 MB", "10 MB", "gzip"],
)
def test_what_cannot_be_read_is_refused(
    file: BytesIO, told: str, as_dana: Client, draft: Campaign
) -> None:
    file.seek(0)
    answer = examine(as_dana, file=file)
    assert answer.status_code == 400  # type: ignore[attr-defined]
    assert told in words(answer)  # type: ignore[arg-type]


def test_what_another_curator_examined_is_not_imported(
    as_dana: Client, draft: Campaign, browse: Callable[[User], Client]
) -> None:
    shown = examine(as_dana, file=jsonl(LINES[0]))
    body = {"examined": shown.context["examined"]}  # type: ignore[attr-defined]
    CampaignFactory(slug="autumn", status="draft")
    as_dana.post(reverse("import-articles", args=["autumn"]), body)
    other = browse(UserFactory(curator=True))
    other.post(reverse("import-articles", args=["spring"]), body)
    assert not Article.objects.exists()


def test_a_campaign_without_articles_cannot_open(as_dana: Client, draft: Campaign) -> None:
    error = refusal(change_status, campaign=draft, status="open")
    assert (error.code, error.status) == ("no_articles", 409)
    on_page = as_dana.post(reverse("change-status", args=["spring"]), {"status": "open"})
    assert (on_page.status_code, "has no articles" in words(on_page)) == (409, True)
    assert (on_page.context["campaign"].status, on_page.context["moves"]) == ("draft", ["open"])
    over_rest = as_dana.post(
        "/api/v1/campaigns/spring/status/", {"status": "open"}, "application/json"
    )
    assert over_rest.json()["error"]["code"] == "no_articles"
    draft.refresh_from_db()
    assert draft.status == "draft"
    checklist_page = reverse("campaign-setup", args=["spring"])
    assert "Open the campaign" not in words(as_dana.get(checklist_page))
    ArticleFactory(campaign=draft)
    assert "Open the campaign" in words(as_dana.get(checklist_page))
    as_dana.post(reverse("change-status", args=["spring"]), {"status": "open"})
    draft.refresh_from_db()
    assert draft.status == "open"


def test_imported_questions_are_enough_to_open(draft: Campaign) -> None:
    TwinFactory(campaign=draft)
    assert change_status(campaign=draft, status="open").status == "open"


def test_the_checklist_says_what_is_missing_and_where(as_dana: Client, draft: Campaign) -> None:
    assert not any(line.is_done for line in checklist(draft))
    page = as_dana.get(reverse("campaign-setup", args=["spring"]))
    for step in page.context["steps"]:
        assert as_dana.get(step.address).status_code == 200
        assert step.about in words(page)
    assert "A pair needs 6 validators besides its writer: invite 6 more." in words(page)


@pytest.mark.parametrize("skill", ["write", "validate"])
def test_a_preview_stores_nothing(skill: str, as_dana: Client, draft: Campaign) -> None:
    address = reverse("campaign-preview", args=["spring"]) + f"?as={skill}"
    assert "No guidelines yet" in words(as_dana.get(address))
    ArticleFactory(campaign=draft)
    shown = as_dana.get(address)
    assert shown.status_code == 200
    assert "inert" in source(shown)
    assert not Assignment.objects.exists()
    assert not Qualification.objects.exists()


@pytest.mark.long
def test_an_article_is_read_corrected_and_withdrawn(as_dana: Client, draft: Campaign) -> None:
    article = ArticleFactory(campaign=draft)
    listed = source(as_dana.get(reverse("campaign-articles", args=["spring"]), {"q": "suitcase"}))
    address = reverse("campaign-article", args=["spring", article.public_id])
    assert address in listed
    page = as_dana.get(address)
    assert "Put the heavy shoes at the bottom" in words(page)
    assert 'class="anchor"' in source(page)
    form = {"title": article.title, "category": "", "text": f"{ARTICLE} Close the lid."}
    refusal = as_dana.post(address, form | {"text": "And so on."})
    assert refusal.status_code == 400
    assert "no content word" in words(refusal)
    last = as_dana.post(address, form)["Location"]
    assert "Close the lid." in words(as_dana.get(last))
    assert "Read the last version" in words(as_dana.get(address))
    late = as_dana.post(address, form | {"title": "Late"})
    assert late.status_code == 409
    assert "corrected in the meantime" in words(late)
    withdrawn = as_dana.post(f"{last}withdraw/", follow=True)
    assert "no writer gets it" in words(withdrawn)
    assert "Articles (0)" in words(as_dana.get(reverse("campaign-articles", args=["spring"])))
    as_dana.post(f"{last}withdraw/", {"again": "1"})
    assert draft.articles.current().count() == 1


def test_a_title_without_a_text_is_rejected(as_dana: Client, draft: Campaign) -> None:
    page = examine(as_dana, file=[named("a.txt", b"How to pack a suitcase\n")])
    assert "text is missing" in words(page)
    sentence = named("b.txt", b"Lay every shirt on the bed and fold it twice.")
    assert "Lay every shirt on the bed" in words(examine(as_dana, file=[sentence]))


Browse = Callable[[User], Client]
POLLS = 'hx-get="/starter/"'
RUNNING = {
    "status": RunStatus.RUNNING, "done": 257, "total": 1392, "activity": "53 of 1,188 votes given"
}  # fmt: skip


@pytest.fixture
def pages(db: None, bob: User, dana: User, browse: Browse) -> list[tuple[Client, str]]:
    """The first page of nobody, a worker and a curator."""
    return [(Client(), "/sign-in/"), (browse(bob), "/"), (browse(dana), "/")]


def test_every_first_page_shows_how_far_it_is_and_asks_again(
    pages: list[tuple[Client, str]],
) -> None:
    StarterLoadFactory(**RUNNING, started_at=timezone.now(), leased_until=timezone.now())
    StarterLoadFactory._meta.model.objects.update(leased_until=None)
    for client, path in pages:
        page = client.get(path)
        assert "The starter campaign is being loaded." in words(page)
        assert "18% · 53 of 1,188 votes given" in words(page)
        assert '<progress max="1" value="0.1846" aria-label="The starter' in source(page)
        assert POLLS in source(page)
        assert POLLS in source(client.get(reverse("starter")))


def test_once_it_is_there_the_last_answer_says_so_and_nobody_asks_again(
    pages: list[tuple[Client, str]],
) -> None:
    StarterLoadFactory(finished=True)
    for client, path in pages:
        assert 'id="starter"' not in source(client.get(path))
        answer = client.get(reverse("starter"))
        assert "The starter campaign is loaded." in words(answer)
        assert POLLS not in source(answer)


def test_where_none_was_asked_for_nothing_is_said(pages: list[tuple[Client, str]]) -> None:
    for client, path in pages:
        assert 'id="starter"' not in source(client.get(path))
        assert words(client.get(reverse("starter"))) == ""


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.CANCELLED])
def test_one_that_ended_early_is_said_and_a_curator_lets_it_continue(
    status: RunStatus, pages: list[tuple[Client, str]]
) -> None:
    load = StarterLoadFactory(status=status, failure="The disk is full.", ended_at=timezone.now())
    for client, path in pages[:2]:
        text = words(client.get(path))
        assert "The starter campaign is incomplete" in text
        assert "A curator can resume it." in text
        assert "The disk is full." not in text
    dana, path = pages[2]
    page = dana.get(path)
    assert ("The disk is full." in words(page)) == (status == RunStatus.FAILED)
    assert POLLS not in source(page)
    dana.post(reverse("resume-run", args=["starterload", load.public_id]))
    load.refresh_from_db()
    assert load.status == RunStatus.QUEUED


def test_a_load_that_waits_says_for_what(pages: list[tuple[Client, str]]) -> None:
    StarterLoadFactory()
    for client, path in pages:
        assert "waiting for a worker" in words(client.get(path))
