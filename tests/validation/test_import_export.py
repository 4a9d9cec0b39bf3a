"""import(export(x)) = x, in every form; what is no export is refused, and nothing is stored."""

import json
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from collection.models import Campaign, Consent, Guideline, Question, Twin
from collection.services import create_campaign, update_campaign
from tests.factories import (
    CampaignFactory,
    ConsentFactory,
    GuidelineFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.validation.validated import JANUARY, a_question, validated, vote
from validation.exports.campaigns import write_campaign
from validation.imports import campaigns
from validation.imports.campaigns import import_export
from validation.imports.values import for_database
from validation.models import GoldQuestion, Seat, Verdict, Vote
from validation.selectors import campaign_people
from validation.services.verdicts.verdicts import decided
from winoplatform.errors import DomainError
from winoplatform.exporting.columns import Column, Kind
from workers.models import LedgerEntry, User

FORMS = ("jsonl", "csv", "parquet")
EVERYTHING = (Vote, Seat, GoldQuestion, Verdict, Question, Twin, Consent, Guideline)


@pytest.fixture
def winter(db: None) -> Campaign:
    """A campaign with one of each thing that an export can contain."""
    campaign = create_campaign(slug="winter", name="Winter", by=UserFactory(curator=True))
    people = UserFactory.create_batch(3)
    guideline = GuidelineFactory(campaign=campaign, version=4)
    ConsentFactory(worker=people[0], guideline=guideline, skill="validate", created_at=JANUARY)
    first = validated(campaign, people, True, True, False, at=JANUARY + timedelta(hours=1))
    decision = decided(first, list(first.votes.all()))
    VerdictFactory(
        question=first, valid=decision.valid, reasons=list(decision.reasons),
        counts=decision.counts, version=decision.version,
    )  # fmt: skip
    typed = ["=SUM(1)", "'=1", "two\r\nlines", 'a "quote", comma', "\ttab", "ß – “ok”"]
    for number, comment in enumerate(typed):
        at = JANUARY + timedelta(hours=2, seconds=30 * number, microseconds=number)
        vote(a_question(campaign), people[number % 3], at=at, comment=comment)
    excluded = vote(a_question(campaign), people[1], at=JANUARY + timedelta(hours=3))
    Vote.objects.filter(pk=excluded.pk).update(
        excluded_at=JANUARY, exclusion_reason="-hasty", excluded_by=UserFactory(curator=True)
    )
    old = TwinFactory(campaign=campaign, withdrawn_at=JANUARY, anchor="@anchor")
    TwinFactory(campaign=campaign, published=True)
    update_campaign(
        campaign=campaign, by=UserFactory(curator=True), votes_per_question=5,
        min_overlap=Decimal("0.8"), budget_cap=Decimal(900), blocking=["near_duplicate"],
    )  # fmt: skip
    campaign.refresh_from_db()
    TwinFactory(campaign=campaign, revises=old)
    Twin.objects.filter(pk=old.pk).update(advice=[{"code": "x", "value": 1.50}])
    VerdictFactory(
        question=old.questions.get(number=1), valid=False, reasons=["excluded_by_curator"],
        decided_by=UserFactory(curator=True),
    )  # fmt: skip
    return campaign


def files_of(campaign: Campaign, form: str, folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in write_campaign(campaign, form, folder)}


def empty_the_platform() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("TRUNCATE collection_campaign, workers_user CASCADE")


@pytest.mark.parametrize("form", FORMS)
def test_an_export_of_an_import_has_the_same_bytes(
    winter: Campaign, tmp_path: Path, form: str
) -> None:
    before = files_of(winter, form, tmp_path)
    assert all(before[f"{name}.{form}"] for name in ("twins", "questions", "votes", "settings"))
    settings = winter.settings
    empty_the_platform()
    done = import_export(folder=tmp_path, slug="winter")
    assert done.new == done.read
    assert Campaign.objects.get().settings == settings | {"name": "winter (imported)"}
    assert min(done.read[name] for name in ("twins", "questions", "votes")) > 5
    after = files_of(Campaign.objects.get(), form, tmp_path / "again")
    assert after == before
    assert not User.objects.filter(is_active=True).exists()
    assert not LedgerEntry.objects.exists()
    call_command("check_ledger")
    again = import_export(folder=tmp_path, slug="winter")
    assert set(again.new.values()) == {0}
    assert files_of(Campaign.objects.get(), form, tmp_path / "again") == before


def changed(folder: Path, name: str, line: int, **values: Any) -> None:
    path = folder / f"{name}.jsonl"
    lines = path.read_text().splitlines()
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | values)
    path.write_text("\n".join(lines) + "\n")


