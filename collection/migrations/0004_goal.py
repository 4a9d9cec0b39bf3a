import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collection", "0003_triggers")]
    operations = [
        migrations.AddField(
            model_name="campaign",
            name="goal_pairs",
            field=models.PositiveIntegerField(blank=True, help_text='Valid pairs to collect; empty for no goal.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='Goal'),
        ),
    ]
