"""Forms of the review queue, gold questions and appeals."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Twin
from frontend.forms import ReasonForm, exact_text
from validation.core.verdicts import REASONS
from validation.selectors.review_queue import ALL, CLOSED, DOUBT, OPEN, RETURNED
from validation.services.review.adjudication import GIVEN_BY_CURATORS
from winoplatform.errors import DomainError

VALID, INVALID, ONE_MORE, BACK, REOPEN = (
    "valid",
    "invalid",
    "one_more",
    "return_for_revision",
    "reopen",
)
LOOKED_AT, SWAP = "reports_seen", "swap_answers"
AFTERWARDS = "afterwards"
OUTCOMES = (VALID, INVALID, ONE_MORE, BACK, REOPEN, LOOKED_AT, SWAP)


BESIDE = {
    "reasons_wrong": ("reasons", _("Choose at least one reason why it is not valid.")),
    "note_missing": ("note", _("Enter what the author should change: they read it.")),
}


class ReviewFilterForm(forms.Form):
    """The filters of the case list; invalid values in the address are ignored."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            (OPEN, _("to check")),
            (RETURNED, _("returned for revision")),
            (CLOSED, _("resolved")),
            (ALL, _("all")),
        ],
    )
    only = forms.ChoiceField(
        label=_("Why"),
        required=False,
        choices=[
            ("", _("any")),
            ("reported", _("reported by a validator")),
            ("appealed", _("appeal upheld")),
            ("suspected", _("likely label error")),
            ("flagged", _("words that may offend")),
        ],
    )
    doubt = forms.TypedChoiceField(
        label=_("Least doubt"),
        required=False,
        coerce=int,
        empty_value=DOUBT,  # type: ignore[arg-type]  # the stubs know only text
        choices=[
            (0, _("any difference between the votes")),
            (10, _("10% of the votes")),
            (DOUBT, _("20%: in doubt")),
            (30, _("30%: a vote of three")),
            (40, _("40%: nearly a tie")),
        ],
    )
    reason = forms.ChoiceField(
        label=_("Part that failed"),
        required=False,
        choices=[("", _("any")), *((code.value, code.value) for code in REASONS)],
    )
    domain = forms.ChoiceField(
        label=_("Domain"), required=False, choices=[("", _("any")), *Twin.Domain.choices]
    )

    answer = forms.ChoiceField(
        label=_("The author’s answer"),
        required=False,
        choices=[("", _("shown at once")), (AFTERWARDS, _("shown after I have answered"))],
    )

    def __init__(self, *args: Any, names: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].choices = [  # type: ignore[attr-defined]
            ("", _("any")),
            *((code.value, names[code.value]) for code in REASONS),
        ]

    def filters(self) -> dict[str, str]:
        """Return the valid filters that are not the default."""
        self.is_valid()
        filters = {name: str(value) for name, value in self.cleaned_data.items()}
        return {name: value for name, value in filters.items() if value not in ("", str(DOUBT))}


def shown_revisions(values: list[str]) -> dict[str, str]:
    """Return the revision of each question id in values such as ``id:revision``."""
    parts = (value.partition(":") for value in values)
    return {name: revision for name, _colon, revision in parts if name and len(revision) <= 40}


class DecisionForm(forms.Form):
    """One form for all actions on a question: the button names the action."""

    outcome = forms.ChoiceField(choices=[(name, name) for name in OUTCOMES])
    revision = forms.CharField(max_length=40)
    reasons = forms.MultipleChoiceField(
        label=_("Why it is not valid"),
        required=False,
        choices=[(code.value, code.value) for code in GIVEN_BY_CURATORS],
        widget=forms.CheckboxSelectMultiple,
    )
    note = forms.CharField(
        label=_("Note (optional)"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_(
            "Saved in the audit log. If you return the twin for revision, the author reads it."
        ),
    )

    def refuse(self, refusal: DomainError) -> bool:
        """Show *refusal* beside its field, in the words of the page; return if it has one."""
        if refusal.code not in BESIDE:
            return False
        field, words = BESIDE[refusal.code]
        if refusal.code == "reasons_wrong" and self.cleaned_data["reasons"]:
            words = _("Remove the reasons, or choose “Not valid”.")
        self.add_error(field, str(words))
        return True


class ExcludeWorkForm(ReasonForm):
    field_order = ("since", "reason")

    since = forms.DateTimeField(
        label=_("Votes since"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
        help_text=_("In your time zone."),
    )


class GoldForm(forms.Form):
    question = forms.CharField(
        label=_("Question"),
        max_length=32,
        widget=exact_text(autocomplete="off"),
        help_text=_(
            "The id of a valid question. The page of a question in the review queue shows it "
            "and has a button for this."
        ),
    )


class AppealForm(forms.Form):
    text = forms.CharField(
        label=_("Why you appeal"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("A curator reads this and answers."),
        error_messages={"required": _("Please give a reason for your appeal.")},
    )


class AppealAnswerForm(forms.Form):
    upheld = forms.TypedChoiceField(
        choices=[("yes", "yes"), ("no", "no")], coerce=lambda value: value == "yes"
    )
    answer = forms.CharField(
        max_length=1000,
        error_messages={"required": _("Enter an answer. The worker reads it.")},
    )
