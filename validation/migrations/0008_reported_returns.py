"""A seat that is given back may carry a report of what is wrong with its question."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("collection", "0005_judging_and_money"),
        ("validation", "0007_quality_reports"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="passedseat",
            name="question",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="collection.question",
            ),
        ),
        migrations.AddField(
            model_name="passedseat",
            name="report",
            field=models.CharField(
                blank=True,
                help_text="What its judge says is wrong: see Vote.Report.",
                max_length=16,
            ),
        ),
        migrations.AddIndex(
            model_name="passedseat",
            index=models.Index(
                condition=models.Q(("report", ""), _negated=True),
                fields=["question"],
                name="validation_passed_reported",
            ),
        ),
    ]
