import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0001_initial'),
        ('winoplatform', '0001_initial'),
    ]

    operations = [
        migrations.DeleteModel(
            name='FineTuningTrial',
        ),
        migrations.DeleteModel(
            name='Trial',
        ),
        migrations.AlterField(
            model_name='finetuningstep',
            name='state',
            field=models.ForeignKey(blank=True, editable=False, help_text='Weights and optimiser state, as safetensors.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='winoplatform.artifact'),
        ),
    ]
