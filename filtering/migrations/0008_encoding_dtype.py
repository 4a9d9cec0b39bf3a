from django.db import migrations, models


def take_what_was_used(apps, schema_editor):
    """Encodings keep the numbers they were computed in; one that had not begun is in float32."""
    apps.get_model("filtering", "Encoding").objects.filter(dtype_used="bfloat16").update(
        dtype="bfloat16"
    )


def put_back(apps, schema_editor):
    apps.get_model("filtering", "Encoding").objects.exclude(weights_sha256="").update(
        dtype_used=models.F("dtype")
    )


OPEN = "filtering_encoding_is_open_once_per_setting"
SAID = "An encoding with these settings is under way already; use it, or wait for its end."


class Migration(migrations.Migration):
    dependencies = [
        ("filtering", "0007_draws"),
    ]

    operations = [
        migrations.AddField(
            model_name="encoding",
            name="dtype",
            field=models.CharField(
                choices=[
                    ("float32", "float32"),
                    ("bfloat16", "bfloat16, quicker and rounded"),
                ],
                default="float32",
                help_text="What the encoder computes in, on any machine.",
                max_length=16,
            ),
        ),
        migrations.RunPython(take_what_was_used, put_back),
        migrations.RemoveField(model_name="encoding", name="dtype_used"),
        migrations.RemoveConstraint(model_name="encoding", name=OPEN),
        migrations.AddConstraint(
            model_name="encoding",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ("queued", "running"))),
                fields=("snapshot", "tuning", "encoder", "pooling", "features", "dtype"),
                name=OPEN,
                nulls_distinct=False,
                violation_error_message=SAID,
            ),
        ),
        migrations.AddConstraint(
            model_name="encoding",
            constraint=models.CheckConstraint(
                condition=models.Q(("dtype__in", ("float32", "bfloat16"))),
                name="filtering_encoding_dtype_is_known",
                violation_error_message="The dtype is one of: float32, bfloat16.",
            ),
        ),
    ]