def first_change(folder: Path) -> str:
    first, _ = (folder / "settings.jsonl").read_text().splitlines()
    return str(json.loads(first)["change"])


def cut(folder: Path) -> None:
    path = folder / "votes.jsonl"
    path.write_bytes(path.read_bytes()[:-40])


def doubled(folder: Path) -> None:
    path = folder / "votes.jsonl"
    path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n" + path.read_bytes())


ATTACKS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a history with another past": (
        lambda f: changed(f, "settings", 2, before={"votes_per_question": 3}), "line 2",
    ),
    "a history with a hole": (
        lambda f: changed(f, "settings", 2, before={"max_words": 29}, after={"max_words": 28}),
        "settings.jsonl, line 2: Its settings were others before",
    ),
    "an unknown setting": (
        lambda f: changed(f, "settings", 1, after={"is_staff": True}), "settings.jsonl, line 1",
    ),
    "a setting that cannot be": (
        lambda f: changed(f, "settings", 2, before={"max_words": 30}, after={"max_words": "x"}),
        "settings.jsonl, line 2: The setting max_words",
    ),
    "settings that contradict each other": (
        lambda f: changed(f, "settings", 2, before={"max_words": 30}, after={"max_words": 4}),
        "The maximum length must not be below the minimum",
    ),
    "a change twice": (
        lambda f: changed(f, "settings", 2, change=first_change(f)), "settings.jsonl, line 2",
    ),
    "an author’s twin without its settings": (
        lambda f: changed(f, "twins", 1, max_words=None), "twins.jsonl, line 1",
    ),
    "another policy": (
        lambda f: changed(f, "twins", 1, verdict_policy="coin"), "twins.jsonl, line 1",
    ),
    "another verdict": (
        lambda f: changed(f, "questions", 1, valid=False, reasons=["local"]), "line 1",
    ),
    "other counts": (lambda f: changed(f, "questions", 1, counts={"votes": 3}), "line 1"),
    "another label": (lambda f: changed(f, "questions", 2, answer=1), "questions.jsonl, line 2"),
    "another option": (lambda f: changed(f, "votes", 2, option=2), "line"),
    "a derived value": (lambda f: changed(f, "votes", 5, seconds_local=1), "votes.jsonl, line 5"),
    "an unknown twin": (lambda f: changed(f, "questions", 3, twin=str(JANUARY)), "line 3"),
    "a NUL": (lambda f: changed(f, "votes", 4, comment="\0"), "votes.jsonl, line 4"),
    "half a character": (lambda f: changed(f, "votes", 4, comment="\ud800"), "votes.jsonl, line 4"),
    "a long text": (lambda f: changed(f, "twins", 2, option1="x" * 121), "twins.jsonl, line 2"),
    "a wrong type": (lambda f: changed(f, "votes", 3, option="1"), "votes.jsonl, line 3"),
    "a further column": (lambda f: changed(f, "votes", 3, admin=True), "votes.jsonl, line 3"),
    "half a verdict": (lambda f: changed(f, "questions", 1, policy=None), "line 1"),
    "a row twice": (doubled, "votes.jsonl, line 2"),
    "a cut file": (cut, "votes.jsonl, line 10"),
}  # fmt: skip


