"""Settings have a history, and a twin keeps those under which it was submitted.

What they were before is not known: the history begins with today's settings, and the twins that
are there get them too (``validation`` corrects votes and policy by their seats and verdicts).
"""

import uuid
from decimal import Decimal
from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

NO_SETTINGS = ("id", "public_id", "slug", "status", "created_at")
OF_TWINS = ("min_words", "max_words", "min_overlap", "votes_per_question", "verdict_policy")
NO_LIMITS = {f"{name}__isnull": True for name in ("min_words", "max_words", "min_overlap")}
_COLUMNS = ", ".join(OF_TWINS)
FILL = f"""
UPDATE collection_twin t SET ({_COLUMNS}) = (c.{_COLUMNS.replace(", ", ", c.")})
FROM collection_campaign c WHERE c.id = t.campaign_id AND t.origin = 'authored'
"""
TRIGGERS = f"""
CREATE FUNCTION collection_settingschange_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The history of settings is append-only.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER collection_settingschange_is_append_only
    BEFORE UPDATE OR DELETE ON collection_settingschange
    FOR EACH ROW EXECUTE FUNCTION collection_settingschange_refuse_change();
CREATE FUNCTION collection_twin_refuse_other_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'A twin keeps the settings under which it was submitted.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER collection_twin_keeps_its_settings
    BEFORE UPDATE OF {_COLUMNS} ON collection_twin FOR EACH ROW
    WHEN ((OLD.{_COLUMNS.replace(", ", ", OLD.")})
        IS DISTINCT FROM (NEW.{_COLUMNS.replace(", ", ", NEW.")}))
    EXECUTE FUNCTION collection_twin_refuse_other_settings();
"""
DROP_TRIGGERS = """
DROP TRIGGER collection_settingschange_is_append_only ON collection_settingschange;
DROP FUNCTION collection_settingschange_refuse_change();
DROP TRIGGER collection_twin_keeps_its_settings ON collection_twin;
DROP FUNCTION collection_twin_refuse_other_settings();
"""


def begin(apps: Any, schema_editor: Any) -> None:
    """Begin the history of every campaign."""
    model, entries = (apps.get_model("collection", name) for name in ("Campaign", "SettingsChange"))
    for campaign in model.objects.all():
        values = {
            field.name: field.value_from_object(campaign)
            for field in campaign._meta.concrete_fields
            if field.name not in NO_SETTINGS
        }
        plain = {k: str(v) if isinstance(v, Decimal) else v for k, v in values.items()}
        entries.objects.create(campaign=campaign, after=plain)


class Migration(migrations.Migration):
    dependencies = [
        ("collection", "0005_people_origin"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="SettingsChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="settings_changes",
                        to="collection.campaign",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("before", models.JSONField(blank=True, default=dict)),
                ("after", models.JSONField()),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            model_name="settingschange",
            constraint=models.UniqueConstraint(
                condition=models.Q(before={}),
                fields=["campaign"],
                name="collection_settingschange_begins_once",
                violation_error_message="The campaign has a history of its settings already.",
            ),
        ),
        migrations.AddConstraint(
            model_name="settingschange",
            constraint=models.CheckConstraint(
                condition=~models.Q(before=models.F("after")),
                name="collection_settingschange_changes_something",
                violation_error_message="No setting has changed.",
            ),
        ),
        migrations.RunPython(begin, migrations.RunPython.noop),
        *(
            migrations.AddField(
                model_name="twin",
                name=name,
                field=models.PositiveSmallIntegerField(blank=True, editable=False, null=True),
            )
            for name in ("min_words", "max_words")
        ),
        migrations.AddField(
            model_name="twin",
            name="votes_per_question",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="twin",
            name="min_overlap",
            field=models.DecimalField(
                blank=True, decimal_places=2, editable=False, max_digits=3, null=True
            ),
        ),
        migrations.AddField(
            model_name="twin",
            name="verdict_policy",
            field=models.CharField(
                blank=True,
                choices=[
                    ("majority", "majority (AAAI 2020)"),
                    ("unanimous", "unanimous (arXiv v1)"),
                ],
                db_default="",
                default="",
                editable=False,
                max_length=16,
            ),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="twin",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    origin="published", votes_per_question=0, verdict_policy="", **NO_LIMITS
                )
                | models.Q(origin="authored", votes_per_question__in=[1, 3, 5, 7, 9])
                & ~models.Q(verdict_policy="")
                & ~models.Q(**NO_LIMITS, _connector=models.Q.OR),
                name="collection_twin_knows_its_settings",
                violation_error_message="A twin written here keeps the settings under which it "
                "was submitted.",
            ),
        ),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
