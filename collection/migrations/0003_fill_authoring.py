"""Makes a campaign's guidelines their first version, and names anchors and triggers by key."""

from django.db import migrations

from collection.core.keys import anchor_key, trigger_key


def fill(apps, schema_editor):
    Campaign = apps.get_model("collection", "Campaign")
    Guideline = apps.get_model("collection", "Guideline")
    Twin = apps.get_model("collection", "Twin")
    Guideline.objects.bulk_create(
        Guideline(campaign=campaign, version=1, text=campaign.guidelines)
        for campaign in Campaign.objects.exclude(guidelines="")
    )
    batch = []
    for twin in Twin.objects.only("anchor", "trigger").iterator(chunk_size=2000):
        twin.anchor_key = anchor_key(twin.anchor)
        sides = [twin.trigger.get(side, "").split() for side in ("first", "second")]
        twin.trigger_key = trigger_key(*sides) if any(sides) else ""
        batch.append(twin)
        if len(batch) == 2000:
            Twin.objects.bulk_update(batch, ["anchor_key", "trigger_key"])
            batch.clear()
    Twin.objects.bulk_update(batch, ["anchor_key", "trigger_key"])


class Migration(migrations.Migration):

    dependencies = [("collection", "0002_authoring")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