def test_a_hostile_file_is_refused_with_its_line_and_nothing_is_stored(
    winter: Campaign, tmp_path: Path
) -> None:
    files_of(winter, "jsonl", tmp_path)
    empty_the_platform()
    whole = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for attack, (change, place) in ATTACKS.items():
        change(tmp_path)
        with pytest.raises(DomainError) as refused:
            import_export(folder=tmp_path, slug="winter")
        assert place in refused.value.message, attack
        assert not any(kind.objects.exists() for kind in (*EVERYTHING, User, Campaign)), attack
        for path, content in whole.items():
            path.write_bytes(content)


@pytest.mark.long
def test_settings_follow_the_file_of_an_imported_campaign_and_of_no_other(
    winter: Campaign, tmp_path: Path
) -> None:
    files_of(winter, "jsonl", tmp_path)
    update_campaign(campaign=winter, max_words=25)
    import_export(folder=tmp_path, slug="winter")
    assert Campaign.objects.get().max_words == 25
    newer = tmp_path / "newer"
    files_of(winter, "jsonl", newer)
    empty_the_platform()
    for folder, expected in ((tmp_path, 30), (newer, 25), (tmp_path, 25)):
        import_export(folder=folder, slug="winter")
        assert Campaign.objects.get().max_words == expected
    create_campaign(slug="summer", name="Summer")
    with pytest.raises(DomainError, match="another history"):
        import_export(folder=newer, slug="summer")


def test_it_adds_nothing_to_the_account_of_a_person(winter: Campaign, tmp_path: Path) -> None:
    files_of(winter, "jsonl", tmp_path)
    person = Vote.objects.earliest("pk").worker.public_id
    empty_the_platform()
    UserFactory(public_id=person)
    with pytest.raises(DomainError, match=r"consents\.jsonl, line 1: The account"):
        import_export(folder=tmp_path, slug="winter")


@pytest.mark.long
@pytest.mark.parametrize("name", ["votes.parquet", "votes.csv"])
def test_what_is_damaged_is_refused(winter: Campaign, tmp_path: Path, name: str) -> None:
    files_of(winter, name.partition(".")[2], tmp_path)
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DomainError, match=r"^votes"):
        import_export(folder=tmp_path, slug="other")


def test_an_import_that_is_killed_midway_leaves_nothing(
    winter: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files_of(winter, "csv", tmp_path)
    empty_the_platform()

    def killed(*args: Any) -> None:
        assert Vote.objects.exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(campaigns, "refuse_differing", killed)
    with pytest.raises(KeyboardInterrupt), transaction.atomic():
        import_export(folder=tmp_path, slug="winter")
    assert not any(kind.objects.exists() for kind in (*EVERYTHING, User, Campaign))


def test_the_commands_write_and_read_a_folder(
    winter: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("export_campaign", "winter", str(tmp_path), "--format", "csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "consents.csv", "disclosures.csv", "draws.csv", "guidelines.csv", "people.csv",
        "questions.csv", "settings.csv", "twins.csv",
        "votes.csv",
    ]  # fmt: skip
    call_command("import_export", str(tmp_path), "--campaign", "winter")
    assert "an import cannot verify it" in capsys.readouterr().out
    with pytest.raises(CommandError, match=r"one file twins"):
        call_command("import_export", str(tmp_path / "none"), "--campaign", "winter")
    with pytest.raises(CommandError, match="no campaign"):
        call_command("export_campaign", "summer", str(tmp_path))


def test_several_processes_write_each_table_once_with_the_same_bytes(
    winter: Campaign, tmp_path: Path
) -> None:
    call_command("export_campaign", "winter", str(tmp_path / "alone"))
    whole = {path.name: path.read_bytes() for path in (tmp_path / "alone").iterdir()}
    parts: list[tuple[str, bytes]] = []
    for index in range(4):
        folder = tmp_path / str(index)
        call_command("export_campaign", "winter", str(folder), index=index, of=4)
        parts += [(path.name, path.read_bytes()) for path in folder.iterdir()]
    assert sorted(parts) == sorted(whole.items())


def test_simulated_people_stay_simulated_through_an_export_and_an_import(
    winter: Campaign, tmp_path: Path
) -> None:
    author = winter.twins.earliest("pk").author
    assert author is not None
    User.objects.filter(pk=author.pk).update(origin="simulated")
    voter = Vote.objects.exclude(worker=author).earliest("pk").worker
    User.objects.filter(pk=voter.pk).update(origin="crowd", platform="=Prolific")
    Campaign.objects.filter(pk=winter.pk).update(people_origin="invited")
    before = campaign_people(Campaign.objects.get())
    files_of(Campaign.objects.get(), "csv", tmp_path)
    empty_the_platform()
    import_export(folder=tmp_path, slug="elsewhere")
    campaign = Campaign.objects.get()
    assert campaign_people(campaign) == before
    assert before.origins == ("simulated", "invited", "crowd", "imported")
    assert User.objects.get(public_id=voter.public_id).platform == "=Prolific"
    assert User.objects.get(public_id=author.public_id).origin == "simulated"


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: changed(f, "people", 1, person_origin="not_stated"), "has the value"),
        (lambda f: changed(f, "people", 1, person_platform="Prolific"), "has a platform"),
        (lambda f: changed(f, "people", 1, person="w-0"), "is missing"),
        (lambda f: (f / "people.jsonl").unlink(), "needs one file people"),
    ],
)
def test_people_without_a_known_origin_are_refused(
    winter: Campaign, tmp_path: Path, change: Callable[[Path], None], said: str
) -> None:
    files_of(winter, "jsonl", tmp_path)
    empty_the_platform()
    change(tmp_path)
    with pytest.raises(DomainError, match=said):
        import_export(folder=tmp_path, slug="winter")


