import django.core.validators
from django.db import migrations, models


def begin_again(apps, schema_editor):
    """Phases of runs that are not done were trained to another tolerance: those runs begin again.

    The column of stops is added with the value of all runs so far, since an old run may break a
    rule of today and could not be updated. To a control it means nothing, and there it has the
    default of a new one.
    """
    phases = apps.get_model("filtering", "Phase").objects
    phases.filter(run__method="aflite").exclude(run__status="done").delete()
    apps.get_model("filtering", "FilterRun").objects.exclude(method="aflite").update(
        stop="neutral"
    )


class Migration(migrations.Migration):

    dependencies = [
        ('filtering', '0008_encoding_dtype'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='filterrun',
            name='filtering_filterrun_is_open_once_per_setting',
        ),
        migrations.AddField(
            model_name='filterrun',
            name='fresh_models',
            field=models.JSONField(blank=True, editable=False, help_text='Held-out accuracy of fresh linear models before (all) and after (kept).', null=True),
        ),
        migrations.AddField(
            model_name='filterrun',
            name='stop',
            field=models.CharField(choices=[('neutral', 'when fresh models are right on one half'), ('published', 'when fewer than k reach τ (as published)')], default='published', max_length=16),
        ),
        migrations.AlterField(
            model_name='filterrun',
            name='stop',
            field=models.CharField(choices=[('neutral', 'when fresh models are right on one half'), ('published', 'when fewer than k reach τ (as published)')], default='neutral', max_length=16),
        ),
        migrations.AddField(
            model_name='phase',
            name='looks',
            field=models.JSONField(default=list, help_text='Of a run that stops at a neutral set: rows left, accuracy of fresh models and its standard error, before, between and after the removals.'),
        ),
        migrations.AddField(
            model_name='phase',
            name='stop_reason',
            field=models.CharField(blank=True, editable=False, max_length=32),
        ),
        migrations.AlterField(
            model_name='filterrun',
            name='tol',
            field=models.FloatField(default=0.001, validators=[django.core.validators.MinValueValidator(1e-06)]),
        ),
        migrations.AlterField(
            model_name='filterrun',
            name='partition',
            field=models.CharField(choices=[('individual', 'each question by itself (as published)'), ('grouped', 'twins on one side')], default='grouped', max_length=16),
        ),
        migrations.AlterField(
            model_name='filterrun',
            name='removal',
            field=models.CharField(choices=[('individual', 'each question by itself (as published)'), ('together', 'twins together')], default='together', max_length=16),
        ),
        migrations.AlterField(
            model_name='phase',
            name='eligible',
            field=models.PositiveIntegerField(help_text='Rows that score high enough to be removed.'),
        ),
        migrations.AddConstraint(
            model_name='filterrun',
            constraint=models.CheckConstraint(condition=models.Q(('stop__in', ('neutral', 'published'))), name='filtering_filterrun_stop_is_known', violation_error_message='The stop is one of: neutral, published.'),
        ),
        migrations.AddConstraint(
            model_name='filterrun',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ('queued', 'running'))), fields=('encoding', 'stop', 'n', 'm', 'k', 'tau', 'C', 'tol', 'seed', 'partition', 'removal', 'method', 'pmi_score', 'reference', 'size'), name='filtering_filterrun_is_open_once_per_setting', nulls_distinct=False, violation_error_message='A run with these settings is under way already.'),
        ),
        migrations.RunPython(begin_again, migrations.RunPython.noop),
    ]
