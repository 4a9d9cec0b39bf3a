import io

import pytest
from django.core.management import CommandError, call_command

from collection.models import Campaign


def test_a_campaign_is_made_as_a_draft_with_the_papers_settings() -> None:
    call_command("create_campaign", "winter", name="Winter", stdout=io.StringIO())

    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.name, campaign.status) == ("winter", "Winter", "draft")
    assert (campaign.min_words, campaign.max_words) == (15, 30)


def test_a_taken_name_is_said_in_a_sentence() -> None:
    call_command("create_campaign", "winter", stdout=io.StringIO())

    with pytest.raises(CommandError, match="already exists"):
        call_command("create_campaign", "winter", stdout=io.StringIO())
