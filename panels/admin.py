from panels.models import Enrolment, Panel, PanelSeat
from workers.admin import read_only

read_only(
    Panel, "public_id", "campaign", "purpose", "title", "release", "reference_set", "split",
    "status", "created_at", list_filter=("status", "mode", "purpose"),
)  # fmt: skip
read_only(Enrolment, "panel", "number", "worker", "enrolled_at", "ended_at")
read_only(PanelSeat, "public_id", "item", "number", "worker", "option", "answered_at")
