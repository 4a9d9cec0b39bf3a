"""Format numbers, money, times, sentences and states for pages."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import template
from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markdown_it import MarkdownIt

from collection.core.examples import OF_QUESTIONS, OF_TWINS
from collection.core.guidelines import is_own_image, part_for
from corpora.core.clues.results import clue_alone
from frontend.glossary import TERMS
from frontend.marks import BLANK, Piece, with_blank
from winoplatform.figures import fields_of, in_words
from winoplatform.http.responses import allow_plotly
from workers.models import LedgerEntry, Payout, User
from workers.selectors import kind_for

register = template.Library()

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "INR": "₹", "JPY": "¥"}
STROKES = {
    "check": "M4 10.5l4 4 8-9",
    "cross": "M5 5l10 10M15 5L5 15",
    "look": "M10 3.2L18 17H2zM10 8.4v3.8M10 14.4v.4",
    "circle": "M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14",
    "clock": "M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14M10 6v4.2l2.8 1.8",
    "turn": "M10 3a7 7 0 1 1-7 7",
    "stop": "M5.5 5.5h9v9h-9z",
    "arrow": "M4 10h12M11 5l5 5-5 5",
    "screen": "M3 4.5h14v9H3zM7 17h6M10 13.5V17",
    "sun": "M10 6.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18"
    "M4.3 4.3l1 1M14.7 14.7l1 1M15.7 4.3l-1 1M5.3 14.7l-1 1",
    "moon": "M15.5 12.5A6.5 6.5 0 0 1 7.5 4.5a6.5 6.5 0 1 0 8 8z",
}
STATE_ICONS = {
    "good": "check",
    "bad": "cross",
    "warn": "look",
    "todo": "circle",
    "queued": "clock",
    "running": "turn",
    "running-now": "arrow",
    "done": "check",
    "failed": "cross",
    "cancelled": "stop",
    "open": "check",
    "paused": "clock",
    "closed": "stop",
    "draft": "circle",
}


def _image(renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    """Show an image of another site as its description, since that site would learn the reader."""
    if is_own_image(str(tokens[index].attrs.get("src", ""))):
        return str(renderer.image(tokens, index, options, env))
    return str(conditional_escape(tokens[index].content))


# Raw HTML is shown as text: curators' guidelines must not run as a page of this site.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.add_render_rule("image", _image)
_BLANK_ALONE = re.compile(rf"(?<!\w){BLANK}(?!\w)")


def _text_with_blanks(renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    parts = _BLANK_ALONE.split(tokens[index].content)
    return piece(Piece(BLANK, "blank")).join(map(conditional_escape, parts))


_ITEM = MarkdownIt("commonmark", {"html": False}).enable("table")
_ITEM.add_render_rule("image", _image)
_ITEM.add_render_rule("text", _text_with_blanks)


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw a decorative icon; the text beside it has the meaning."""
    return format_html(
        '<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">'
        '<path d="{}"/></svg>',
        STROKES[name],
    )


@register.simple_tag
def state(code: str, words: str) -> SafeString:
    """Show a state as an icon and words."""
    return format_html(
        '<span class="state state-{}">{}<span>{}</span></span>',
        code,
        icon(STATE_ICONS.get(code, "circle")),
        words,
    )


register.filter(clue_alone)


@register.filter
def blank(sentence: str, filling: str = "") -> SafeString:
    """Show a sentence with its blank empty or filled."""
    return format_html_join("", "{}", ((piece(part, filling),) for part in with_blank(sentence)))


@register.simple_tag
def piece(part: Any, filling: str = "") -> SafeString:
    """Show one piece of a sentence or article."""
    if part.kind == "blank" and filling:
        return format_html('<span class="blank filled">{}</span>', filling)
    if part.kind == "blank":
        return format_html(
            '<span class="blank"><span class="unseen">{}</span></span>', _("(blank)")
        )
    if part.kind == "changed":
        return format_html("<mark>{}</mark>", part.text)
    if part.kind == "anchor":
        return format_html(
            '<span class="anchor" data-anchor="{}">{}</span>', part.text.casefold(), part.text
        )
    return conditional_escape(part.text)


@register.filter
def money(amount: Decimal, currency: str) -> str:
    """Format an amount with its currency: ``$0.40``, or ``0.40 CHF`` where there is no symbol."""
    sign = "−" if amount < 0 else ""
    if currency in SYMBOLS:
        return f"{sign}{SYMBOLS[currency]}{abs(amount):,.2f}"
    return f"{sign}{abs(amount):,.2f} {currency}"


