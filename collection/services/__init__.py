"""What writers, curators and programs can do in priming and authoring."""

from collection.services.assignments import (
    renew_assignment,
    request_assignment,
    return_assignment,
)
from collection.services.campaigns import change_status, create_campaign, update_campaign
from collection.services.twins import TwinText, check_text, submit_twin

__all__ = [
    "TwinText",
    "change_status",
    "check_text",
    "create_campaign",
    "renew_assignment",
    "request_assignment",
    "return_assignment",
    "submit_twin",
    "update_campaign",
]
