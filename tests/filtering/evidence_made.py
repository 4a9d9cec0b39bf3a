"""A filter run and its controls with evidence made by hand, so that a page has all to show."""

from typing import Any

from collection.models import Campaign
from filtering.core.surface import FEATURES
from filtering.models import Assessment, AssessmentPart, FilterRun
from filtering.runner.assessments import FORMAT
from tests.factories import SENTENCES, AssessmentFactory, FilterRunFactory
from winoplatform.runs.models import RunStatus

TWIN = {
    "twin": "t1",
    "options": ["trophy", "suitcase"],
    "questions": [
        {"id": f"q{answer}", "sentence": sentence, "answer": answer, "kept": answer == 1}
        for answer, sentence in zip((1, 2), SENTENCES, strict=True)
    ],
    "score": 0.5,
}


def estimate(value: float, n: int = 100, half: float = 0.04) -> dict[str, Any]:
    return {"value": value, "low": value - half, "high": value + half, "n": n}


def probe(accuracy: float, n: int) -> dict[str, Any]:
    apart = abs(accuracy - 0.5) > 0.04
    side = "above" if accuracy > 0.5 else "below"
    leak = {"value": abs(accuracy - 0.5), "direction": side if apart else "none"}
    return {"accuracy": estimate(accuracy, n), "leak": leak}


def drawn(n: int, divergence: float) -> dict[str, Any]:
    answer = {"n": n // 2, "histogram": [1, 5, 2], "points": [[0.1, -0.2], [-0.3, 0.4]]}
    return {"answer1": answer, "answer2": answer, "divergence": estimate(divergence, n)}


def contrast(p: float | None) -> dict[str, Any]:
    side = {"all": estimate(0.5), "kept": estimate(0.45), "removed": estimate(0.6)}
    return {**side, "neutral": 0.5, "difference": 0.15, "low": 0.1, "high": 0.2, "p": p}


def figures(*, kept: int = 60, accuracy: float = 0.41, divergence: float = 0.12) -> dict[str, Any]:
    models = {
        "all": {"grouped": probe(0.7, 100), "individual": probe(0.45, 100)},
        "kept": {"grouped": probe(accuracy, kept), "individual": probe(0.5, kept)},
    }
    phase = {"number": 1, "tied_at_cutoff": 7, "never_held_out": 2}
    twins = {"pairs": 50, "kept_whole": 20, "removed_whole": 12, "broken": 18}
    return {
        "filter_results": {
            "n": 100,
            "kept": kept,
            "phases": [phase],
            "twins": {**twins, "unpaired": 0, "unpaired_kept": 0},
        },
        "projection": {
            "explained": [0.4, 0.2],
            "edges": [-1.0, -0.3, 0.3, 1.0],
            "all": {**drawn(100, 2.53), "reduced": estimate(2.49, kept, 0.2)},
            "kept": drawn(kept, divergence),
            "kept_own": estimate(0.2, kept),
        },
        "linear": models,
        "nonlinear": models,
        "surface": {
            "features": {name: contrast(0.00001 if name == "words" else 0.4) for name in FEATURES},
            "words_least": 20,
            "words": [{"word": "because", "before": [9, 1], "after": [4, 1], "pmi": -0.3}],
            "examples": {kind: [TWIN] for kind in ("polarity", "pmi", "kept", "broken")},
        },
    }


def assessed(run: FilterRun, status: str = RunStatus.DONE, **changes: Any) -> Assessment:
    assessment = AssessmentFactory(filter_run=run, finished=status == RunStatus.DONE, status=status)
    for number, (name, part) in enumerate(figures(**changes).items(), 1):
        AssessmentPart.objects.create(
            run=assessment,
            number=number,
            name=name,
            figures={"format": FORMAT, **part},
            attempt=1,
            seconds=0.1,
        )
    return assessment


def assessed_run(campaign: Campaign | None = None) -> FilterRun:
    """A run of AFLite that is assessed, and so are two of its controls."""
    within = {"encoding__snapshot__campaign": campaign} if campaign else {}
    run = FilterRunFactory(finished=True, **within)
    assessed(run)
    for method, score, divergence in (("random", "", 2.51), ("pmi", "signed", 2.42)):
        control = FilterRunFactory(
            finished=True, encoding=run.encoding, method=method, pmi_score=score, reference=run
        )
        assessed(control, divergence=divergence, accuracy=0.7)
    return run
