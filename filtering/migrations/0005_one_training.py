import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('filtering', '0004_repeats'),
        ('winoplatform', '0001_initial'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tuning',
            name='filtering_tuning_settings_are_in_range',
        ),
        migrations.AlterField(
            model_name='tuning',
            name='base_sha256',
            field=models.CharField(blank=True, editable=False, help_text='Of the weights it starts from.', max_length=64),
        ),
        migrations.AlterField(
            model_name='tuning',
            name='config_sha256',
            field=models.CharField(blank=True, editable=False, help_text='Of the model’s configuration and tokenizer.', max_length=64),
        ),
        migrations.AlterField(
            model_name='tuning',
            name='weights',
            field=models.ForeignKey(blank=True, editable=False, help_text='The fine-tuned model, as safetensors.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='winoplatform.artifact'),
        ),
        migrations.AlterField(
            model_name='tuningepoch',
            name='loss',
            field=models.FloatField(help_text='Mean training loss of the epoch so far.'),
        ),
        migrations.AddConstraint(
            model_name='tuning',
            constraint=models.CheckConstraint(condition=models.Q(('batch_size__gte', 1), ('batch_size__lte', 1024), ('epochs__gte', 1), ('epochs__lte', 100), ('learning_rate__gt', 0)), name='filtering_tuning_settings_are_in_range', violation_error_message='Epochs are from 1 to 100, the batch size from 1 to 1024, rates above 0.'),
        ),
    ]
