"""The evidence in words."""

from collections.abc import Iterator
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from scipy.special import ndtri

from filtering.core.leaks import POWER
from filtering.models import FilterRun
from frontend.findings import Figures, detectable
from frontend.templatetags.pages import estimate

FEATURE_NAMES: dict[str, Any] = {
    "answer_is_first": _("The answer is option 1"),
    "right_stands_first": _("The correct option is named first"),
    "right_is_longer": _("The correct option is the longer one"),
    "words": _("Words in the sentence"),
    "trigger_pmi": _("PMI of the trigger words with the answer"),
    "polarity_clear": _("Good and bad words favour one option"),
    "polarity_right": _("… and the correct one"),
    "polarity_pattern": _("They give both answers of the twin away"),
}
# Figures that are not shares of questions.
PLAIN_MEANS = {"words": 1, "trigger_pmi": 4}
EXAMPLE_TITLES: dict[str, Any] = {
    "polarity": _("Removed: good and bad words give both answers away"),
    "pmi": _("Removed: the trigger words reveal the most"),
    "broken": _("One question removed, one kept (random sample)"),
    "kept": _("Both questions kept (random sample)"),
}
LEAKS: dict[str, Any] = {
    "above": _("This is above one half, so the kept questions leak."),
    "below": _("This is below one half, so the kept questions leak as well."),
    "none": _("Over all kept questions together, no leak to this model was found."),
}
AXIS_LIMITS = _(
    "This sees one direction only, the one in which the encodings vary most: a bias in any other "
    "direction leaves it at 0. Twins lie close together and have opposite answers, so that they "
    "cancel: a bias of pairs is hardly seen."
)
PROBES: dict[str, Any] = {"linear": _("linear"), "nonlinear": _("non-linear")}
CLEAR = 0.001  # per feature; about 0.01 over the eight features tested


def set_name(run: FilterRun) -> str:
    """Return the name of a kept set, by the run's method."""
    if run.method == FilterRun.Method.PMI:
        return f"{run.get_method_display()} ({run.get_pmi_score_display()})"
    return str(run.get_method_display())


def divergence(found: Figures | None) -> str:
    """Format a divergence in nats with its interval: ``0.05 (0.01 – 0.09)``, or a lower bound."""
    if not found or found["low"] is None:
        return "–"
    if found["value"] is None:
        return now("at least %s") % f"{found['low']:.3f}"
    return "{value:.3f} ({low:.3f} – {high:.3f})".format(**found)


def reduced(found: Figures | None) -> str:
    """Describe the result of random reduction to n questions; empty if there is none."""
    if not found or found["value"] is None:
        return ""
    text = now("%(found)s at n = %(n)s, by random reduction")
    return text % {"found": divergence(found), "n": f"{found['n']:,}"}


def mean(found: Figures | None, name: str) -> str:
    """Format a mean of a feature with its interval."""
    if not found or found["value"] is None:
        return now("too few") if name == "trigger_pmi" else "–"
    digits = PLAIN_MEANS.get(name)
    form = "{:.1%}" if digits is None else f"{{:.{digits}f}}"
    return _with_ends([found[key] for key in ("value", "low", "high")], form)


def difference(found: Figures, name: str) -> str:
    """Format the difference between removed and kept questions."""
    if found["difference"] is None:
        return "–"
    scale, digits = (100, 1) if name not in PLAIN_MEANS else (1, PLAIN_MEANS[name])
    numbers = [found[key] for key in ("difference", "low", "high")]
    scaled = [None if number is None else scale * number for number in numbers]
    return _with_ends(scaled, f"{{:+.{digits}f}}")


def _with_ends(numbers: list[float | None], form: str) -> str:
    """Format a number with its interval, or without if there are too few twins for one."""
    value, *ends = ("" if number is None else form.format(number) for number in numbers)
    text = f"{value} ({ends[0]} – {ends[1]})" if all(ends) else value
    return text.replace("-", "−")


def summary(run: FilterRun, parts: Figures) -> Iterator[str]:
    """Summarize the effect of a run in sentences, from the parts recorded so far."""
    if filter_results := parts.get("filter_results"):
        yield from _size(run, filter_results)
    for kind in PROBES:
        if kind in parts:
            yield _probe(kind, parts[kind])
    if drawn := parts.get("projection"):
        yield _axis(drawn)
    if "surface" in parts:
        yield _features(parts["surface"]["features"])


