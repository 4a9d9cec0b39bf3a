"""Forms of a campaign's settings: in groups, each with its unit and default."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.core.findings import ADVICE, RULES
from collection.models import Campaign
from collection.models.campaigns import BLOCKABLE
from workers.models import User

TEXTS: Mapping[str, tuple[Any, Any]] = {
    "name": (_("Name"), _("Shown to workers and curators.")),
    "slug": (
        _("Short name"),
        _(
            "Used in addresses: letters, digits, hyphens and underscores. It cannot be changed "
            "later."
        ),
    ),
    "currency": (_("Currency"), _("Three capital letters, such as USD.")),
    "reward_twin": (_("Pay per twin"), _("Paid when it is submitted.")),
    "reward_vote": (_("Pay per vote"), _("Paid when it is cast.")),
    "reward_exercise": (
        _("Pay for training and test"),
        _(
            "Paid once: for the first test that is passed, or has more correct answers than "
            "guessing explains (probability of at most 5%). A training without a test is paid "
            "when its last answers are correct. 0 for no pay."
        ),
    ),
    "min_words": (_("Minimum words"), _("In each sentence, including the blank.")),
    "max_words": (_("Maximum words"), _("In each sentence, including the blank.")),
    "min_overlap": (_("Shared words"), _("Minimum share: 0.70 is 70%.")),
    "assignment_minutes": (
        _("Minutes for an article"),
        _(
            "A writer has one article at a time. When the time is over, another writer can get "
            "it; its writer can renew the time."
        ),
    ),
    "article_uses_max": (_("Twins for one article"), _("Maximum; empty for no limit.")),
    "anchor_uses_max": (_("Twins with one anchor"), _("Maximum; empty for no limit.")),
    "trigger_uses_max": (
        _("Twins with one trigger"),
        _("Above this number, writers get the suggestion to use another trigger."),
    ),
    "exercise_pass_share": (
        _("Correct answers to pass"),
        _("Minimum share in the test: 0.80 is 80%."),
    ),
    "exercise_attempts": (_("Attempts at the test"), _("Each attempt is explained.")),
    "exercise_length": (
        _("Items at once"),
        _(
            "Items of a training, and of an attempt at the test; empty for all. Further items are "
            "for second attempts."
        ),
    ),
    "twins_per_day_max": (
        _("Twins per writer and day"),
        _("Maximum in 24 hours; empty for no limit."),
    ),
    "twins_per_worker_max": (_("Twins per writer"), _("Maximum; empty for no limit.")),
    "min_approvals": (
        _("Approved tasks"),
        _("Minimum for a crowd worker; empty for no requirement."),
    ),
    "min_approval_rate": (
        _("Approval rate"),
        _("Minimum share for a crowd worker: 0.97 is 97%; empty for no requirement."),
    ),
    "paste_policy": (_("Pasting"), _("Curators always see the pasted share.")),
    "votes_per_question": (
        _("Votes per question"),
        _("An odd number, so that there is a majority."),
    ),
    "verdict_policy": (_("Verdict"), _("When a question counts as valid.")),
    "vote_minutes": (
        _("Minutes for a vote"),
        _(
            "Extended while the page is in use. When the time is over, another validator can "
            "get the question."
        ),
    ),
    "extra_votes_max": (
        _("Extra votes"),
        _("Maximum number of additional votes if validators disagree: 0 to 6."),
    ),
    "votes_per_day_max": (
        _("Votes per validator and day"),
        _("Maximum in 24 hours; empty for no limit."),
    ),
    "votes_per_worker_max": (_("Votes per validator"), _("Maximum; empty for no limit.")),
    "gold_share": (
        _("Control questions"),
        _("Share of a validator’s questions whose answer is known: 0.05 is 5%; 0 for none."),
    ),
    "gold_pass_share": (
        _("Correct answers to control questions"),
        _("Minimum share; a validator below it is warned, then paused."),
    ),
    "budget_cap": (
        _("Budget"),
        _("Maximum total cost: no work is assigned beyond it. Empty for no limit."),
    ),
    "second_approval_above": (
        _("Second approval above"),
        _(
            "A bonus or payout above this sum, or several by one curator within 24 hours, is "
            "approved by another curator before it is paid. Empty to turn this off; only an admin "
            "can raise or empty it later."
        ),
    ),
    "hourly_floor": (
        _("Lowest hourly rate"),
        _("Curators see who earns less; empty to turn this off."),
    ),
    "goal_pairs": (_("Goal"), _("Valid pairs to collect; empty for no goal.")),
    "pay_terms": (
        _("Who pays, and when"),
        _("Workers read this before they begin: “The university, at the end of each month.”"),
    ),
    "contact": (
        _("Whom to ask"),
        _("Workers read this before they begin: a name and an address."),
    ),
    "asked_by": (
        _("Who asks"),
        _("Workers read this before they begin: the people and the institution."),
    ),
    "data_use": (
        _("What happens with the data"),
        _("Workers read this before they begin; empty for a general sentence."),
    ),
    "people_origin": (
        _("Who the people are"),
        _(
            "Said beside every figure about people. Accounts that came by an invitation or from a "
            "crowd platform tell it themselves; this is for the others."
        ),
    ),
    "people_platform": (
        _("Crowd platform"),
        _("Its name, if people come from one by links that do not name it."),
    ),
    "population": (
        _("Population"),
        _("Age, gender, country and first language, as far as known; for the data card."),
    ),
    "consent": (
        _("Consent"),
        _("What people are told, and how they consent; for the data card."),
    ),
    "ethics_review": (
        _("Ethics review"),
        _("The board that reviewed the study, and its number; for the data card."),
    ),
    "funding": (_("Funding"), _("Who pays for the study; for the data card.")),
    "dev_share": (
        _("Dev"),
        _("Share of the twins that have no split yet: 0.10 is 10%."),
    ),
    "test_share": (
        _("Blind test"),
        _("As for dev. A twin keeps its split in every release."),
    ),
    "near_duplicate": (
        _("Near-duplicates"),
        _("Similarity to a blind question from which a release leaves a question out; 1 for none."),
    ),
    "blocking": (
        _("Blocking checks"),
        _(
            "Selected checks stop a twin from being submitted. The others are shown as "
            "suggestions or warnings."
        ),
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
            "second_approval_above",
            "hourly_floor",
            "goal_pairs",
            "pay_terms",
            "contact",
        ),
    ),
    (
        _("People"),
        (
            "asked_by",
            "data_use",
            "people_origin",
            "people_platform",
            "population",
            "consent",
            "ethics_review",
            "funding",
        ),
    ),
    (_("Format of a twin"), ("min_words", "max_words", "min_overlap")),
    (
        _("Articles and anchors"),
        ("assignment_minutes", "article_uses_max", "anchor_uses_max", "trigger_uses_max"),
    ),
    (
        _("Requirements for writers"),
        (
            "exercise_pass_share",
            "exercise_attempts",
            "exercise_length",
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
    (_("Splits"), ("dev_share", "test_share", "near_duplicate")),
    (_("Blocking checks"), ("blocking",)),
)


SHARES = (
    "min_overlap",
    "exercise_pass_share",
    "min_approval_rate",
    "gold_share",
    "gold_pass_share",
    "dev_share",
    "test_share",
    "near_duplicate",
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
    """All settings except the slug, which cannot change."""

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
                # Text inputs for all numbers; the browser’s arrow buttons change them by accident.
                field.widget = forms.TextInput(attrs={"inputmode": "decimal"})
            if name in SHARES:
                field.error_messages |= SHARE_ERRORS
            if name in AT_MOST_HALF:
                field.error_messages |= {"max_value": _("Write a share from 0 to 0.5.")}
            if name in ("name", "slug", "currency"):
                field.widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
            # Stores only fields changed on this page: another curator’s changes remain.
            field.show_hidden_initial = name != "blocking"
        origin: Any = self.fields["people_origin"]
        origin.choices = [("", _("not stated")), *User.Origin.choices]

    def groups(self) -> Iterator[Group]:
        for title, names in GROUPS:
            yield Group(str(title), tuple(self[name] for name in names if name in self.fields))

    def changes(self) -> dict[str, Any]:
        """Return the changed fields that can be changed."""
        known = self.cleaned_data
        return {name: known[name] for name in self.changed_data if name in known}


class GuidelineForm(forms.Form):
    text = forms.CharField(
        label=_("Guidelines"),
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "true", "lang": "en"}),
        help_text=_(
            "Markdown. A section whose heading begins with “For writers” or “For validators” is "
            "shown only to them; the rest is shown to both."
        ),
        error_messages={"required": _("Write the guidelines.")},
    )
    aids_policy = forms.CharField(
        label=_("Policy on writing aids"),
        max_length=50_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "true", "lang": "en"}),
        help_text=_("Markdown. Which aids writers may use; they accept it with the guidelines."),
    )
