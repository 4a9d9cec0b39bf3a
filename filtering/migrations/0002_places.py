from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):
    dependencies = [("filtering", "0001_initial"), ("winoplatform", "0001_initial")]
    operations = [
        migrations.AddField(
            model_name="assessment",
            name="places",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="float32 (n, 1 or 2): the questions of the encoding on their principal components.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="winoplatform.artifact",
            ),
        ),
        migrations.AlterField(
            model_name="phase",
            name="histogram",
            field=models.JSONField(
                help_text="AFLite: rows by score, or whole twins where they are removed together, in twenty bins from 0 to 1; empty for a control."
            ),
        ),
    ]
