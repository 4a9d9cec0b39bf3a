from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("workers", "0007_keys_of_extra_pay")]

    operations = [
        migrations.AlterField(
            model_name="qualification",
            name="reward",
            field=models.DecimalField(blank=True, decimal_places=2, help_text="What the exercise paid, as promised when it was handed in.", max_digits=8, null=True),
        ),
    ]
