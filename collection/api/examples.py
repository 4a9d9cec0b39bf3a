"""Examples of request and response bodies for the API description."""

from typing import Any

AT = "2026-01-01T12:00:00Z"
CLIENT_KEY = "7d4b0b8e-7f0e-4c59-9a55-8d2c3f8d9a10"
ASSIGNMENT_ID = "a47c24a4-7692-4037-9b36-718038233e86"
TWIN_ID = "2d0a6671-afa7-4915-aa0a-22b04c88e04f"

SENTENCES = [
    "The trophy did not fit into the brown suitcase on the bed because the _ was too large.",
    "The trophy did not fit into the brown suitcase on the bed because the _ was too small.",
]
TWIN: dict[str, Any] = {
    "sentences": SENTENCES,
    "options": ["trophy", "suitcase"],
    "answers": [1, 2],
    "anchor": "suitcase",
    "domain": "physical",
}
STORED_TWIN: dict[str, Any] = {
    "id": TWIN_ID,
    "campaign": "winter",
    "author": "w-0123456789ab",
    "origin": "authored",
    "domain": "physical",
    "anchor": "suitcase",
    "options": ["trophy", "suitcase"],
    "trigger": {"first": "large.", "second": "small."},
    "warnings": [],
    "advice": [],
    "revises": None,
    "min_words": 15,
    "max_words": 30,
    "min_overlap": "0.70",
    "votes_per_question": 3,
    "verdict_policy": "majority",
    "withdrawn_at": None,
    "questions": [
        {"id": "41752013f50aa959", "number": 1, "sentence": SENTENCES[0], "answer": 1},
        {"id": "bf7e468476a31de9", "number": 2, "sentence": SENTENCES[1], "answer": 2},
    ],
    "created_at": AT,
}
WITHDRAWN_TWIN = STORED_TWIN | {"withdrawn_at": "2026-01-01T12:03:00Z"}
REVISED_TWIN = STORED_TWIN | {
    "id": "65e56f7d-e99a-4f08-8b6b-ca7dfd179672",
    "revises": TWIN_ID,
    "created_at": "2026-01-01T12:05:00Z",
}

ARTICLE_LINE: dict[str, Any] = {
    "id": "2fe0da79-e219-4636-a39c-c47199d50dcb",
    "source_id": "pack-a-suitcase",
    "title": "How to Pack a Suitcase",
    "category": "travel",
}
ARTICLE: dict[str, Any] = ARTICLE_LINE | {
    "text": "How to Pack a Suitcase\nPut the heavy shoes at the bottom of the suitcase.",
    "anchors": [
        {
            "text": "heavy shoes",
            "sentence": "Put the heavy shoes at the bottom of the suitcase.",
            "start": 31,
            "end": 42,
            "score": 1.5,
        }
    ],
}
ASSIGNMENT_LINE: dict[str, Any] = {
    "id": ASSIGNMENT_ID,
    "campaign": "winter",
    "worker": "w-0123456789ab",
    "title": "How to Pack a Suitcase",
    "status": "open",
    "leased_until": "2026-01-01T13:00:00Z",
    "twin": None,
    "created_at": AT,
}
ASSIGNMENT = ASSIGNMENT_LINE | {"article": ARTICLE}
RETURNED = ASSIGNMENT | {"status": "returned"}
SUBMITTED_LINE = ASSIGNMENT_LINE | {"status": "submitted", "twin": TWIN_ID}

IMPORT: dict[str, Any] = {
    "lines": 2,
    "imported": 1,
    "already_there": 0,
    "rejected": {"field_missing": 1},
    "first_rejects": [
        {
            "line": 2,
            "code": "field_missing",
            "message": "The field title is missing or empty.",
            "source_id": "",
        }
    ],
}

CAMPAIGN: dict[str, Any] = {
    "id": "df3974a3-18bb-42a2-b83f-e856b82428c3",
    "slug": "winter",
    "status": "open",
    "name": "Winter",
    "guidelines": "Write *about* the anchor.",
    "min_words": 15,
    "max_words": 30,
    "min_overlap": "0.70",
    "reward_twin": "0.40",
    "reward_vote": "0.03",
    "currency": "USD",
    "votes_per_question": 3,
    "verdict_policy": "majority",
    "assignment_minutes": 60,
    "vote_minutes": 3,
    "article_uses_max": None,
    "anchor_uses_max": None,
    "trigger_uses_max": 10,
    "twins_per_day_max": None,
    "twins_per_worker_max": 200,
    "blocking": ["near_duplicate"],
    "paste_policy": "note",
    "reward_exercise": "0.50",
    "exercise_pass_share": "0.80",
    "exercise_attempts": 2,
    "min_approvals": None,
    "min_approval_rate": None,
    "extra_votes_max": 2,
    "votes_per_day_max": None,
    "votes_per_worker_max": 1000,
    "gold_share": "0.05",
    "gold_pass_share": "0.70",
    "budget_cap": "15000.00",
    "hourly_floor": "9.00",
    "goal_pairs": 1000,
    "pay_terms": "The university, by bank transfer, at the end of each month.",
    "contact": "winter@example.org",
    "people_origin": "invited",
    "people_platform": "",
    "population": "Students of the university, 19 to 30 years old; first language English.",
    "consent": "A sheet of information, accepted before the first task.",
    "ethics_review": "Board of the university, 2026-17.",
    "funding": "",
    "dev_share": "0.10",
    "test_share": "0.10",
    "near_duplicate": "0.60",
    "created_at": AT,
}
SETTINGS_CHANGE: dict[str, Any] = {
    "id": "5d1b2f0e-6c1f-4b7e-9f0a-2f1f5f0f7c11",
    "by": "t4vq2m8s",
    "before": {"votes_per_question": 3},
    "after": {"votes_per_question": 1},
    "created_at": AT,
}
DRAFT_CAMPAIGN = CAMPAIGN | {"status": "draft"}

RULE = {
    "code": "blank_missing",
    "level": "error",
    "sentence": "Each sentence must have a blank, written as one underscore.",
}
BROKEN_RULE: dict[str, Any] = {
    "code": "answers_same",
    "level": "error",
    "message": "Both sentences have option 1 as their answer; change a word so that the other "
    "option is right in one of them.",
    "sentence": None,
    "start": None,
    "end": None,
}
ADVICE: dict[str, Any] = {
    "code": "near_duplicate",
    "level": "warning",
    "message": "Another twin of this campaign is very similar; write about something else.",
    "sentence": None,
    "start": None,
    "end": None,
}
REPORT: dict[str, Any] = {
    "accepted": False,
    "findings": [BROKEN_RULE],
    "word_counts": [18, 18],
    "overlap": 0.9444,
    "trigger": {
        "segments": [
            {
                "kind": "same",
                "first": SENTENCES[0][:79],
                "second": SENTENCES[1][:79],
                "first_span": [0, 79],
                "second_span": [0, 79],
            },
            {
                "kind": "changed",
                "first": "large.",
                "second": "small.",
                "first_span": [80, 86],
                "second_span": [80, 86],
            },
        ],
        "first_words": ["large."],
        "second_words": ["small."],
    },
}
