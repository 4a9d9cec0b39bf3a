"""What authoring needs: guidelines and consents, exercises, drafts, evidence, crowd studies."""

import collection.models.crowd
import collection.models.expressions
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models

# Stems that one in a hundred of WinoGrande's twins holds or more, and that say little of what a
# sentence is about: verbs of every task, comparisons, the crowd's favourite names.
CONTENT_WORDS = """
CREATE FUNCTION collection_content_words(sentence text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT strip(ts_delete(to_tsvector('pg_catalog.english'::regconfig, sentence), ARRAY[
        'instead', 'use', 'want', 'sinc', 'could', 'like', 'get', 'jame', 'would', 'need', 'decid',
        'new', 'tri', 'small', 'put', 'didn', 'go', 'got', 'work', 'much', 'better', 'made', 'less',
        'time', 'went', 'lot', 'took', 'john', 'make', 'big', 'one', 'bought', 'fit', 'look',
        'chose', 'rather', 'prefer', 'alway', 'old', 'thought', 'easier', 'couldn', 'mari', 'found',
        'take', 'hard', 'short', 'long', 'help', 'good', 'larg', 'buy', 'weak', 'ask', 'move',
        'longer', 'start', 'day', 'strong', 'place', 'abl', 'bad', 'wors', 'gave', 'left', 'high',
        'still', 'never', 'see'
    ]))::text
$$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(CONTENT_WORDS, "DROP FUNCTION collection_content_words(text)"),
        migrations.CreateModel(
            name='Attribute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('domain', models.CharField(choices=[('social', 'people'), ('physical', 'things'), ('both', 'both')], default='both', max_length=16)),
                ('pairs', models.JSONField(default=list, help_text='Pairs of contrasting words or phrases.')),
            ],
            options={
                'ordering': ['campaign', 'name'],
            },
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='CrowdSession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('external_id', models.CharField(help_text="The platform's id of it.", max_length=120)),
                ('status', models.CharField(choices=[('active', 'active'), ('completed', 'completed'), ('screened_out', 'screened out'), ('failed', 'failed'), ('returned', 'returned'), ('timed_out', 'timed out')], default='active', max_length=16)),
                ('approvals', models.PositiveIntegerField(blank=True, null=True)),
                ('approval_rate', models.DecimalField(blank=True, decimal_places=3, max_digits=4, null=True)),
                ('return_to', models.URLField(blank=True, help_text='Where the platform wants this session to end.', max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fields', models.JSONField(blank=True, default=dict)),
                ('evidence', models.JSONField(blank=True, default=dict)),
                ('version', models.PositiveIntegerField(default=1)),
                ('saved_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='ExerciseItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('skill', models.CharField(choices=[('write', 'write'), ('judge', 'judge')], default='write', max_length=16)),
                ('number', models.PositiveSmallIntegerField()),
                ('prompt', models.TextField(help_text='Markdown.')),
                ('choices', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), size=None)),
                ('answer', models.PositiveSmallIntegerField(help_text='The right choice, from 1.')),
                ('explanation', models.TextField(help_text='Markdown: why the right choice is right.')),
                ('retired_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'ordering': ['campaign', 'skill', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Guideline',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField(help_text='Markdown, shown to writers and judges.')),
                ('aids_policy', models.TextField(blank=True, help_text='Markdown: which writing aids are allowed. Writers accept it with the rest.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'ordering': ['campaign', '-version'],
            },
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(choices=[('prolific', 'Prolific'), ('mturk', 'Amazon Mechanical Turk'), ('generic', 'any platform, by signed link')], max_length=16)),
                ('external_id', models.CharField(max_length=120)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='Provenance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('typed_characters', models.PositiveIntegerField(default=0)),
                ('pasted_characters', models.PositiveIntegerField(default=0)),
                ('largest_insert', models.PositiveIntegerField(default=0)),
                ('edits', models.PositiveIntegerField(default=0)),
                ('active_seconds', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='SessionCredit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('unit', models.UUIDField(help_text='Public id of the twin or vote.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('provider', models.CharField(choices=[('prolific', 'Prolific'), ('mturk', 'Amazon Mechanical Turk'), ('generic', 'any platform, by signed link')], max_length=16)),
                ('name', models.CharField(max_length=120)),
                ('skill', models.CharField(choices=[('write', 'write'), ('judge', 'judge')], default='write', max_length=16)),
                ('units', models.PositiveSmallIntegerField(default=1, help_text='Twins or votes that complete one session.')),
                ('secret', models.CharField(default=collection.models.crowd.new_secret, editable=False, help_text='Signs links and events.', max_length=64)),
                ('event_secret', models.CharField(blank=True, help_text="What the platform signs its events with; empty is the study's own secret.", max_length=200)),
                ('completion_code', models.CharField(default=collection.models.crowd.new_code, max_length=64)),
                ('screen_out_code', models.CharField(default=collection.models.crowd.new_code, max_length=64)),
                ('failure_code', models.CharField(default=collection.models.crowd.new_code, max_length=64)),
                ('return_url', models.URLField(blank=True, help_text='Where a session ends; {code} and {session} are filled in.', max_length=500)),
                ('is_open', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='campaign',
            name='collection_campaign_rewards_are_not_negative',
        ),
        migrations.RemoveConstraint(
            model_name='twin',
            name='collection_twin_is_written_once',
        ),
        migrations.AddField(
            model_name='assignment',
            name='return_comment',
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name='assignment',
            name='return_reason',
            field=models.CharField(blank=True, choices=[('no_idea', 'no idea comes to me'), ('unclear', 'the article is not clear'), ('poor_anchors', 'no anchor is of use'), ('offensive', 'it is offensive'), ('other', 'something else')], max_length=16),
        ),
        migrations.AddField(
            model_name='campaign',
            name='anchor_uses_max',
            field=models.PositiveIntegerField(blank=True, help_text='Twins written around one anchor, at most.', null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='article_uses_max',
            field=models.PositiveIntegerField(blank=True, help_text='Twins written for one article, at most.', null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='blocking',
            field=models.JSONField(blank=True, default=list, help_text='Codes of warnings that refuse a twin here.'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='exercise_attempts',
            field=models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AddField(
            model_name='campaign',
            name='exercise_pass_share',
            field=models.DecimalField(decimal_places=2, default=Decimal('0.80'), max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('1'))]),
        ),
        migrations.AddField(
            model_name='campaign',
            name='min_approval_rate',
            field=models.DecimalField(blank=True, decimal_places=3, help_text="Share of a crowd worker's tasks that were approved, at least.", max_digits=4, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('1'))]),
        ),
        migrations.AddField(
            model_name='campaign',
            name='min_approvals',
            field=models.PositiveIntegerField(blank=True, help_text='Approved tasks a crowd worker comes with, at least.', null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='paste_policy',
            field=models.CharField(choices=[('note', 'allowed, its share is noted'), ('block', 'refused on the writing page')], default='note', max_length=16),
        ),
        migrations.AddField(
            model_name='campaign',
            name='reward_exercise',
            field=models.DecimalField(decimal_places=2, default=Decimal('0.50'), max_digits=8),
        ),
        migrations.AddField(
            model_name='campaign',
            name='trigger_uses_max',
            field=models.PositiveIntegerField(default=10, help_text='Twins with one trigger before writers are advised against it.'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='twins_per_day_max',
            field=models.PositiveIntegerField(blank=True, help_text='Twins of one worker in 24 hours, at most.', null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='twins_per_worker_max',
            field=models.PositiveIntegerField(blank=True, help_text='Twins of one worker in all, at most.', null=True),
        ),
        migrations.AddField(
            model_name='twin',
            name='advice',
            field=models.JSONField(blank=True, default=list, help_text='What the writer was advised, with number and example.'),
        ),
        migrations.AddField(
            model_name='twin',
            name='anchor_key',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=120),
        ),
        migrations.AddField(
            model_name='twin',
            name='cues',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, db_default=[], default=list, editable=False, help_text='What its trigger words say of its answers; see core/advice/cues.py.', size=None),
        ),
        migrations.AddField(
            model_name='twin',
            name='revises',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='revised_by', to='collection.twin'),
        ),
        migrations.AddField(
            model_name='twin',
            name='trigger_key',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=300),
        ),
        migrations.AddField(
            model_name='twin',
            name='withdrawn_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='status',
            field=models.CharField(choices=[('open', 'open'), ('submitted', 'submitted'), ('returned', 'returned'), ('expired', 'expired'), ('withdrawn', 'withdrawn')], default='open', max_length=16),
        ),
        migrations.AlterField(
            model_name='twin',
            name='assignment',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='twins', to='collection.assignment'),
        ),
        migrations.AlterField(
            model_name='twin',
            name='warnings',
            field=models.JSONField(blank=True, default=list, help_text='Codes of the rules and advice that warned.'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('status__in', ['open', 'submitted'])), fields=['campaign', 'article', 'status', 'leased_until'], name='collection_assignment_uses'),
        ),
        migrations.AddIndex(
            model_name='question',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(collection.models.expressions.ContentWords('sentence'), name='gin_trgm_ops'), condition=models.Q(('number', 1)), name='collection_question_trigram'),
        ),
        migrations.AddIndex(
            model_name='question',
            index=models.Index(collection.models.expressions.SentenceKey('sentence'), name='collection_question_key'),
        ),
        migrations.AddIndex(
            model_name='twin',
            index=models.Index(condition=models.Q(models.Q(('anchor_key', ''), _negated=True), ('withdrawn_at', None)), fields=['campaign', 'anchor_key'], name='collection_twin_anchor'),
        ),
        migrations.AddIndex(
            model_name='twin',
            index=models.Index(condition=models.Q(models.Q(('trigger_key', ''), _negated=True), ('withdrawn_at', None)), fields=['campaign', 'trigger_key'], name='collection_twin_trigger'),
        ),
        migrations.AddIndex(
            model_name='twin',
            index=django.contrib.postgres.indexes.GinIndex(condition=models.Q(('withdrawn_at', None)), fields=['cues'], name='collection_twin_cues'),
        ),
        migrations.AddIndex(
            model_name='twin',
            index=models.Index(fields=['author', 'campaign', 'created_at'], name='collection_twin_author'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('reward_exercise__gte', 0), ('reward_twin__gte', 0), ('reward_vote__gte', 0)), name='collection_campaign_rewards_are_not_negative', violation_error_message='A reward cannot be negative.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('exercise_attempts__gte', 1), ('exercise_pass_share__gte', 0), ('exercise_pass_share__lte', 1)), name='collection_campaign_exercise_can_be_passed', violation_error_message='An exercise has an attempt and a share from 0 to 1.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('min_approval_rate', None), models.Q(('min_approval_rate__gte', 0), ('min_approval_rate__lte', 1)), _connector='OR'), name='collection_campaign_approval_is_a_share', violation_error_message='An approval rate lies from 0 to 1.'),
        ),
        migrations.AddConstraint(
            model_name='twin',
            constraint=models.UniqueConstraint(condition=models.Q(models.Q(('fingerprint', ''), _negated=True), ('withdrawn_at', None)), fields=('campaign', 'fingerprint'), name='collection_twin_is_written_once', violation_error_message='The campaign has these very sentences already.'),
        ),
        migrations.AddConstraint(
            model_name='twin',
            constraint=models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('assignment',), name='collection_twin_is_one_per_assignment', violation_error_message='A twin was submitted for this assignment already.'),
        ),
        migrations.AddField(
            model_name='attribute',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attributes', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='consent',
            name='worker',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='draft',
            name='assignment',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='draft', to='collection.assignment'),
        ),
        migrations.AddField(
            model_name='exerciseitem',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exercise', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='guideline',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guideline_set', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='guideline',
            name='created_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='consent',
            name='guideline',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='collection.guideline'),
        ),
        migrations.AddField(
            model_name='participant',
            name='worker',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='participant', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='crowdsession',
            name='participant',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='collection.participant'),
        ),
        migrations.AddField(
            model_name='provenance',
            name='guideline',
            field=models.ForeignKey(blank=True, help_text='The version that the writer had accepted.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='collection.guideline'),
        ),
        migrations.AddField(
            model_name='provenance',
            name='twin',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='provenance', to='collection.twin'),
        ),
        migrations.AddField(
            model_name='sessioncredit',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='credits', to='collection.crowdsession'),
        ),
        migrations.AddField(
            model_name='study',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='studies', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='crowdsession',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='collection.study'),
        ),
        migrations.AddConstraint(
            model_name='attribute',
            constraint=models.UniqueConstraint(fields=('campaign', 'name'), name='collection_attribute_is_named_once', violation_error_message='The table has this attribute already.'),
        ),
        migrations.AddConstraint(
            model_name='exerciseitem',
            constraint=models.UniqueConstraint(condition=models.Q(('retired_at', None)), fields=('campaign', 'skill', 'number'), name='collection_exerciseitem_is_numbered', violation_error_message='The exercise has this number already.'),
        ),
        migrations.AddConstraint(
            model_name='exerciseitem',
            constraint=models.CheckConstraint(condition=models.Q(('answer__gte', 1), ('choices__len__gte', 2), ('answer__lte', models.F('choices__len'))), name='collection_exerciseitem_answer_is_a_choice', violation_error_message='An item has two choices or more, and one is the answer.'),
        ),
        migrations.AddConstraint(
            model_name='guideline',
            constraint=models.UniqueConstraint(fields=('campaign', 'version'), name='collection_guideline_is_numbered', violation_error_message='The campaign has this version of its guidelines already.'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.UniqueConstraint(fields=('worker', 'guideline'), name='collection_consent_is_given_once', violation_error_message='You have accepted these guidelines already.'),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=models.UniqueConstraint(fields=('provider', 'external_id'), name='collection_participant_comes_from_one_place', violation_error_message='This participant has an account already.'),
        ),
        migrations.AddConstraint(
            model_name='sessioncredit',
            constraint=models.UniqueConstraint(fields=('unit',), name='collection_sessioncredit_counts_once', violation_error_message='This counts for a session already.'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('units__gte', 1)), name='collection_study_asks_for_work', violation_error_message='A session is complete after one unit or more.'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('secret__regex', '^.{32,}$')), name='collection_study_secret_is_long', violation_error_message='A secret has 32 characters or more.'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('completion_code', models.F('screen_out_code')), _negated=True), models.Q(('completion_code', models.F('failure_code')), _negated=True), models.Q(('screen_out_code', models.F('failure_code')), _negated=True)), name='collection_study_codes_differ', violation_error_message='The codes of a study differ: each says how it ended.'),
        ),
        migrations.AddConstraint(
            model_name='crowdsession',
            constraint=models.UniqueConstraint(fields=('study', 'external_id'), name='collection_crowdsession_is_entered_once', violation_error_message='This session has been entered already.'),
        ),
        migrations.AddConstraint(
            model_name='crowdsession',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('status', 'active')), models.Q(models.Q(('status', 'active'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='collection_crowdsession_has_an_end_once_over', violation_error_message='A session that is over has an end.'),
        ),
    ]
