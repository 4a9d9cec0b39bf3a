"""Forms of human evaluations and other panels."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from corpora.models import ReferenceSet, Release, Snapshot
from frontend.panels.reads import campaign_choices, data_choices
from panels.models import Panel, PanelSeat
from validation.models import Vote
from winoplatform.db.money import AmountFormField
from winoplatform.http.rights import reader

KINDS: dict[str, tuple[Any, str]] = {
    "release": (Release, "public_id"),
    "snapshot": (Snapshot, "public_id"),
    "reference_set": (ReferenceSet, "name"),
}


class VoteForm(forms.Form):
    """The number of an option as shown, and after a colon what fails, if that is said."""

    option = forms.RegexField(
        rf"^\d{{1,4}}(:({'|'.join(PanelSeat.Fails.values)}))?$",
        max_length=60,
        error_messages={
            "required": _("Choose one of the options."),
            "invalid": _("Choose one of the options."),
        },
    )
    report = forms.ChoiceField(choices=Vote.Report.choices, required=False)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of ``services.cast_vote``."""
        option, _colon, fails = self.cleaned_data["option"].partition(":")
        report = self.cleaned_data["report"]
        return {"shown_option": int(option), "fails": fails, "report": report}


class StatusForm(forms.Form):
    status = forms.ChoiceField(choices=Panel.Status.choices)


def _any_campaign() -> list[tuple[str, str]]:
    return [("", str(_("the campaign of the release or snapshot"))), *campaign_choices()]


class NewForm(forms.Form):
    """What is asked, how often, and what it pays."""

    questions = forms.ChoiceField(label=_("Questions"), choices=data_choices)
    campaign = forms.ChoiceField(
        label=_("Campaign"),
        choices=_any_campaign,
        required=False,
        help_text=_(
            "For a reference set: the campaign whose validators answer, and whose budget pays."
        ),
    )
    votes_per_item = forms.TypedChoiceField(
        label=_("Votes for each question"), choices=[(3, "3"), (5, "5")], coerce=int, initial=3
    )
    reward = AmountFormField(
        label=_("Pay for each vote"),
        required=False,
        max_digits=8,
        help_text=_("Empty for what the campaign pays for a validated question."),
    )
    n_groups = forms.IntegerField(
        label=_("Sample"),
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text=_("How many groups to draw, each with all its questions. Empty for all."),
    )
    seed = forms.IntegerField(
        label=_("Seed of the sample"), min_value=0, max_value=2**63 - 1, initial=0, required=False
    )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of ``services.start_human_evaluation``."""
        data = self.cleaned_data
        kind, name, split = data["questions"].split(":")
        model, key = KINDS[kind]
        slug = data["campaign"]
        return {
            "release": None, "snapshot": None, "reference_set": None,
            kind: model.objects.get(**{key: name}),
            "split": split,
            "campaign": Campaign.objects.visible_to(reader()).get(slug=slug) if slug else None,
            "votes_per_item": data["votes_per_item"],
            "reward": data["reward"],
            "n_groups": data["n_groups"],
            "seed": data["seed"] or 0,
        }  # fmt: skip
