"""Convert the checker's report into the list that a writer sees while typing."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from collection.core.rules import Finding, Level, Report, Thresholds
from collection.services import TwinText
from winoplatform.errors import DomainError

EMPTY = frozenset({"sentence_empty", "option_empty", "anchor_empty", "answer_invalid"})
GROUPS = {
    "length": (
        "sentence_empty",
        "too_long",
        "control_character",
        "invisible_character",
        "too_few_words",
        "too_many_words",
    ),
    "blank": ("blank_missing", "blank_repeated", "blank_glued"),
    "options": (
        "option_empty",
        "option_has_blank",
        "options_same",
        "option_missing",
        "option_part_of_word",
    ),
    "answers": ("answer_invalid", "answers_same"),
    "overlap": ("twins_identical", "twins_reordered", "overlap_low"),
    "anchor": (
        "anchor_empty",
        "anchor_function_word",
        "anchor_not_in_article",
        "anchor_missing",
        "anchor_part_of_word",
    ),
    "domain": (
        "person_not_named",
        "people_gender_differs",
        "object_number_differs",
        "object_proper_noun",
        "object_animal",
    ),
}
TITLES = {
    "length": gettext_lazy("Length"),
    "blank": gettext_lazy("One blank in each sentence"),
    "options": gettext_lazy("Both options in both sentences"),
    "answers": gettext_lazy("Opposite answers"),
    "overlap": gettext_lazy("Same words except the trigger"),
    "anchor": gettext_lazy("The anchor in both sentences"),
    "domain": gettext_lazy("Fits the domain"),
}
PLACES = {
    "length": "sentence1",
    "blank": "sentence1",
    "options": "option1",
    "answers": "answer1",
    "overlap": "sentence2",
    "anchor": "anchor",
    "domain": "option1",
}
STATES = {
    "good": gettext_lazy("done"),
    "bad": gettext_lazy("blocking"),
    "warn": gettext_lazy("warning"),
    "todo": gettext_lazy("to do"),
}


@dataclass(frozen=True, slots=True)
class Remark:
    """One finding as the writer reads it, with its place: a field, or a part of one.

    ``start`` and ``end`` count characters of the sentence as it is checked: single spaces, and none
    at its ends.
    """

    message: str
    level: str
    quote: str
    field: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the list: ``state`` is good, bad, warn or todo."""

    code: str
    title: str
    state: str
    detail: str
    remarks: tuple[Remark, ...]

    @property
    def state_name(self) -> str:
        return str(STATES[self.state])


@dataclass(frozen=True, slots=True)
class Checklist:
    items: tuple[Item, ...]
    n_errors: int
    n_warnings: int
    n_todo: int

    @property
    def states(self) -> dict[str, str]:
        """Return the state of each line by its code."""
        return {item.code: item.state for item in self.items}

    @property
    def summary(self) -> str:
        """Summarize the list in one line."""
        parts = []
        if self.n_errors:
            parts.append(
                ngettext("%d blocking check", "%d blocking checks", self.n_errors) % self.n_errors
            )
        if self.n_todo:
            parts.append(ngettext("%d still to do", "%d still to do", self.n_todo) % self.n_todo)
        if self.n_warnings:
            parts.append(ngettext("%d warning", "%d warnings", self.n_warnings) % self.n_warnings)
        if not self.n_errors and not self.n_todo:
            parts.insert(0, _("Ready to submit"))
        return " · ".join(parts)


def checklist(report: Report, text: TwinText, thresholds: Thresholds) -> Checklist:
    """Sort a report's findings into the list; an empty field is "to do", not a mistake."""
    items = tuple(_item(code, report, text, thresholds) for code in GROUPS)
    return Checklist(
        items=items,
        n_errors=sum(part.level == "error" for item in items for part in item.remarks),
        n_warnings=sum(part.level == "warning" for item in items for part in item.remarks),
        n_todo=sum(item.state == "todo" for item in items),
    )


def _item(code: str, report: Report, text: TwinText, thresholds: Thresholds) -> Item:
    findings = [finding for finding in report.findings if finding.code in GROUPS[code]]
    remarks = [finding for finding in findings if finding.code not in EMPTY]
    return Item(
        code=code,
        title=str(TITLES[code]),
        state=_state(code, findings, text),
        detail=_detail(code, report, text, thresholds),
        remarks=tuple(remark(finding, text) for finding in remarks),
    )


def _state(code: str, findings: Iterable[Finding], text: TwinText) -> str:
    codes = {finding.code for finding in findings}
    levels = {finding.level for finding in findings if finding.code not in EMPTY}
    if Level.ERROR in levels:
        return "bad"
    needs_text = code not in ("answers", "domain")
    if codes & EMPTY or (needs_text and not all(text.sentences)) or _has_no_domain(code, text):
        return "todo"
    return "warn" if levels else "good"


def are_equal(report: Report) -> bool:
    """Return whether the sentences differ in no word: they share too much, not too little."""
    return "twins_identical" in report.codes


def _has_no_domain(code: str, text: TwinText) -> bool:
    return code == "domain" and not (text.domain and all(text.options))


def remark(finding: Finding, text: TwinText) -> Remark:
    """Return a finding with its place on the page."""
    quote = ""
    if finding.sentence and finding.start is not None:
        quote = text.sentences[finding.sentence - 1][finding.start : finding.end]
    return Remark(
        message=finding.message,
        level=finding.level.value,
        quote="" if quote == "_" else quote,
        field=_field(finding),
        start=finding.start,
        end=finding.end,
    )


def blocking_remarks(refusal: DomainError | None, text: TwinText) -> list[Remark]:
    """Return the findings that refused a text; the form marks the empty fields itself."""
    details = refusal.details.get("findings", []) if refusal else []
    findings = [Finding(**fields | {"level": Level(fields["level"])}) for fields in details]
    blocking = [each for each in findings if each.level is Level.ERROR and each.code not in EMPTY]
    return [remark(finding, text) for finding in blocking]


def _field(finding: Finding) -> str:
    """Return the field to link to: the sentence of the finding, or the field of its group."""
    if finding.sentence:
        return f"sentence{finding.sentence}"
    if finding.code in ("options_same", "object_number_differs"):
        return "option2"
    group = next((code for code, codes in GROUPS.items() if finding.code in codes), "overlap")
    return PLACES[group]


def _detail(code: str, report: Report, text: TwinText, thresholds: Thresholds) -> str:
    """Return the numbers of a line, and what is required."""
    if code == "length" and any(text.sentences):
        first, second = report.word_counts
        return _("%(first)d and %(second)d words; %(least)d to %(most)d each") % {
            "first": first,
            "second": second,
            "least": thresholds.min_words,
            "most": thresholds.max_words,
        }
    if code == "overlap" and are_equal(report):
        return _("the sentences are equal; change the trigger")
    if code == "overlap" and all(text.sentences):
        return _("%(share)d%% of the words shared; at least %(least)d%%") % {
            "share": int(report.overlap * 100),
            "least": round(thresholds.min_overlap * 100),
        }
    if code == "anchor" and text.anchor:
        return f"“{text.anchor}”"
    return ""
