"""Gives campaigns the first version of their guidelines and the shipped attribute table.

It also names what twins are counted by."""

from itertools import islice

from django.db import migrations

from collection.core.advice.cues import cues, scoped
from collection.core.keys import anchor_key
from collection.core.triggers import trigger_diff
from collection.services.attributes import default_attributes


def fill(apps, schema_editor):
    Campaign = apps.get_model("collection", "Campaign")
    Guideline = apps.get_model("collection", "Guideline")
    Twin = apps.get_model("collection", "Twin")
    _give_attributes(apps)
    Guideline.objects.bulk_create(
        Guideline(campaign=campaign, version=1, text=campaign.guidelines)
        for campaign in Campaign.objects.exclude(guidelines="")
    )
    twins = Twin.objects.prefetch_related("questions").iterator(chunk_size=2000)
    while batch := list(islice(twins, 2000)):
        for twin in batch:
            _name(twin)
        Twin.objects.bulk_update(batch, ["anchor_key", "trigger_key", "cues"])


def _give_attributes(apps):
    """Give each campaign without a table the one that new campaigns begin with."""
    Attribute = apps.get_model("collection", "Attribute")
    without = apps.get_model("collection", "Campaign").objects.filter(attributes=None)
    Attribute.objects.bulk_create(
        (
            Attribute(campaign=campaign, name=row.name, domain=row.domain, pairs=row.pairs)
            for campaign in without
            for row in default_attributes()
        ),
        batch_size=2000,
    )


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
