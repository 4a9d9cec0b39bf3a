from django.db import migrations, models

# Whole twins are fewer than the rows that were held out; older phases counted rows.
TOLD_BY_THE_SUM = """
UPDATE filtering_phase SET counts_twins = true
WHERE (SELECT sum(n::bigint) FROM jsonb_array_elements_text(histogram) n)
    BETWEEN 1 AND n_before - never_held_out - 1;
"""


class Migration(migrations.Migration):
    dependencies = [("filtering", "0002_places")]
    operations = [
        migrations.AddField(
            model_name="phase",
            name="counts_twins",
            field=models.BooleanField(
                default=False, help_text="Whether the histogram counts whole twins, not rows."
            ),
        ),
        migrations.RunSQL(TOLD_BY_THE_SUM, migrations.RunSQL.noop),
    ]
