import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0004_remove_campaign_guidelines'),
    ]

    operations = [
        migrations.AddField(
            model_name='study',
            name='event_secret',
            field=models.CharField(blank=True, default='', help_text="What the platform signs its events with; empty is the study's own secret.", max_length=200),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('secret__regex', '^.{32,}$')), name='collection_study_secret_is_long', violation_error_message='A secret has 32 characters or more.'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('completion_code', models.F('screen_out_code')), _negated=True), models.Q(('completion_code', models.F('failure_code')), _negated=True), models.Q(('screen_out_code', models.F('failure_code')), _negated=True)), name='collection_study_codes_differ', violation_error_message='The codes of a study differ: each says how it ended.'),
        ),
        migrations.CreateModel(
            name='SessionCredit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('unit', models.UUIDField(help_text='Public id of the twin or vote.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='credits', to='collection.crowdsession')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('unit',), name='collection_sessioncredit_counts_once', violation_error_message='This counts for a session already.')],
            },
        ),
    ]
