"""Example responses of filtering for the OpenAPI description."""

from winoplatform.api.runs import RUN_ID

_SETTINGS = {
    "method": "aflite",
    "stop": "neutral",
    "n": 64,
    "m": 9_400,
    "k": 470,
    "tau": 0.75,
    "C": 1.0,
    "tol": 1e-3,
    "partition": "grouped",
    "removal": "together",
    "pmi_score": "",
    "reference": None,
    "size": None,
    "stop_reason": "neutral",
}
_RUNS = [
    {
        "id": RUN_ID,
        **_SETTINGS,
        "seed": 0,
        "n_kept": 23_264,
        "n_phases": 3,
        "run_seconds": 14.2,
    },
    {
        "id": "9d1b7f6e-3c55-4b53-8a8e-2f6f0f5f7c10",
        **_SETTINGS,
        "seed": 1,
        "n_kept": 23_310,
        "n_phases": 3,
        "run_seconds": 14.0,
    },
]
_KEPT = {
    "both": 21_407,
    "either": 25_167,
    "jaccard": 0.8506,
    "of_smaller": 0.9202,
    "both_by_chance": 11_538.0,
    "jaccard_by_chance": 0.3293,
    "of_smaller_by_chance": 0.496,
}
_REMOVED = {
    "both": 21_833,
    "either": 25_593,
    "jaccard": 0.8531,
    "of_smaller": 0.9216,
    "both_by_chance": 11_964.0,
    "jaccard_by_chance": 0.3374,
    "of_smaller_by_chance": 0.505,
}
_AGREEMENT = {
    "kept": _KEPT,
    "removed": _REMOVED,
    "same": 0.92,
    "kappa": 0.84,
    "first": {"pearson": 0.98, "spearman": 0.97, "n": 47_000},
    "mean": {"pearson": 0.96, "spearman": 0.95, "n": 47_000},
}
COMPARISON = {
    "runs": _RUNS,
    "n_rows": 47_000,
    "differing": ["seed"],
    "pairs": [{"a": 0, "b": 1, "agreement": _AGREEMENT}],
    "seeds": [
        {
            "runs": [0, 1],
            "stability": {
                "rows": [21_833, 3_760, 21_407],
                "by_chance": [11_964.0, 23_498.0, 11_538.0],
            },
        }
    ],
}