def test_a_simulated_campaign_is_added_to_no_other_and_people_do_not_change(
    winter: Campaign, tmp_path: Path
) -> None:
    Campaign.objects.update(people_origin="simulated")
    files_of(Campaign.objects.get(), "jsonl", tmp_path)
    empty_the_platform()
    real = CampaignFactory(slug="real")
    TwinFactory(campaign=real)
    with pytest.raises(DomainError, match="Its campaign is of simulated people, this one is not"):
        import_export(folder=tmp_path, slug="real")
    import_export(folder=tmp_path, slug="winter")
    assert Campaign.objects.get(slug="winter").people_origin == "simulated"
    assert set(User.objects.filter(twins__campaign__slug="winter").values_list("origin")) == {
        ("simulated",)
    }
    changed(tmp_path, "people", 1, person_origin="crowd")
    with pytest.raises(DomainError, match="knows another origin"):
        import_export(folder=tmp_path, slug="winter")


@pytest.mark.long
def test_texts_of_simulated_people_cannot_be_imported_as_those_of_others(
    winter: Campaign, tmp_path: Path
) -> None:
    files_of(winter, "jsonl", tmp_path)
    empty_the_platform()
    starter = CampaignFactory(people_origin="simulated")
    TwinFactory(campaign=starter)  # with the sentences of the file
    refusal = r"people\.jsonl: Simulated people of this platform wrote"
    with pytest.raises(DomainError, match=refusal):
        import_export(folder=tmp_path, slug="winter")
    assert not Campaign.objects.filter(slug="winter").exists()
    campaign_origin(tmp_path, "simulated")
    import_export(folder=tmp_path, slug="winter")
    assert campaign_people(Campaign.objects.get(slug="winter")).is_simulated


@pytest.mark.long
def test_a_campaign_that_pays_more_than_the_limit_here_can_be_imported(
    winter: Campaign, tmp_path: Path
) -> None:
    files_of(winter, "jsonl", tmp_path)
    empty_the_platform()
    history = tmp_path / "settings.jsonl"
    text = history.read_text()
    assert '"reward_twin": "0.40"' in text
    history.write_text(text.replace('"reward_twin": "0.40"', '"reward_twin": "600.00"'))
    import_export(folder=tmp_path, slug="winter")
    assert Campaign.objects.get().reward_twin == 600
    history.write_text(text.replace('"reward_twin": "0.40"', '"reward_twin": "1e2"'))
    with pytest.raises(DomainError, match="The setting reward_twin cannot be"):
        import_export(folder=tmp_path, slug="other")


