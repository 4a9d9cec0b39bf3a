"""Examples of vote quality for the API description."""

from typing import Any

HUMAN: dict[str, Any] = {
    "majority": {"value": 0.94, "low": 0.925, "high": 0.954, "n": 1000},
    "single": {"value": 0.91, "low": 0.8993, "high": 0.9197, "n": 3000},
    "n_short": 12,
}
ANSWER: dict[str, Any] = {
    "raw": 0.86,
    "alpha": 0.72,
    "kappa": 0.719,
    "n_items": 1000,
    "n_votes": 3004,
    "n_kappa": 998,
}
FIGURES: dict[str, Any] = {
    "n_votes": 3020,
    "n_questions": 1012,
    "n_workers": 24,
    "n_gold": 150,
    "n_excluded": 6,
    "answer": ANSWER,
    "ambiguity": ANSWER | {"raw": 0.81, "alpha": 0.2, "kappa": 0.2},
    "local": ANSWER | {"raw": 0.74, "alpha": 0.31, "kappa": 0.31},
    "human": HUMAN,
    "domains": {"physical": HUMAN},
    "weeks": [{"begins": "2026-01-05", "human": HUMAN}],
    "months": [{"begins": "2026-01-01", "human": HUMAN}],
    "speed": {"local": 6.1, "sentence": 9.4, "whole": 15.9, "n": 3170, "n_fast": 4},
    "load": 0.41,
    "model": "dawid_skene",
    "class_shares": [0.07, 0.93],
    "random_share": 0.01,
    "usual_skill": 0.86,
}
PEOPLE: dict[str, Any] = {
    "origins": ["invited", "crowd"],
    "platforms": ["Prolific"],
    "writers": ["invited"],
    "validators": ["crowd"],
}
REPORT: dict[str, Any] = {
    "people": PEOPLE,
    "made_at": "2026-01-31T12:00:00Z",
    "figures": FIGURES,
}
VALIDATOR: dict[str, Any] = {
    "worker": "w-0123456789ab",
    "votes": 200,
    "author": {"value": 0.55, "low": 0.4808, "high": 0.6174, "n": 200},
    "others": {"value": 0.54, "low": 0.469, "high": 0.6094, "n": 190},
    "gold": {"value": 0.5, "low": 0.2366, "high": 0.7634, "n": 10},
    "skill": 0.56,
    "confirms": 0.58,
    "contradicts": 0.51,
    "excluded": 0,
    "reports": 1,
    "ambiguous": 0,
    "seconds": 1.9,
    "sentence_seconds": 0.8,
    "speed": -5.2,
    "fast_votes": 120,
    "flags": [{"code": "fast", "sentence": "Far faster than the other validators."}],
}
MONTH: dict[str, Any] = {
    "begins": "2026-01-01",
    "author": {"value": 0.91, "low": 0.8621, "high": 0.9424, "n": 200},
    "seconds": 15.2,
}
WHAT_IF: dict[str, Any] = {
    "policy": "unanimous",
    "version": 2,
    "n": 1000,
    "valid_before": 840,
    "valid_after": 700,
    "gained": 0,
    "lost": 140,
    "undecidable": 0,
    "by_reason": {"wrong_answer": {"gained": 0, "lost": 140}},
    "changes": [
        {"question": "4f1c2a9b7d3e8065", "becomes_valid": False, "reasons": ["wrong_answer"]}
    ],
}
POSTERIOR: dict[str, Any] = {
    "question": "4f1c2a9b7d3e8065",
    "votes": 3,
    "right": 1,
    "majority": 0.0,
    "posterior": 0.31,
    "model": "dawid_skene",
}
