"""Quality reports, and their lines for each judge."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0005_judging_and_money'),
        ('validation', '0006_cases'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='QualityReport',
            fields=[
                ('campaign', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='quality_report', serialize=False, to='collection.campaign')),
                ('figures', models.JSONField()),
                ('n_votes', models.PositiveIntegerField()),
                ('seconds', models.FloatField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='JudgeFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n_votes', models.PositiveIntegerField()),
                ('n_author', models.PositiveIntegerField()),
                ('author_low', models.FloatField(null=True)),
                ('author_high', models.FloatField(null=True)),
                ('n_asked_others', models.PositiveIntegerField()),
                ('n_others', models.PositiveIntegerField()),
                ('others_low', models.FloatField(null=True)),
                ('others_high', models.FloatField(null=True)),
                ('n_asked_gold', models.PositiveIntegerField()),
                ('n_gold', models.PositiveIntegerField()),
                ('gold_low', models.FloatField(null=True)),
                ('gold_high', models.FloatField(null=True)),
                ('skill', models.FloatField(null=True)),
                ('n_set_aside', models.PositiveIntegerField()),
                ('n_reported', models.PositiveIntegerField()),
                ('n_ambiguous', models.PositiveIntegerField()),
                ('seconds', models.FloatField(null=True)),
                ('sentence_seconds', models.FloatField(null=True)),
                ('speed', models.FloatField(null=True)),
                ('n_fast', models.PositiveIntegerField()),
                ('flags', models.JSONField(default=list)),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judge_figures', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judges', to='validation.qualityreport')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('report', 'worker'), name='validation_judgefigures_are_one_line_a_judge', violation_error_message='A report has one line for a judge.')],
            },
        ),
    ]
