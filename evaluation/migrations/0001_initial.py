import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('collection', '0002_initial'),
        ('corpora', '0001_initial'),
        ('filtering', '0001_initial'),
        ('winoplatform', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Evaluation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('queued', 'waiting'), ('running', 'running'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('stalled_attempts', models.PositiveIntegerField(default=0, help_text='Attempts since the last recorded step.')),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(blank=True, null=True)),
                ('activity', models.CharField(blank=True, max_length=200)),
                ('failure', models.TextField(blank=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('model', models.CharField(choices=[('majority', 'most frequent answer'), ('random', 'random answers'), ('linear', 'linear model on the encoding')], max_length=16)),
                ('split', models.SlugField(default='dev')),
                ('seed', models.PositiveBigIntegerField(default=0, help_text='Seed of the random answers.')),
                ('metrics', models.JSONField(blank=True, editable=False, help_text='By metric: value, low, high, n.', null=True)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('encoding', models.ForeignKey(blank=True, help_text='The encoding whose features the linear model uses.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='evaluations', to='filtering.encoding')),
                ('predictions', models.ForeignKey(blank=True, editable=False, help_text='qID and predicted option, one per line.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='winoplatform.artifact')),
                ('reference_set', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='evaluations', to='corpora.referenceset')),
                ('release', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='evaluations', to='corpora.release')),
            ],
            options={
                'verbose_name': 'evaluation',
                'ordering': ['-pk'],
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ('queued', 'running', 'done', 'failed', 'cancelled'))), name='evaluation_evaluation_status_is_known', violation_error_message='The status is one of: queued, running, done, failed, cancelled.'), models.CheckConstraint(condition=models.Q(('model__in', ('majority', 'random', 'linear'))), name='evaluation_evaluation_model_is_known', violation_error_message='The model is one of: majority, random, linear.'), models.CheckConstraint(condition=models.Q(('release', None), ('reference_set', None), _connector='XOR'), name='evaluation_evaluation_is_of_one_set', violation_error_message='An evaluation is of a release or of a reference set.'), models.CheckConstraint(condition=models.Q(models.Q(('encoding__isnull', False), ('model', 'linear')), models.Q(models.Q(('model', 'linear'), _negated=True), ('encoding', None)), _connector='OR'), name='evaluation_evaluation_linear_has_an_encoding', violation_error_message='Only the linear model uses an encoding.'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'done'), _negated=True), models.Q(('predictions__isnull', False), ('metrics__isnull', False)), _connector='OR'), name='evaluation_evaluation_done_has_its_results', violation_error_message='A run that is done has its results.'), models.UniqueConstraint(condition=models.Q(('status__in', ('queued', 'running'))), fields=('release', 'reference_set', 'model', 'encoding', 'split', 'seed'), name='evaluation_evaluation_is_open_once', nulls_distinct=False, violation_error_message='This evaluation is under way already.')],
            },
        ),
        migrations.CreateModel(
            name='StarterLoad',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('queued', 'waiting'), ('running', 'running'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('stalled_attempts', models.PositiveIntegerField(default=0, help_text='Attempts since the last recorded step.')),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(blank=True, null=True)),
                ('activity', models.CharField(blank=True, max_length=200)),
                ('failure', models.TextField(blank=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('campaign', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='collection.campaign')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'starter campaign',
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ('queued', 'running', 'done', 'failed', 'cancelled'))), name='evaluation_starterload_status_is_known', violation_error_message='The status is one of: queued, running, done, failed, cancelled.'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'done'), _negated=True), ('campaign__isnull', False), _connector='OR'), name='evaluation_starterload_done_has_its_results', violation_error_message='A run that is done has its results.'), models.UniqueConstraint(fields=('campaign',), name='evaluation_starterload_is_asked_for_once', nulls_distinct=False, violation_error_message='The starter campaign is being loaded already.')],
            },
        ),
    ]