def campaign_origin(folder: Path, origin: str) -> None:
    """State the origin of the campaign's people in the files of an export."""
    for path in (folder / "people.jsonl", folder / "settings.jsonl"):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for row in rows:
            row |= {"campaign_origin": origin} if "campaign_origin" in row else {}
            if "people_origin" in row.get("after", {}):
                row["after"]["people_origin"] = origin
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


@pytest.mark.parametrize(
    ("text", "is_stored"),
    [("\\u0000wide", True), ("\\\\u0000", True), ("\0wide", False), ("\\\0", False)],
)
def test_a_nul_is_told_from_the_six_characters_of_its_escape(text: str, is_stored: bool) -> None:
    columns = {"trigger": Column(None, Kind.JSON)}
    if is_stored:
        [stored] = for_database(columns, {"trigger": [text]})
        assert json.loads(stored) == [text]
    else:
        with pytest.raises(ValueError, match="cannot be stored"):
            for_database(columns, {"trigger": [text]})


def test_the_escape_of_a_nul_in_a_text_survives_an_export_and_an_import(
    winter: Campaign, tmp_path: Path
) -> None:
    trigger = {"first": "\\u0000wide.", "second": "\\u0000narrow."}
    Twin.objects.filter(pk=winter.twins.earliest("pk").pk).update(trigger=trigger)
    files_of(winter, "jsonl", tmp_path)
    empty_the_platform()
    import_export(folder=tmp_path, slug="winter")
    assert Twin.objects.earliest("pk").trigger == trigger


EARLIER = {
    "twins": {
        "twin": "d3f61f83-055f-4794-b5d1-76ba70d5b394", "revises": None, "origin": "authored",
        "source_id": "", "source_split": "", "domain": "physical", "anchor": "towel",
        "option1": "bottle", "option2": "chair",
        "trigger": {"first": "\\u0000wide.", "second": "\\u0000narrow."},
        "warnings": [], "advice": [], "author": "w-c823de267baf", "guidelines": None,
        "typed_characters": 0, "pasted_characters": 0, "largest_insert": 0, "edits": 0,
        "active_seconds": 0, "withdrawn_at": None,
        "created_at": "2026-11-26T11:17:18.595872+00:00",
    }
}  # fmt: skip


def earlier_question(number: int, ending: str) -> dict[str, Any]:
    sentence = f"The bottle could not be put under the chair because the _ was {ending}"
    undecided = dict.fromkeys(
        ("valid", "reasons", "counts", "policy", "version", "decided_by", "decided_at")
    )
    twin = EARLIER["twins"]
    named = {name: twin[name] for name in ("twin", "option1", "option2", "domain", "origin")}
    times = {"withdrawn_at": None, "created_at": twin["created_at"]}
    return named | undecided | times | {
        "question": f"11a206aa36b3a1b{number}", "number": number, "sentence": sentence,
        "answer": number,
    }  # fmt: skip


def test_an_export_without_people_and_settings_is_imported(tmp_path: Path, db: None) -> None:
    trigger = EARLIER["twins"]["trigger"]
    questions = [
        earlier_question(number, end) for number, end in enumerate(trigger.values(), start=1)
    ]
    tables = {"twins": [EARLIER["twins"]], "questions": questions, "votes": []}
    for name, rows in (tables | {"draws": [], "disclosures": []}).items():
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text)
    read = import_export(folder=tmp_path, slug="earlier").read
    assert (read["twins"], read["questions"], read["people"], read["settings"]) == (1, 2, 0, 0)
    twin = Twin.objects.select_related("author", "campaign").get()
    assert twin.trigger == trigger
    assert twin.author.origin == "imported"
    assert (twin.min_words, twin.verdict_policy) == (15, twin.campaign.verdict_policy)
    assert import_export(folder=tmp_path, slug="earlier").new["twins"] == 0
    (tmp_path / "people.jsonl").write_text("")
    with pytest.raises(DomainError, match="one file settings"):
        import_export(folder=tmp_path, slug="earlier")