def _size(run: FilterRun, filter_results: Figures) -> Iterator[str]:
    twins = filter_results["twins"]
    if filter_results["kept"] == filter_results["n"]:
        yield now(
            "%(method)s removed nothing: all %(n)s questions are kept, so every figure of the kept "
            "questions is that of the whole set."
        ) % {"method": capfirst(set_name(run)), "n": f"{filter_results['n']:,}"}
        return
    yield now("%(method)s kept %(kept)s of %(n)s questions (%(share)s).") % {
        "method": capfirst(set_name(run)),
        "kept": f"{filter_results['kept']:,}",
        "n": f"{filter_results['n']:,}",
        "share": f"{filter_results['kept'] / max(1, filter_results['n']):.1%}",
    }
    if twins["pairs"]:
        text = ngettext(
            "%(broken)s twin of %(pairs)s lost one of its questions.",
            "%(broken)s twins of %(pairs)s lost one of their questions.",
            twins["broken"],
        )
        yield text % {"broken": f"{twins['broken']:,}", "pairs": f"{twins['pairs']:,}"}


def _probe(kind: str, figures: Figures) -> str:
    before, after = figures["all"]["grouped"], figures["kept"]["grouped"]
    if after["accuracy"]["value"] is None:
        return now(
            "The kept questions are too few (n = %(n)s) to compare a fresh %(model)s model with "
            "one half."
        ) % {"n": f"{after['accuracy']['n']:,}", "model": PROBES[kind]}
    text = now(
        "A fresh %(model)s model that has seen neither a question nor its twin answers "
        "%(before)s of all questions correctly and %(after)s of the kept ones."
    ) % {
        "model": PROBES[kind],
        "before": estimate(before["accuracy"]),
        "after": estimate(after["accuracy"]),
    }
    return " ".join(filter(None, (text, str(LEAKS[after["leak"]["direction"]]), detectable(after))))


def _is_measured(figures: Figures | None) -> bool:
    return figures is not None and figures["low"] is not None


def _axis(drawn: Figures) -> str:
    before = drawn["all"]["divergence"]
    after = drawn.get("kept", {}).get("divergence")
    if not _is_measured(before):
        return now("There are too few questions of each answer to measure how far they are apart.")
    if not _is_measured(after):
        return now("Too few questions of each answer are kept to compare how far they are apart.")
    text = now(
        "Along the first principal component the divergence between the two answers is "
        "%(before)s nats before filtering and %(after)s after (Kullback–Leibler divergence, "
        "95%% interval)."
    ) % {"before": divergence(before), "after": divergence(after)}
    if by_chance := reduced(drawn["all"].get("reduced")):
        text += " " + now("For comparison, the effect of size: the whole set has %s.") % by_chance
    return f"{text} {AXIS_LIMITS}"


def _features(features: Figures) -> str:
    compared = [name for name in FEATURE_NAMES if features[name]["p"] is not None]
    if not compared:
        return now(
            "Too few questions were removed to compare their surface features with those of the "
            "kept ones."
        )
    clear = [str(FEATURE_NAMES[name]) for name in compared if features[name]["p"] < CLEAR]
    if not clear:
        return now(
            "None of the %(n)s surface features that could be compared was found to differ between "
            "removed and kept questions (p < %(clear)s).%(power)s"
        ) % {"n": len(compared), "clear": CLEAR, "power": _smallest_difference(features)}
    return now(
        "The removed questions clearly differ from the kept ones in these surface features: %s."
    ) % ("; ".join(clear))


def _smallest_difference(features: Figures) -> str:
    """Say which difference of every share would have been found, from the widest interval."""
    widths = [
        figure["high"] - figure["low"]
        for name, figure in features.items()
        if name not in PLAIN_MEANS and None not in (figure["low"], figure["high"])
    ]
    if not widths:
        return ""
    error = max(widths) / (2 * ndtri(0.975))
    points = 100 * error * (ndtri(POWER) - ndtri(CLEAR / 2))
    return " " + now(
        "A difference of about %(points)s percentage points in any of the shares would have been "
        "found with a probability of 80%%."
    ) % {"points": f"{points:.1f}"}
