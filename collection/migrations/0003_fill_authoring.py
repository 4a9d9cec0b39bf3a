"""Makes a campaign's guidelines their first version, and names what twins are counted by."""

from itertools import islice

from django.db import migrations

from collection.core.advice.cues import cues, scoped
from collection.core.keys import anchor_key
from collection.core.triggers import trigger_diff


def fill(apps, schema_editor):
    Campaign = apps.get_model("collection", "Campaign")
    Guideline = apps.get_model("collection", "Guideline")
    Twin = apps.get_model("collection", "Twin")
    Guideline.objects.bulk_create(
        Guideline(campaign=campaign, version=1, text=campaign.guidelines)
        for campaign in Campaign.objects.exclude(guidelines="")
    )
    twins = Twin.objects.prefetch_related("questions").iterator(chunk_size=2000)
    while batch := list(islice(twins, 2000)):
        for twin in batch:
            _name(twin)
        Twin.objects.bulk_update(batch, ["anchor_key", "trigger_key", "cues"])


def _name(twin):
    twin.anchor_key = anchor_key(twin.anchor)
    pair = sorted(twin.questions.all(), key=lambda question: question.number)
    if len(pair) < 2:
        return
    sentences = pair[0].sentence, pair[1].sentence
    answers = pair[0].answer, pair[1].answer
    trigger = trigger_diff(*sentences)
    twin.trigger_key = trigger.key
    own = cues(sentences, (twin.option1, twin.option2), answers, trigger)
    twin.cues = scoped(own, twin.campaign_id)


def give_back(apps, schema_editor):
    Guideline = apps.get_model("collection", "Guideline")
    for guideline in Guideline.objects.select_related("campaign").order_by("version"):
        guideline.campaign.guidelines = guideline.text
        guideline.campaign.save(update_fields=["guidelines"])


class Migration(migrations.Migration):

    dependencies = [("collection", "0002_authoring")]

    operations = [migrations.RunPython(fill, give_back)]
