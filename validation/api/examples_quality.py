"""Examples of vote quality for the API description."""

from typing import Any


def _of_people(value: float, ends: tuple[float, ...], n: int) -> dict[str, Any]:
    low, high, people_low, people_high = ends
    wide = {"people_low": people_low, "people_high": people_high, "n_people": 24}
    return {"value": value, "low": low, "high": high, "n": n, **wide}


HUMAN: dict[str, Any] = {
    "majority": _of_people(0.94, (0.925, 0.954, 0.914, 0.9595), 1000),
    "single": _of_people(0.91, (0.8993, 0.9197, 0.8752, 0.9361), 3000),
    "n_short": 12,
}
ANSWER: dict[str, Any] = {
    "raw": _of_people(0.86, (0.841, 0.877, 0.806, 0.9), 1000),
    "alpha": _of_people(0.72, (0.682, 0.754, 0.612, 0.8), 1000),
    "kappa": _of_people(0.719, (0.681, 0.753, 0.611, 0.799), 998),
    "n_votes": 3004,
}
FIGURES: dict[str, Any] = {
    "n_votes": 3020,
    "n_questions": 1012,
    "n_workers": 24,
    "n_gold": 150,
    "n_excluded": 6,
    "answer": ANSWER,
    "ambiguity": ANSWER | {"alpha": _of_people(0.2, (0.13, 0.28, 0.1, 0.33), 1000)},
    "local": ANSWER | {"alpha": _of_people(0.31, (0.26, 0.36, 0.2, 0.41), 1000)},
    "human": HUMAN,
    "domains": {"physical": HUMAN},
    "weeks": [{"begins": "2026-01-05", "human": HUMAN}],
    "months": [{"begins": "2026-01-01", "human": HUMAN}],
    "speed": {"local": 6.1, "sentence": 9.4, "whole": 15.9, "n": 3170, "n_fast": 4, "far": 4.33},
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
POSTERIOR: dict[str, Any] = {
    "question": "4f1c2a9b7d3e8065",
    "votes": 3,
    "right": 1,
    "majority": 0.0,
    "posterior": 0.31,
    "model": "dawid_skene",
}
