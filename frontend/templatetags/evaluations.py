"""Format the figures of comparisons."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from evaluation.selectors import in_words
from frontend.evaluations.comparing import compared_with_best
from frontend.evidence import words
from stats.intervals import Estimate

register = template.Library()


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
    said = words.p_value(p)
    return said if said.startswith("<") else f"= {said}"


register.filter(compared_with_best)


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