@register.filter
def reward(amount: Decimal, currency: str) -> str:
    """Format what a unit of work pays, as ``money`` does; nothing if the work is unpaid.

    A page that states pay says in words that work is unpaid: "$0.00" reads like a mistake.
    """
    return money(amount, currency) if amount else ""


@register.filter
def pay_state(code: str) -> SafeString:
    """Show the state of pay."""
    states = LedgerEntry.State
    looks = {states.ACCRUED: "todo", states.APPROVED: "open", states.EXPORTED: "running-now"}
    looks |= {states.PAID: "good", states.VOID: "cancelled"}
    return state(looks[states(code)], str(states(code).label))


@register.filter
def pay_label(number: int) -> str:
    """Return the label of the state of pay at an offset from the first one."""
    return str(list(LedgerEntry.State)[number].label)


@register.simple_tag
def payout_state(payout: Payout) -> SafeString:
    """Show the state of a payout."""
    if payout.awaits_second_approval:
        return state("todo", str(_("waits for a second curator")))
    looks = {"exported": "running-now", "paid": "good", "cancelled": "cancelled"}
    return state(looks[payout.status], payout.get_status_display())


@register.filter
def pay_kind(entry: LedgerEntry, reader: User) -> str:
    """Return the kind of an entry; for its worker, a gold question is like any other."""
    return str(LedgerEntry.Kind(kind_for(reader, entry.kind)).label)


@register.filter
def number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


@register.filter
def chance(value: float | None) -> str:
    """Format a probability; never rounds to 0 or 1."""
    if value is None:
        return "–"
    if value > 0.999:
        return "> 99.9%"
    return "< 0.1%" if value < 0.001 else f"{value:.1%}"


@register.filter
def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


@register.filter
def found_from(accuracy: float) -> str:
    """Say that an accuracy, or one as far below one half, is found with a probability of 80 %."""
    ends = {"above": f"{accuracy:.1%}", "below": f"{1 - accuracy:.1%}"}
    return _("80%% chance to find %(above)s or %(below)s") % ends


@register.filter
def whole_percent(value: Decimal | float) -> str:
    """Format a share that a user set, such as a threshold; no decimals if it has none."""
    return f"{100 * Decimal(str(value)):f}".removesuffix(".00").removesuffix(".0") + "%"


@register.filter
def share(part: int | None, whole: int | None) -> float | None:
    """Return part / whole, or None if whole is 0."""
    return part / whole if part is not None and whole else None


@register.filter
def duration(seconds: float | None) -> str:
    """Format seconds for reading."""
    if seconds is None:
        return "–"
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


estimate = register.filter("estimate", in_words)


@register.filter
def coefficient(value: float | None, decimals: int = 2) -> str:
    """Format a figure between −1 and 1 that is not a share."""
    if value is None:
        return "–"
    # Plus zero removes the sign of a rounded −0.
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")


@register.filter
def interval(found: Any) -> SafeString:
    """Format a share for a table column: with a smaller interval, and both of a share of people."""
    return _of_people(found, percent)


@register.filter
def people_coefficient(found: Any) -> SafeString:
    """Format an agreement for a table column, with its interval or both of them.

    Three decimals, as in the limits that it is compared with.
    """
    return _of_people(found, lambda value: coefficient(value, 3))


def _of_people(estimate_or_fields: Any, form: Callable[[float | None], str]) -> SafeString:
    """Format an estimate with its interval; below it that for people like them, if it has one."""
    fields = fields_of(estimate_or_fields)
    if fields["value"] is None:
        return mark_safe("–")
    within = "" if fields["low"] is None else f"{form(fields['low'])} – {form(fields['high'])}, "
    first = format_html(
        '{} <span class="quiet nowrap">({}n = {})</span>',
        form(fields["value"]),
        within,
        f"{fields['n']:,}",
    )
    return first + _like_them(fields, form)


def _like_them(fields: Mapping[str, Any], form: Callable[[float | None], str]) -> SafeString:
    if not fields.get("n_people"):
        return mark_safe("")
    if fields["people_low"] is None:
        words = ngettext(
            "people like them: unknown, %d person is too few",
            "people like them: unknown, %d people are too few",
            fields["n_people"],
        )
        return format_html(' <span class="quiet block">{}</span>', words % fields["n_people"])
    ends = f"{form(fields['people_low'])} – {form(fields['people_high'])}"
    words = _("people like them: %s") % ends
    return format_html(' <span class="quiet block nowrap">{}</span>', words)


