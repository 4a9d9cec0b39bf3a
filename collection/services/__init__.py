"""Services of priming and authoring, for writers, curators and programs."""

from collection.services.advice import advise
from collection.services.assignments import (
    another_article,
    renew_assignment,
    request_assignment,
    return_assignment,
)
from collection.services.attributes import AttributeRow, set_attributes
from collection.services.campaigns import change_status, create_campaign, update_campaign
from collection.services.drafts import save_draft
from collection.services.exercise import Training, submit_exercise, train
from collection.services.exercise_items import ItemText, set_exercise
from collection.services.guidelines import accept_guideline, publish_guideline
from collection.services.texts import TwinText, check_text
from collection.services.twins import advise_writer, revise_twin, submit_twin, withdraw_twin
