"""A campaign's settings, as curators read them: in groups, each with its unit and its default."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.core.findings import ADVICE, RULES
from collection.models import Campaign
from collection.models.campaigns import BLOCKABLE

TEXTS: Mapping[str, tuple[Any, Any]] = {
    "name": (_("Name"), _("Workers and curators know the campaign by it.")),
    "slug": (
        _("Short name"),
        _("For addresses: letters, digits, hyphens and underscores. It stays for good."),
    ),
    "currency": (_("Currency"), _("Three capital letters, such as USD.")),
    "reward_twin": (_("A twin"), _("Paid when it is submitted.")),
    "reward_vote": (_("A vote"), _("Paid when it is cast.")),
    "reward_exercise": (
        _("The exercise"),
        _(
            "Paid once: for the first attempt that passes, or that has more right than guessing "
            "explains (a chance of 5 % at most). A training that no test follows is paid to "
            "everybody who goes through it. 0 for an unpaid one."
        ),
    ),
    "min_words": (_("Fewest words"), _("In each sentence, the blank included.")),
    "max_words": (_("Most words"), _("In each sentence, the blank included.")),
    "min_overlap": (_("Shared words"), _("At least, as a share: 0.70 is 70 %.")),
    "assignment_minutes": (
        _("Minutes for an article"),
        _("One at a time. Then it goes to somebody else; its writer may renew it."),
    ),
    "article_uses_max": (_("Twins for one article"), _("At most; empty for any number.")),
    "anchor_uses_max": (_("Twins around one anchor"), _("At most; empty for any number.")),
    "trigger_uses_max": (
        _("Twins with one trigger"),
        _("With more, writers are advised to find another trigger."),
    ),
    "exercise_pass_share": (
        _("Right answers to pass"),
        _("In the exercise, at least, as a share: 0.80 is 80 %."),
    ),
    "exercise_attempts": (_("Attempts at the exercise"), _("Each is explained at once.")),
    "twins_per_day_max": (
        _("Twins of one writer a day"),
        _("In 24 hours, at most; empty for any number."),
    ),
    "twins_per_worker_max": (_("Twins of one writer"), _("At most; empty for any number.")),
    "min_approvals": (
        _("Approved tasks"),
        _("That a crowd worker comes with, at least; empty to ask for none."),
    ),
    "min_approval_rate": (
        _("Approval rate"),
        _("Of a crowd worker, at least, as a share: 0.97 is 97 %; empty to ask for none."),
    ),
    "paste_policy": (_("Pasting"), _("Its share is noted for curators in any case.")),
    "votes_per_question": (_("Votes a question"), _("An odd number, so that there is a majority.")),
    "verdict_policy": (_("Verdict"), _("When a question counts as valid.")),
    "vote_minutes": (
        _("Minutes for a vote"),
        _("Renewed while the page is at work; then the question goes to somebody else."),
    ),
    "extra_votes_max": (
        _("Extra votes"),
        _("Where the validators differ, up to so many more; 0 asks for none. At most 6."),
    ),
    "votes_per_day_max": (
        _("Votes of one validator a day"),
        _("In 24 hours, at most; empty for any number."),
    ),
    "votes_per_worker_max": (_("Votes of one validator"), _("At most; empty for any number.")),
    "gold_share": (
        _("Gold questions"),
        _("Questions of known answer among a validator’s, as a share: 0.05 is 5 %; 0 asks none."),
    ),
    "gold_pass_share": (
        _("Gold answers that are right"),
        _("As a share; a validator below it is warned, then paused."),
    ),
    "budget_cap": (
        _("Budget"),
        _("What the campaign may cost in all: no work is handed out beyond it. Empty for any."),
    ),
    "hourly_floor": (
        _("Pay for an hour of work"),
        _("Below it curators are told; empty to be told nothing."),
    ),
    "dev_share": (
        _("Dev"),
        _("Of the twins that are not drawn yet, as a share: 0.10 is 10 %."),
    ),
    "test_share": (
        _("Blind test"),
        _("As for dev. A twin that has been drawn keeps its split in every release."),
    ),
    "blocking": (
        _("Refuse a twin that shows"),
        _("What is not ticked is told to the writer and stops nobody."),
    ),
}
GROUPS = (
    (_("Name"), ("name", "slug")),
    (
        _("Pay"),
        (
            "currency",
            "reward_twin",
            "reward_vote",
            "reward_exercise",
            "budget_cap",
            "hourly_floor",
        ),
    ),
    (_("The form of a twin"), ("min_words", "max_words", "min_overlap")),
    (
        _("Priming"),
        ("assignment_minutes", "article_uses_max", "anchor_uses_max", "trigger_uses_max"),
    ),
    (
        _("Who may write"),
        (
            "exercise_pass_share",
            "exercise_attempts",
            "twins_per_day_max",
            "twins_per_worker_max",
            "min_approvals",
            "min_approval_rate",
            "paste_policy",
        ),
    ),
    (
        _("Validating"),
        (
            "votes_per_question",
            "extra_votes_max",
            "verdict_policy",
            "vote_minutes",
            "votes_per_day_max",
            "votes_per_worker_max",
            "gold_share",
            "gold_pass_share",
        ),
    ),
    (_("Splits"), ("dev_share", "test_share")),
    (_("Warnings that refuse"), ("blocking",)),
)


SHARES = (
    "min_overlap",
    "exercise_pass_share",
    "min_approval_rate",
    "gold_share",
    "gold_pass_share",
    "dev_share",
    "test_share",
)
AT_MOST_HALF = ("gold_share", "dev_share", "test_share")
SHARE_ERRORS = dict.fromkeys(
    ("invalid", "min_value", "max_value", "max_digits", "max_decimal_places", "max_whole_digits"),
    _("Write a share from 0 to 1: 0.97, not 97."),
)


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    fields: tuple[Any, ...]


class CampaignForm(forms.ModelForm):
    """Every setting but the slug, which stays."""

    blocking = forms.MultipleChoiceField(
        choices=[
            (code, sentence) for code, sentence in {**RULES, **ADVICE}.items() if code in BLOCKABLE
        ],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    class Meta:
        model = Campaign
        fields: ClassVar[list[str]] = [name for name in TEXTS if name != "slug"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, field in self.fields.items():
            field.label, field.help_text = TEXTS[name]
            if isinstance(field, forms.DecimalField | forms.IntegerField):
                # One keyboard for all numbers; the browser’s own arrows change them by accident.
                field.widget = forms.TextInput(attrs={"inputmode": "decimal"})
            if name in SHARES:
                field.error_messages |= SHARE_ERRORS
            if name in AT_MOST_HALF:
                field.error_messages |= {"max_value": _("Write a share from 0 to 0.5.")}
            if name in ("name", "slug", "currency"):
                field.widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
            # Only what this page has changed is stored: another curator’s changes stay.
            field.show_hidden_initial = name != "blocking"

    def groups(self) -> Iterator[Group]:
        for title, names in GROUPS:
            yield Group(str(title), tuple(self[name] for name in names if name in self.fields))

    def changes(self) -> dict[str, Any]:
        """Return what differs from what the page showed and can be."""
        known = self.cleaned_data
        return {name: known[name] for name in self.changed_data if name in known}


class NewCampaignForm(CampaignForm):
    class Meta(CampaignForm.Meta):
        fields: ClassVar[list[str]] = list(TEXTS)


class GuidelineForm(forms.Form):
    text = forms.CharField(
        label=_("Guidelines"),
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "true", "lang": "en"}),
        help_text=_("Markdown. Writers and validators read them."),
        error_messages={"required": _("Write the guidelines.")},
    )
    aids_policy = forms.CharField(
        label=_("Policy on writing aids"),
        max_length=50_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "true", "lang": "en"}),
        help_text=_("Markdown. Which aids writers may use; they accept it with the guidelines."),
    )


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("The worker reads this, word for word."),
        error_messages={"required": _("Say why: the worker reads it.")},
    )
