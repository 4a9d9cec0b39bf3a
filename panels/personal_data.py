"""What the tables of panels hold about people."""

from django.utils.translation import gettext_lazy as _

from panels.models import Enrolment, Panel, PanelItem, PanelSeat, PanelVoteEvent, ShownItem
from winoplatform.personal import ALL, CAMPAIGN, hold, no_person

KEYS = _("keys and codes, which name nobody")

hold(
    PanelSeat,
    _("answers to items of a panel"),
    _("they are the panel’s result"),
    CAMPAIGN,
    about={
        "worker": (
            "panel__public_id", "order", "option", "fails", "claimed_at", "answered_at",
            "reward", "excluded_at", "exclusion_reason", "report", "first_option", "amended_at",
        ),
    },
    wrote={"excluded_by": ("exclusion_reason", "excluded_at")},
    did=("author", "other_author"),
    word=("exclusion_reason",),
    stays={KEYS: ("group_key",)},
)  # fmt: skip
hold(
    PanelVoteEvent,
    _("answers that a curator excluded or restored, with reasons"),
    _("every result can be traced"),
    CAMPAIGN,
    about={"seat__worker": ("action", "reason", "created_at")},
    wrote={"by": ("action", "reason", "created_at")},
    blank=("reason",),
)
hold(
    Enrolment,
    _("who answers all items of a panel"),
    _("each number has one person"),
    CAMPAIGN,
    about={"worker": ALL},
)
hold(
    ShownItem,
    _("items that a person has seen"),
    _("nobody answers a question twice"),
    CAMPAIGN,
    about={"worker": ("item__panel__public_id",)},
    stays={KEYS: ("group_key",)},
)
hold(
    Panel,
    _("panels, with who made them"),
    _("they are the record of a study"),
    CAMPAIGN,
    did=("created_by",),
    stays={KEYS: ("purpose", "title", "split", "data_sha256")},
)
no_person(_("items of a panel"), PanelItem)
