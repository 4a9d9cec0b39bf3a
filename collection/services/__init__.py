"""Services of priming and authoring, for writers, curators and programs."""

from collection.services.campaigns.articles import change_article, correct_article, withdraw_article
from collection.services.campaigns.attributes import AttributeRow, set_attributes
from collection.services.campaigns.campaigns import (
    change_status,
    create_campaign,
    try_update,
    update_campaign,
)
from collection.services.campaigns.members import (
    accept_invitation,
    invite_list,
    invite_member,
    join_campaign,
    note_access,
    read_invited,
    remove_member,
    set_member,
)
from collection.services.erasure import confirm_erasure, erase_person
from collection.services.joining.background import (
    answer_background,
    delete_background,
    publish_background,
    set_background,
)
from collection.services.joining.exercise import (
    ItemText,
    Training,
    set_exercise,
    submit_exercise,
    train,
)
from collection.services.joining.guidelines import accept_guideline, publish_guideline
from collection.services.joining.withdrawal import refuse_if_withdrawn, withdraw_consent
from collection.services.writing.assignments import (
    TwinText,
    another_article,
    check_text,
    renew_assignment,
    request_assignment,
    return_assignment,
)
from collection.services.writing.drafts import save_draft
from collection.services.writing.saving import advise
