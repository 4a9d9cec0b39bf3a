from django.db import migrations, models

ASKED_BY = "the people who run this site"
CONTACT = "the person who invited you"
MONITORING = (
    "- *Writers:* sentences, writing time, typed and pasted characters, edits; none changes your "
    "pay.\n- *Validators:* answers and the time of each."
)
DATA_USE = (
    "- *Writers:* curators see it with your user name. Sentences, times and pay may be published "
    "under a code.\n- *Validators:* curators see it with your user name. Answers, times and pay "
    "may be published under a code."
)


def keep_words(apps, schema_editor):
    """Give each version the words that pages have shown beside it."""
    Guideline = apps.get_model("collection", "Guideline")
    Campaign = apps.get_model("collection", "Campaign")
    versions = Guideline.objects.order_by().values("campaign")
    silent = Campaign.objects.filter(asked_by="", contact="", data_use="")
    for campaign in Campaign.objects.exclude(pk__in=versions).exclude(pk__in=silent):
        Guideline.objects.create(
            campaign=campaign, version=1, text="", created_at=campaign.created_at
        )
    for campaign in Campaign.objects.filter(pk__in=versions):
        Guideline.objects.filter(campaign=campaign).update(
            asked_by=campaign.asked_by or ASKED_BY,
            contact=campaign.contact or CONTACT,
            monitoring=MONITORING,
            data_use=campaign.data_use or DATA_USE,
        )


class Migration(migrations.Migration):
    dependencies = [
        ("collection", "0013_members"),
    ]

    operations = [
        migrations.AddField(
            model_name="guideline",
            name="asked_by",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The people and the institution.",
                max_length=200,
                verbose_name="Who asks",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="guideline",
            name="contact",
            field=models.CharField(
                blank=True,
                default="",
                help_text="A name and an address.",
                max_length=200,
                verbose_name="Whom to ask",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="guideline",
            name="monitoring",
            field=models.TextField(
                blank=True,
                default="",
                help_text="Markdown: what the platform counts and times while people work.",
                verbose_name="What is recorded",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="guideline",
            name="data_use",
            field=models.TextField(
                blank=True,
                default="",
                help_text="Markdown: who sees it, what is published, and under which name.",
                verbose_name="What happens with the data",
            ),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="guideline",
            name="text",
            field=models.TextField(
                blank=True, help_text="Markdown, shown to writers and validators."
            ),
        ),
        migrations.RunPython(keep_words, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name="campaign", name="asked_by"),
        migrations.RemoveField(model_name="campaign", name="contact"),
        migrations.RemoveField(model_name="campaign", name="data_use"),
    ]
