import corpora.models.releases
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('collection', '0003_triggers'),
        ('winoplatform', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ReferenceSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(unique=True)),
                ('title', models.CharField(max_length=200)),
                ('licence', models.CharField(blank=True, max_length=200)),
                ('source', models.TextField(blank=True, help_text='Where it comes from, and how to cite it.')),
                ('is_public', models.BooleanField(default=False, help_text='Whether all signed-in users may see it; otherwise only curators.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Snapshot',
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
                ('n_questions', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                ('n_pairs', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='collection.campaign')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('questions', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='winoplatform.artifact')),
            ],
            options={
                'verbose_name': 'snapshot',
                'ordering': ['-pk'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Selection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('queued', 'waiting'), ('running', 'running'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('made_by', models.CharField(help_text='Name of the kind of run.', max_length=60)),
                ('n_kept', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                ('about', models.JSONField(default=dict, editable=False, help_text='Provenance, for manifests.')),
                ('warnings', models.JSONField(blank=True, editable=False, help_text='Null if nothing was measured.', null=True)),
                ('kept', models.ForeignKey(blank=True, editable=False, help_text='Ids of the kept questions, one per line.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='winoplatform.artifact')),
                ('snapshot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='selections', to='corpora.snapshot')),
            ],
            options={
                'verbose_name': 'selection',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Release',
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
                ('name', models.SlugField()),
                ('key', models.CharField(default=corpora.models.releases.new_key, editable=False, max_length=64)),
                ('content_hash', models.CharField(blank=True, editable=False, max_length=64, null=True)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('selection', models.ForeignKey(blank=True, help_text='Without one, every question of the snapshot is published.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='releases', to='corpora.selection')),
                ('snapshot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='releases', to='corpora.snapshot')),
            ],
            options={
                'verbose_name': 'release',
                'ordering': ['-pk'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Draw',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('split', models.CharField(choices=[('train', 'train'), ('dev', 'dev'), ('test', 'test (blind)'), ('withheld', 'in no release')], max_length=8)),
                ('origin', models.CharField(choices=[('dealt', 'dealt at random'), ('linked', 'that of a related twin or public set that shows its answer'), ('imported', 'that of the file it came from')], max_length=8)),
                ('is_pair', models.BooleanField(help_text='Whether both questions were valid at that time.')),
                ('dev_share', models.DecimalField(blank=True, decimal_places=2, max_digits=3, null=True)),
                ('test_share', models.DecimalField(blank=True, decimal_places=2, max_digits=3, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('twin', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='draw', to='collection.twin')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('split__in', ('train', 'dev', 'test', 'withheld'))), name='corpora_draw_split_is_known', violation_error_message='The split is one of: train, dev, test, withheld.'), models.CheckConstraint(condition=models.Q(('origin__in', ('dealt', 'linked', 'imported'))), name='corpora_draw_origin_is_known', violation_error_message='The origin is one of: dealt, linked, imported.'), models.CheckConstraint(condition=models.Q(models.Q(('dev_share__isnull', False), ('origin', 'dealt'), ('test_share__isnull', False)), models.Q(models.Q(('origin', 'dealt'), _negated=True), ('dev_share', None), ('test_share', None)), _connector='OR'), name='corpora_draw_dealt_has_its_shares', violation_error_message='A draw has shares if and only if it was dealt.')],
            },
        ),
        migrations.CreateModel(
            name='ReferenceSplit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField()),
                ('n_items', models.PositiveIntegerField()),
                ('n_groups', models.PositiveIntegerField()),
                ('n_labelled', models.PositiveIntegerField(help_text='Items whose answer is known.')),
                ('items', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='winoplatform.artifact')),
                ('reference_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='splits', to='corpora.referenceset')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('reference_set', 'name'), name='corpora_referencesplit_name_is_unique')],
            },
        ),
        migrations.CreateModel(
            name='ReleaseFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('rows', models.PositiveIntegerField()),
                ('restricted', models.BooleanField(default=False)),
                ('artifact', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='winoplatform.artifact')),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='corpora.release')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('release', 'name'), name='corpora_releasefile_name_is_unique')],
            },
        ),
        migrations.AddConstraint(
            model_name='snapshot',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ('queued', 'running', 'done', 'failed', 'cancelled'))), name='corpora_snapshot_status_is_known', violation_error_message='The status is one of: queued, running, done, failed, cancelled.'),
        ),
        migrations.AddConstraint(
            model_name='snapshot',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'done'), _negated=True), models.Q(('questions__isnull', False), ('n_questions__isnull', False), ('n_pairs__isnull', False)), _connector='OR'), name='corpora_snapshot_done_has_its_results', violation_error_message='A run that is done has its results.'),
        ),
        migrations.AddConstraint(
            model_name='snapshot',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ('queued', 'running'))), fields=('campaign',), name='corpora_snapshot_is_open_once_per_campaign', violation_error_message='A snapshot of this campaign is under way already; use it, or wait for its end.'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ('queued', 'running', 'done', 'failed', 'cancelled'))), name='corpora_selection_status_is_known', violation_error_message='The status is one of: queued, running, done, failed, cancelled.'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'done'), _negated=True), models.Q(('kept__isnull', False), ('n_kept__isnull', False)), _connector='OR'), name='corpora_selection_done_has_its_results', violation_error_message='A run that is done has its results.'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ('queued', 'running', 'done', 'failed', 'cancelled'))), name='corpora_release_status_is_known', violation_error_message='The status is one of: queued, running, done, failed, cancelled.'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'done'), _negated=True), ('content_hash__isnull', False), _connector='OR'), name='corpora_release_done_has_its_results', violation_error_message='A run that is done has its results.'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ('queued', 'running', 'done'))), fields=('name',), name='corpora_release_name_is_held_once', violation_error_code='unique', violation_error_message='A release with this name already exists. Choose another name.'),
        ),
    ]
