"""What people do in a day: each request has its time, however late the answer before it came."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

from benchmarks.clients import Client, Log, get, post
from benchmarks.day_rows import SLUG, World
from benchmarks.spread import Spread

API = "/api/v1/"
HERE = f"/campaigns/{SLUG}/"
THINK_SECONDS = (0.5, 2.5)
TYPE_SECONDS = 2.0
TWINS_EACH = 2
CHECKS_EACH = 4
# Three words that vary: so many twins that nobody writes one again.
NOUNS = ("bed", "desk", "shelf", "floor", "bench", "table", "stool", "couch", "ledge", "counter")
COLOURS = ("brown", "leather", "purple", "striped", "dusty", "wooden", "green", "antique", "plain")
VERBS = ("fit", "slide", "go", "sink", "disappear", "squeeze", "vanish", "drop", "settle", "lie")
SENTENCE = "The {colour} trophy did not {verb} into the suitcase beside the {noun} of {name}"
SENTENCES = (
    f"{SENTENCE} because the _ was far too large.",
    f"{SENTENCE} because the _ was far too small.",
)


@dataclass
class Receipts:
    """What the server has acknowledged: the seat of each vote, and twins."""

    votes: dict[str, str] = field(default_factory=dict)
    repeated: int = 0
    unknown: int = 0
    twins: list[str] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)

    def note_vote(self, vote: str, seat: str) -> None:
        self.repeated += self.votes.setdefault(vote, seat) != seat

    def note_refusal(self, kind: str, status: int, answer: Any) -> None:
        code = (answer or {}).get("error", {}).get("code") or (answer or {}).get("reason")
        name = f"{kind} {status} {code or ''}".strip()
        self.refused[name] = self.refused.get(name, 0) + 1


class DayLog(Log):
    """A log by stretches of time, in which a request falls by the time it was planned for."""

    def __init__(self, *, start: float, stretch: float, clock: Any) -> None:
        super().__init__()
        self.start, self.stretch, self.clock = start, stretch, clock
        self.parts: dict[str, dict[int, list[float]]] = {}

    def note(self, kind: str, status: int, seconds: float) -> None:
        super().note(kind, status, seconds)
        if status:
            part = max(0, int((self.clock() - seconds - self.start) / self.stretch))
            self.parts.setdefault(kind, {}).setdefault(part, []).append(seconds)


class People(Spread):
    """People with a session for pages and a token for the API."""

    def headers(self, login: str) -> dict[str, str]:
        session, token = login.split()
        return {
            "Cookie": f"sessionid={session}",
            "Authorization": f"Token {token}",
            "Content-Type": "application/json",
        }


def arrivals(answers: int, seconds: float, random: Random) -> Iterator[float]:
    """Yield the times at which somebody asks for a question: by chance, at a given rate.

    The rate is three times as high in two tenths of the day.
    """
    usual = answers / seconds / 1.4
    time = 0.0
    while (time := time + random.expovariate(usual * (3 if is_peak(time / seconds) else 1))) < (
        seconds
    ):
        yield time


def is_peak(share: float) -> bool:
    return 0.4 <= share < 0.5 or 0.75 <= share < 0.85


def validating(
    times: Iterator[float], start: float, world: World, random: Random, receipts: Receipts
) -> Client:
    """Take the next arrival that nobody has taken yet, again and again."""
    for time in times:
        yield from _one_question(start + time, world, random, receipts)


def _one_question(at: float, world: World, random: Random, receipts: Receipts) -> Client:
    status, answer = yield post("claim", f"{API}campaigns/{SLUG}/seats/", {}, planned=at)
    if status != 200 or not answer["seat"]:
        receipts.note_refusal("claim", status, answer)
        return
    options = answer["seat"]["options"]
    seat = f"{API}seats/{answer['seat']['id']}/"
    at += random.uniform(*THINK_SECONDS)
    local = {"option": random.choice((1, 2, None, None, None, None))}
    status, answer = yield post("local", f"{seat}local/", local, planned=at)
    if status != 200:
        receipts.note_refusal("local", status, answer)
        return
    at += random.uniform(*THINK_SECONDS)
    right = world.right.get(answer["sentence"], options[0])
    option = options.index(right) + 1
    ballot = {
        "option": option if random.random() < 0.9 else 3 - option,
        "ambiguous": random.random() < 0.05,
    }
    status, answer = yield post("vote", f"{seat}vote/", ballot, planned=at)
    if status in (200, 201):
        receipts.note_vote(answer["id"], answer["seat"])
    elif status:
        receipts.note_refusal("vote", status, answer)
    else:
        receipts.unknown += 1


def arriving(at: float, random: Random, receipts: Receipts) -> Client:
    """One newcomer reads the guidelines, accepts them and writes twins."""
    yield get("home", "/", planned=at)
    yield get("guidelines", f"{HERE}join/", planned=at + 2)
    accepted = {"version": 1, "skill": "write"}
    path = f"{API}campaigns/{SLUG}/guidelines/accept/"
    status, answer = yield post("accept", path, accepted, planned=at + 20)
    if status not in (200, 201):
        receipts.note_refusal("accept", status, answer)
        return
    at += 22
    for _ in range(TWINS_EACH):
        yield from _write(at, random, receipts)
        at += TYPE_SECONDS * (CHECKS_EACH + 3)
    yield get("my work", "/my-work/", planned=at)


def _write(at: float, random: Random, receipts: Receipts) -> Client:
    asked = f"{API}campaigns/{SLUG}/assignments/"
    status, answer = yield post("article", asked, {}, planned=at)
    if status not in (200, 201):
        receipts.note_refusal("article", status, answer)
        return
    held = f"{API}assignments/{answer['id']}/"
    yield get("desk", f"{HERE}write/", planned=at)
    twin = _twin(random)
    for _ in range(CHECKS_EACH):
        at += TYPE_SECONDS
        yield post("check", f"{API}campaigns/{SLUG}/check/", twin, planned=at)
    status, answer = yield post("advice", f"{held}advise/", twin, planned=at)
    if status != 200:
        receipts.note_refusal("advice", status, answer)
    sent = twin | {"client_key": str(uuid4())}
    status, answer = yield post("twin", f"{held}twin/", sent, planned=at + TYPE_SECONDS)
    if status in (200, 201):
        receipts.twins.append(answer["id"])
    else:
        receipts.note_refusal("twin", status, answer)


def _twin(random: Random) -> dict[str, Any]:
    words = {
        "noun": random.choice(NOUNS),
        "colour": random.choice(COLOURS),
        "verb": random.choice(VERBS),
        "name": "".join(random.choices("bdfgklmnprst", k=2)).capitalize() + random.choice("aeiou"),
    }
    return {
        "sentences": [sentence.format(**words) for sentence in SENTENCES],
        "options": ["trophy", "suitcase"],
        "answers": [1, 2],
        "anchor": "suitcase",
        "domain": "physical",
    }


def pages(world: World) -> dict[str, str]:
    """The pages that curators open, by name."""
    return {
        "home of a curator": "/",
        "campaign": HERE,
        "progress": f"{HERE}progress/",
        "quality": f"{HERE}quality/",
        "review": f"{HERE}review/",
        "a doubtful question": f"{HERE}review/{world.contested}/",
        "golds": f"{HERE}golds/",
        "data": f"{HERE}data/",
        "data, invalid": f"{HERE}data/?verdict=invalid",
        "data, words": f"{HERE}data/?q={_word(world)}",
        "people": "/people/",
        "a person": f"/people/{world.worker}/",
        "pay": f"{HERE}pay/",
        "runs": "/runs/",
        "appeals": "/appeals/",
        "funnel (API)": f"{API}campaigns/{SLUG}/funnel/",
    }


def _word(world: World) -> str:
    return next(iter(world.right)).split()[1]


def curating(start: float, every: float, end: float, opened: Sequence[tuple[str, str]]) -> Client:
    """Open one page after the other."""
    at, number = start, 0
    while at < end:
        name, path = opened[number % len(opened)]
        yield get(name, path, planned=at)
        at, number = at + every, number + 1


def running(start: float, seconds: float, world: World, receipts: Receipts) -> Client:
    """Start a snapshot of all valid questions, and filter runs."""
    begun = (
        (0.1, "snapshots", {"campaign": SLUG}),
        (0.3, "filter-runs", {"encoding": world.encoding, "seed": 1}),
        (0.6, "filter-runs", {"encoding": world.encoding, "seed": 2}),
    )
    for share, kind, body in begun:
        at = start + share * seconds
        status, answer = yield post(f"start {kind}", f"{API}{kind}/", body, planned=at)
        if status != 201:
            receipts.note_refusal(kind, status, answer)
