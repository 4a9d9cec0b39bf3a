"""Examples of the review queue for the API description."""

from typing import Any

from winoplatform.api.schema import Refusal

SENTENCE = "The trophy did not fit into the suitcase because the _ was too large."
VERDICT: dict[str, Any] = {
    "valid": True,
    "reasons": [],
    "counts": {"votes": 3, "correct": 2, "unambiguous": 3, "local": 0},
    "policy": "majority",
    "version": 2,
    "decided_by": None,
    "created_at": "2026-01-01T12:00:00Z",
}
CASE: dict[str, Any] = {
    "question": "4f1c2a9b7d3e8065",
    "sentence": SENTENCE,
    "domain": "physical",
    "rank": 333,
    "reports": 0,
    "reports_seen": 0,
    "suspected": False,
    "flagged": False,
    "appealed": False,
    "returned": False,
    "closed_at": None,
    "verdict": VERDICT,
    "posterior": 0.71,
}
CASE_VOTE: dict[str, Any] = {
    "id": "6f9619ff-8b86-4011-b42d-00c04fc964ff",
    "worker": "w-0123456789ab",
    "option": 1,
    "correct": True,
    "ambiguous": False,
    "local_option": None,
    "comment": "",
    "report": "",
    "local_seconds": 6.2,
    "seconds": 9.8,
    "accuracy": {"value": 0.9, "low": 0.82, "high": 0.95, "n": 90},
    "created_at": "2026-01-01T11:59:00Z",
    "amended_at": None,
    "excluded_at": None,
    "exclusion_reason": "",
}
CASE_DETAIL: dict[str, Any] = {
    "question": CASE["question"],
    "twin": "1d6a2ac5-63b4-4a4f-8d6c-6f6f3a2f4c11",
    "sentence": SENTENCE,
    "options": ["trophy", "suitcase"],
    "answer": 1,
    "domain": "physical",
    "author": "w-ba9876543210",
    "verdict": VERDICT,
    "votes": [CASE_VOTE],
    "reports": [
        {
            "what": "offensive",
            "worker": "w-fedcba987654",
            "at": "2026-01-01T11:58:00Z",
            "was_returned": True,
            "comment": "",
            "counts": True,
        }
    ],
    "sibling": {
        "question": "9c0d1e2f3a4b5c6d",
        "sentence": "The trophy does not fit into the suitcase because the _ is too small.",
        "answer": 2,
        "verdict": None,
        "votes": 2,
        "right": 2,
        "ambiguous": 0,
    },
    "waiting": 0,
    "gold_answers": 0,
    "gold_right": 0,
    "posterior": 0.71,
    "model": "dawid_skene",
    "majority": 1.0,
    "returned": None,
    "revision": "812.90.7",
}
EVENT: dict[str, Any] = {
    "action": "votes",
    "by": None,
    "reason": "",
    "before": None,
    "after": VERDICT | {"decided_by": None},
    "created_at": "2026-01-01T12:00:00Z",
}
GOLD: dict[str, Any] = {
    "id": "0b8a4e2e-9a8e-4c38-8c55-3a0f6b5a7d10",
    "campaign": "winter",
    "question": CASE["question"],
    "sentence": SENTENCE,
    "origin": "grown",
    "answers": 40,
    "right": 37,
    "created_at": "2026-01-01T12:00:00Z",
    "retired_at": None,
    "retired_for": "",
}
APPEAL: dict[str, Any] = {
    "id": "a3bb189e-8bf9-4f0e-9d52-1f7a6a0c1b2d",
    "worker": "w-ba9876543210",
    "subject": "question",
    "unit": CASE["question"],
    "text": "A suitcase is never too large for a trophy.",
    "status": "open",
    "answer": "",
    "created_at": "2026-01-02T12:00:00Z",
    "decided_at": None,
}
EXCLUDED: dict[str, Any] = {
    "id": CASE_VOTE["id"],
    "campaign": "winter",
    "worker": "w-0123456789ab",
    "sentence": SENTENCE,
    "created_at": "2026-01-01T11:59:00Z",
    "excluded_at": "2026-01-02T12:00:00Z",
    "exclusion_reason": "It was given in two seconds.",
}
NOTICE: dict[str, Any] = {
    "campaign": "winter",
    "kind": "vote_excluded",
    "unit": CASE_VOTE["id"],
    "text": "It was given in two seconds.",
    "day": "2026-01-02",
    "seen_at": None,
}
STALE = Refusal(
    "changed_meanwhile",
    "This question has changed since you opened it: a vote was cast or another curator decided. "
    "Check it again, then decide.",
    revision="815.91.7",
)
