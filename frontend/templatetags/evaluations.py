"""Format the figures of comparisons."""

from django import template
from django.utils.formats import localize
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from evaluation.core.comparison import ALPHA, Verdict, Versus
from evaluation.selectors import in_words
from frontend import findings
from frontend.templatetags.pages import chance
from stats.intervals import Estimate

register = template.Library()
LEAST_POWER = 0.1  # below which a probability of finding something is none worth stating


@register.filter
def points(value: float | None) -> str:
    """Format a difference of shares in percentage points, with its sign."""
    if value is None:
        return "–"
    # Plus zero removes the sign of a rounded −0.
    return f"{round(100 * value, 1) + 0.0:+.1f}".replace("-", "−").replace("+0.0", "0.0")


@register.filter
def points_cell(found: Estimate) -> SafeString:
    """Format a difference with its interval, in percentage points."""
    if found.low is None or found.high is None:
        return mark_safe(points(found.value))
    ends = (points(end) for end in (found.value, found.low, found.high))
    return format_html('{} <span class="quiet nowrap">({} – {})</span>', *ends)


@register.filter
def p_value(p: float) -> str:
    """Format a p-value as the part of a sentence that follows its name."""
    text = findings.p_value(p)
    return text if text.startswith("<") else f"= {text}"


@register.filter
def compared_with_best(versus: Versus) -> str:
    """Say whether a system is less accurate than the best, and what would have been found."""
    if versus.p_corrected <= ALPHA:
        return _("less accurate than the best")
    if versus.detectable == 1:
        return _("not distinguishable from the best: there are too few questions")
    return _(
        "not distinguishable from the best; a difference of %(points)s points would have been "
        "found with a probability of at least 80%%"
    ) % {"points": localize(round(100 * versus.detectable, 1))}


@register.filter
def p_number(p: float) -> str:
    """Format a p-value alone."""
    return findings.p_value(p)


@register.filter
def as_points(share: float) -> str:
    """Format a share as a number of percentage points, without a sign."""
    return f"{100 * share:g}"


@register.filter
def equivalence_words(versus: Versus, margin: float) -> str:
    """Say whether a difference is shown to be below a margin, and what would have been shown."""
    names = {"points": as_points(margin)}
    if versus.verdict == Verdict.EQUIVALENT:
        return _("equivalent: a difference of %(points)s points or more is refuted") % names
    if versus.verdict == Verdict.LESS_WITHIN_MARGIN:
        return _("less accurate, but by less than %(points)s points") % names
    if versus.verdict == Verdict.LESS_ACCURATE:
        return _("less accurate, perhaps by %(points)s points or more") % names
    if versus.equivalence.power < LEAST_POWER:
        return _("cannot tell: for this margin there are too few questions")
    return _(
        "cannot tell: neither a difference nor equivalence is shown. If both were equally "
        "accurate, equivalence would be shown with a probability of at least %(power)s"
    ) % {"power": chance(versus.equivalence.power)}


@register.filter
def score(value: float, decimals: int) -> str:
    """Format a method's score of an option."""
    return f"{value:.{decimals}f}".replace("-", "−")


@register.filter
def title_of(name: str) -> str:
    """Write the name of a transformation in words."""
    return in_words(name)


@register.filter
def rate(value: float) -> str:
    """Format a learning rate as papers do: 1e-5."""
    return f"{value:g}".replace("e-0", "e-")
