"""Audits of keys in words."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import KeyAudit
from frontend.runs.words import RunWords, register


def about_set(run: KeyAudit) -> dict[str, str]:
    """Return the name of the set and the pages with its evaluations, its audits, and a new model.

    Of a snapshot, the name is that of its campaign.
    """
    key: Any
    if (reference_set := run.reference_set) is not None:
        kind, name, key = "reference-set", reference_set.title, reference_set.name
    elif (release := run.release) is not None:
        kind, name, key = "release", release.name, release.name
    else:
        assert run.snapshot is not None
        kind, key = "snapshot", run.snapshot.public_id
        name = _("Snapshot of %s") % run.snapshot.campaign.name
    of_set = [kind, key, run.split]
    return {
        "set_name": name,
        "set_href": reverse("comparison", args=of_set),
        "new_href": reverse("key-audits", args=of_set),
        "evaluate_href": reverse(
            "new-evaluations", query={"questions": ":".join(map(str, of_set))}
        ),
    }


class KeyAuditWords(RunWords[KeyAudit]):
    stage = 7
    related = ("reference_set", "snapshot__campaign")
    page = "key-audit"

    def about(self, run: KeyAudit) -> str:
        seed = _("seed %s") % run.seed if run.seed else ""
        return " · ".join(filter(None, [about_set(run)["set_name"], run.split, seed]))

    def figure(self, run: KeyAudit) -> str:
        result = getattr(run, "brief", None) or run.result
        if result is None or result["can_tell"] is None:
            return ""
        if not result["can_tell"]:
            return _("cannot tell")
        n = result["n_suspected"]
        return ngettext("%s suspected key", "%s suspected keys", n) % n


register(KeyAudit, KeyAuditWords())
