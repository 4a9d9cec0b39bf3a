"""What the hundred clients of the soak do, as the page does: they retry until an answer comes."""

from collections.abc import Generator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.clients import Answer, Client, post, wait

API = "/api/v1/"
ANSWERED = {200, 201, 204, 400, 403, 404, 409, 410}
RETRY_SECONDS = 0.3
THINK_SECONDS = 0.8

Said = tuple[int, bool]  # the option as shown, whether both seem plausible


@dataclass
class Receipts:
    """What the server has acknowledged: for each vote id, its seat and what may stand there.

    One answer, unless an amendment was under way when the soak ended.
    """

    votes: dict[str, tuple[str, set[Said]]] = field(default_factory=dict)
    amended: int = 0
    returned: int = 0
    abandoned: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    def note_refusal(self, answer: Any) -> None:
        code = str((answer or {}).get("error", {}).get("code", "?"))
        self.refused[code] = self.refused.get(code, 0) + 1


def asked(kind: str, path: str, body: Any = None) -> Generator[Any, Any, Answer]:
    """Ask until the server answers: a killed one is started again, and every step may be resent."""
    while True:
        status, answer = yield post(kind, path, body)
        if status in ANSWERED:
            return status, answer
        yield wait(RETRY_SECONDS)


def validating(slug: str, random: Random, receipts: Receipts) -> Client:
    """One client: mostly validators, sometimes returns, leaves, resends or changes its mind."""
    yield wait(2 * random.random())
    while True:
        ahead = {"ahead": random.random() < 0.2}
        status, answer = yield from asked("claim", f"{API}campaigns/{slug}/seats/", ahead)
        if status != 200 or not answer["seat"]:
            if status != 200:
                receipts.note_refusal(answer)
            yield wait(1.0)
            continue
        yield wait(THINK_SECONDS * random.random())
        yield from _validate(answer["seat"], random, receipts)
        yield wait(THINK_SECONDS * random.random())


def _validate(seat: Any, random: Random, receipts: Receipts) -> Client:
    path = f"{API}seats/{seat['id']}/"
    if random.random() < 0.3:
        yield from asked("beat", f"{path}beat/")
    if random.random() < 0.02:
        receipts.abandoned += 1
        return
    status, answer = yield from asked(
        "local", f"{path}local/", {"option": random.choice((1, None))}
    )
    if status != 200:
        receipts.note_refusal(answer)
        if status == 409:  # an earlier visit of the same seat answered otherwise: it stands
            answer = (yield from asked("local", f"{path}local/", answer["error"]["details"]))[1]
        else:
            return
    if random.random() < 0.03:
        status, _ = yield from asked("return", f"{path}return/")
        receipts.returned += status == 204
        return
    said = _opinion(answer, random)
    if (yield from _vote(path, said, receipts)) and random.random() < 0.1:
        yield from _change(path, (3 - said[0], said[1]), receipts, random)


def _opinion(seat: Any, random: Random) -> Said:
    """The right option nine times in ten: the sentence names it."""
    right = "trophy" if "large" in (seat["sentence"] or "") else "suitcase"
    option = seat["options"].index(right) + 1
    return (option if random.random() < 0.9 else 3 - option, random.random() < 0.05)


def _vote(path: str, said: Said, receipts: Receipts) -> Generator[Any, Any, bool]:
    body = {"option": said[0], "ambiguous": said[1]}
    status, answer = yield from asked("vote", f"{path}vote/", body)
    if status not in (200, 201):
        receipts.note_refusal(answer)
        return False
    receipts.votes[answer["id"]] = (answer["seat"], {said})
    return True


def _change(path: str, said: Said, receipts: Receipts, random: Random) -> Client:
    """Resend the vote as a nervous page does, then amend it."""
    seat = path.rstrip("/").rsplit("/", 1)[1]
    vote = next(key for key, (held, _) in reversed(receipts.votes.items()) if held == seat)
    [before] = receipts.votes[vote][1]
    if random.random() < 0.5:
        body = {"option": before[0], "ambiguous": before[1]}
        yield from asked("vote", f"{path}vote/", body)
    receipts.votes[vote] = (seat, {before, said})  # until it is known which of the two stands
    body = {"option": said[0], "ambiguous": said[1]}
    status, answer = yield from asked("amend", f"{path}amend/", body)
    receipts.amended += status == 200
    if status != 200:
        receipts.note_refusal(answer)
    receipts.votes[vote] = (seat, {said if status == 200 else before})


def curating(slug: str, random: Random) -> Client:
    """One curator: pauses and resumes the campaign, and gives the Celery workers something."""
    while True:
        yield wait(6 + 10 * random.random())
        yield from asked("status", f"{API}campaigns/{slug}/status/", {"status": "paused"})
        yield wait(1.5)
        yield from asked("status", f"{API}campaigns/{slug}/status/", {"status": "open"})
        yield from asked("snapshot", f"{API}snapshots/", {"campaign": slug})
