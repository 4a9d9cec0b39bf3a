"""The rules over places and sessions: apart from the rows, which PostgreSQL wants stored first."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collection", "0009_places")]

    operations = [
        migrations.AlterField(
            model_name="study",
            name="places",
            field=models.PositiveIntegerField(help_text="People who may take part, at most. A place comes free when a session ends without pay.", validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(condition=models.Q(("places__gte", 1)), name="collection_study_has_places", violation_error_message="A study has one place or more."),
        ),
        migrations.AddConstraint(
            model_name="crowdsession",
            constraint=models.UniqueConstraint(condition=models.Q(("is_duplicate", False)), fields=("study", "participant"), name="collection_crowdsession_is_one_a_participant", violation_error_message="This participant has taken part in the study already."),
        ),
    ]