@register.filter
def nats(found: Mapping[str, Any] | None) -> SafeString:
    """Format a divergence for a table column with a smaller interval, or a lower bound."""
    if not found or found["low"] is None:
        return mark_safe("–")
    if found["value"] is None:
        return format_html("≥ {}", f"{found['low']:.3f}")
    numbers = (f"{found[name]:.3f}" for name in ("value", "low", "high"))
    return format_html('{} <span class="quiet block nowrap">({} – {})</span>', *numbers)


@register.filter
def when(moment: datetime | None) -> SafeString:
    """Format a date and time in the reader's zone, with the zone's name."""
    return _time(moment, "j M Y,", "H:i T")


@register.filter
def to_the_second(moment: datetime | None) -> SafeString:
    """Format as ``when``, for what is compared with the log."""
    return _time(moment, "j M Y,", "H:i:s T")


@register.filter
def clock(moment: datetime | None) -> SafeString:
    """Format the time of day of a moment in the near future."""
    return _time(moment, "H:i T")


def _time(moment: datetime | None, *forms: str) -> SafeString:
    if moment is None:
        return mark_safe("–")
    local = timezone.localtime(moment)
    # A line may break only between date and time.
    parts = ((format_date(local, form),) for form in forms)
    words = format_html_join(" ", '<span class="nowrap">{}</span>', parts)
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), words)


@register.simple_tag(takes_context=True)
def explain(context: template.Context, code: str) -> SafeString:
    """Show an “i” in a circle that explains a term of the glossary."""
    render_state: Any = context.render_context
    number = render_state["explained"] = render_state.setdefault("explained", 0) + 1
    return format_html(
        '<button type="button" class="info" popovertarget="info-{0}-{1}" aria-label="{2}">'
        '<span aria-hidden="true">i</span></button>'
        '<span id="info-{0}-{1}" class="info-text" popover>{3}</span>',
        code,
        number,
        _("What does this mean?"),
        TERMS[code].meaning,
    )


SHORT_ID = 8  # characters, as in style.css


@register.filter
def short_id(value: object) -> SafeString:
    """Show an id or hash cut short by the style sheet, with a button that copies all of it.

    The text itself is whole: it can be selected, found in the page and read aloud.
    """
    text = str(value)
    if len(text) <= SHORT_ID + 4:
        return format_html("<code>{}</code>", text)
    return format_html(
        '<span class="short-id"><code title="{}">{}</code> <button type="button" '
        'class="copy only-js" data-copy-text="{}" data-done="{}" aria-label="{}">{}</button>'
        "</span>",
        text,
        text,
        text,
        _("Copied"),
        _("Copy %(id)s") % {"id": text},
        _("Copy"),
    )


@register.inclusion_tag("frontend/parts/twin_examples.html")
def twin_examples() -> dict[str, Any]:
    """Show writers good and bad twins, with the reasons."""
    return {"examples": OF_TWINS}


@register.inclusion_tag("frontend/parts/question_examples.html")
def question_examples() -> dict[str, Any]:
    """Show validators questions with the answers to give, and the reasons."""
    return {"examples": OF_QUESTIONS}


@register.filter
def get(mapping: Mapping[Any, Any], key: Any) -> Any:
    return mapping.get(key, "")


@register.filter
def bare(words: str | None) -> str:
    """Return trigger words without the full stop or quotation mark that ends their sentence."""
    return (words or "").strip(' .,;:!?“”"()')


@register.filter
def markdown(text: str) -> SafeString:
    # The renderer escapes all HTML in the text.
    return mark_safe(_MARKDOWN.render(text))


@register.filter
def exercise_text(text: str) -> SafeString:
    """Return a text of a training or test as HTML, with the blanks as the work shows them."""
    return mark_safe(_ITEM.render(text))


@register.filter
def for_skill(text: str, skill: str) -> str:
    """Return the part of guidelines for one kind of work."""
    return part_for(text, skill)


WORK_KEYS = {"cannot tell": "0", "both are plausible": "b"}
"""The keys of answers that the validation page also has, so that a hand learns one key for each."""


@register.filter
def choice_key(choice: str, number: int) -> str:
    """Return the key of an exercise's choice: as in the work, or its number."""
    return WORK_KEYS.get(choice.casefold(), str(number))


@register.simple_tag
def queue_command(queues: Iterable[str]) -> str:
    """Return the command that starts a worker for *queues*."""
    return f"celery -A winoplatform worker -Q {','.join(queues)}"


@register.filter
def css_share(value: float | None) -> str:
    """Format a share as the width of a bar."""
    return f"{100 * (value or 0):.1f}%"


@register.simple_tag(takes_context=True)
def plotly_allowed(context: template.Context) -> str:
    """Let the page's policy allow what Plotly needs."""
    allow_plotly(context["request"])
    return ""
