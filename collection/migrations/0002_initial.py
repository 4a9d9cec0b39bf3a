import collection.models.crowd
import collection.models.expressions
import collection.models.twins
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.lookups
import django.utils.timezone
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('collection', '0001_text_search'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Article',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('source_id', models.CharField(max_length=200)),
                ('title', models.CharField(max_length=300)),
                ('category', models.CharField(blank=True, max_length=120)),
                ('text', models.TextField()),
                ('anchors', models.JSONField(blank=True, default=list, help_text='Ranked: text, sentence, start, end, score.')),
            ],
        ),
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
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('slug', models.SlugField(unique=True)),
                ('name', models.CharField(max_length=120)),
                ('status', models.CharField(choices=[('draft', 'draft'), ('open', 'open'), ('paused', 'paused'), ('closed', 'closed')], default='draft', max_length=16)),
                ('min_words', models.PositiveSmallIntegerField(default=15)),
                ('max_words', models.PositiveSmallIntegerField(default=30)),
                ('min_overlap', models.DecimalField(decimal_places=2, default=Decimal('0.70'), max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('0.99'))])),
                ('reward_twin', models.DecimalField(decimal_places=2, default=Decimal('0.40'), max_digits=8)),
                ('reward_vote', models.DecimalField(decimal_places=2, default=Decimal('0.03'), max_digits=8)),
                ('currency', models.CharField(default='USD', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}$')])),
                ('votes_per_question', models.PositiveSmallIntegerField(default=3)),
                ('verdict_policy', models.CharField(choices=[('majority', 'majority (AAAI 2020)'), ('unanimous', 'unanimous (arXiv v1)')], default='majority', max_length=16)),
                ('assignment_minutes', models.PositiveSmallIntegerField(default=60)),
                ('vote_minutes', models.PositiveSmallIntegerField(default=3)),
                ('extra_votes_max', models.PositiveSmallIntegerField(default=0, help_text='Additional votes if validators differ and a vote could change the verdict.', validators=[django.core.validators.MaxValueValidator(6)])),
                ('gold_share', models.DecimalField(decimal_places=2, default=Decimal('0'), help_text="Share of gold questions among a validator's questions; 0 for none.", max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('0.5'))])),
                ('gold_pass_share', models.DecimalField(decimal_places=2, default=Decimal('0.70'), help_text='Share of right gold answers below which a validator is warned, then paused.', max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('1'))])),
                ('votes_per_day_max', models.PositiveIntegerField(blank=True, help_text='Maximum votes of one worker in 24 hours.', null=True)),
                ('votes_per_worker_max', models.PositiveIntegerField(blank=True, help_text='Maximum votes of one worker in total.', null=True)),
                ('budget_cap', models.DecimalField(blank=True, decimal_places=2, help_text='Maximum cost of the campaign: no work is handed out beyond it.', max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))])),
                ('hourly_floor', models.DecimalField(blank=True, decimal_places=2, help_text='Hourly rate below which curators are notified.', max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))])),
                ('article_uses_max', models.PositiveIntegerField(blank=True, help_text='Maximum twins for one article.', null=True)),
                ('anchor_uses_max', models.PositiveIntegerField(blank=True, help_text='Maximum twins for one anchor.', null=True)),
                ('trigger_uses_max', models.PositiveIntegerField(default=10, help_text='Number of twins with one trigger from which writers are advised against it.')),
                ('twins_per_day_max', models.PositiveIntegerField(blank=True, help_text='Maximum twins of one worker in 24 hours.', null=True)),
                ('twins_per_worker_max', models.PositiveIntegerField(blank=True, help_text='Maximum twins of one worker in total.', null=True)),
                ('blocking', models.JSONField(blank=True, default=list, help_text='Codes of warnings that are errors in this campaign.')),
                ('paste_policy', models.CharField(choices=[('note', 'allowed, its share is recorded'), ('block', 'refused on the writing page')], default='note', max_length=16)),
                ('reward_exercise', models.DecimalField(decimal_places=2, default=Decimal('0.50'), max_digits=8)),
                ('exercise_pass_share', models.DecimalField(decimal_places=2, default=Decimal('0.80'), max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('1'))])),
                ('exercise_attempts', models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(1)])),
                ('min_approvals', models.PositiveIntegerField(blank=True, help_text="Minimum number of a crowd worker's approved tasks.", null=True)),
                ('min_approval_rate', models.DecimalField(blank=True, decimal_places=3, help_text="Minimum share of a crowd worker's tasks that were approved.", max_digits=4, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('1'))])),
                ('dev_share', models.DecimalField(decimal_places=2, default=Decimal('0.10'), help_text='Share of new twins that are assigned to dev.', max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('0.5'))])),
                ('test_share', models.DecimalField(decimal_places=2, default=Decimal('0.10'), help_text='Share of new twins that are assigned to the blind test.', max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('0.5'))])),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'ordering': ['pk'],
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
                ('external_id', models.CharField(help_text="The platform's id of the session.", max_length=120)),
                ('status', models.CharField(choices=[('active', 'active'), ('completed', 'completed'), ('screened_out', 'screened out'), ('failed', 'failed'), ('returned', 'returned'), ('timed_out', 'timed out')], default='active', max_length=16)),
                ('approvals', models.PositiveIntegerField(blank=True, null=True)),
                ('approval_rate', models.DecimalField(blank=True, decimal_places=3, max_digits=4, null=True)),
                ('return_to', models.URLField(blank=True, help_text='Return address that the platform gave for this session.', max_length=500)),
                ('is_duplicate', models.BooleanField(default=False, editable=False, help_text='Another session of its participant, exempt from the limit of one per study.')),
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
                ('skill', models.CharField(choices=[('write', 'write'), ('validate', 'validate')], default='write', max_length=16)),
                ('part', models.CharField(choices=[('training', 'training'), ('test', 'test')], default='test', max_length=16)),
                ('number', models.PositiveSmallIntegerField()),
                ('prompt', models.TextField(help_text='Markdown.')),
                ('choices', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), size=None)),
                ('answer', models.PositiveSmallIntegerField(help_text='The right choice, from 1.')),
                ('explanation', models.TextField(help_text='Markdown: why the right choice is right.')),
                ('retired_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('order_key', models.UUIDField(default=uuid.uuid4, editable=False)),
            ],
            options={
                'ordering': ['campaign', 'skill', 'part', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Guideline',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField(help_text='Markdown, shown to writers and validators.')),
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
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=collection.models.twins.new_question_id, editable=False, max_length=32, unique=True)),
                ('number', models.PositiveSmallIntegerField()),
                ('sentence', models.TextField()),
                ('answer', models.PositiveSmallIntegerField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'ordering': ['pk'],
            },
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
                ('skill', models.CharField(choices=[('write', 'write'), ('validate', 'validate')], default='write', max_length=16)),
                ('units', models.PositiveSmallIntegerField(default=1, help_text='Twins or votes that complete one session.')),
                ('places', models.PositiveIntegerField(help_text='Maximum number of participants. A place becomes free when a session ends without pay.', validators=[django.core.validators.MinValueValidator(1)])),
                ('secret', models.CharField(default=collection.models.crowd.new_secret, editable=False, help_text='Signs links and events.', max_length=64)),
                ('event_secret', models.CharField(blank=True, help_text="Key of the platform's signed events; the study's secret if empty.", max_length=200)),
                ('completion_code', models.CharField(default=collection.models.crowd.new_code, max_length=64)),
                ('screen_out_code', models.CharField(default=collection.models.crowd.new_code, max_length=64)),
                ('failure_code', models.CharField(default=collection.models.crowd.new_code, max_length=64)),
                ('return_url', models.URLField(blank=True, help_text='Address at the end of a session; {code} and {session} are filled in.', max_length=500)),
                ('is_open', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'verbose_name_plural': 'studies',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Twin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('client_key', models.UUIDField(blank=True, help_text='Generated by the client; the same key returns the same twin.', null=True)),
                ('origin', models.CharField(choices=[('authored', 'written here, validated here'), ('published', 'published elsewhere, validated there')], default='authored', max_length=16)),
                ('source_id', models.CharField(blank=True, max_length=200)),
                ('source_split', models.CharField(blank=True, choices=[('train', 'train'), ('dev', 'dev'), ('test', 'test')], db_default='', default='', editable=False, help_text='The split of the file it was imported from, if given.', max_length=5)),
                ('domain', models.CharField(choices=[('social', 'social'), ('physical', 'physical'), ('unknown', 'not stated')], default='unknown', max_length=16)),
                ('anchor', models.CharField(blank=True, max_length=120)),
                ('option1', models.CharField(max_length=120)),
                ('option2', models.CharField(max_length=120)),
                ('trigger', models.JSONField(blank=True, default=dict, help_text='The words that differ: first, second.')),
                ('warnings', models.JSONField(blank=True, default=list, help_text='Codes of the rules and advice that warned.')),
                ('advice', models.JSONField(blank=True, default=list, help_text='Advice given to the writer, with value and example.')),
                ('anchor_key', models.CharField(blank=True, db_default='', default='', editable=False, max_length=120)),
                ('trigger_key', models.CharField(blank=True, db_default='', default='', editable=False, max_length=300)),
                ('cues', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, db_default=[], default=list, editable=False, help_text='Cues of its trigger words; see core/advice/cues.py.', size=None)),
                ('fingerprint', models.CharField(blank=True, db_default='', default='', editable=False, help_text='Fingerprint of a twin written here; see core/fingerprints.py.', max_length=64)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('status', models.CharField(choices=[('open', 'open'), ('submitted', 'submitted'), ('returned', 'returned'), ('expired', 'expired'), ('withdrawn', 'withdrawn')], default='open', max_length=16)),
                ('leased_until', models.DateTimeField()),
                ('reward', models.DecimalField(blank=True, decimal_places=2, help_text='Reward for the twin, as promised when the article was handed out.', max_digits=8, null=True)),
                ('return_reason', models.CharField(blank=True, choices=[('no_idea', 'I have no idea'), ('unclear', 'the article is not clear'), ('poor_anchors', 'no useful anchor'), ('offensive', 'it is offensive'), ('other', 'something else')], max_length=16)),
                ('return_comment', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('article', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='collection.article')),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='BudgetBound',
            fields=[
                ('campaign', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='budget_bound', serialize=False, to='collection.campaign')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=24)),
                ('counted_at', models.DateTimeField(help_text='When the exact sum was last computed.')),
            ],
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('min_words__gte', 3), ('max_words__gte', models.F('min_words'))), name='collection_campaign_word_limits_are_ordered', violation_error_message='The maximum length must not be below the minimum (≥ 3).'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('min_overlap__gte', 0), ('min_overlap__lt', 1)), name='collection_campaign_overlap_is_a_share', violation_error_message='The overlap threshold must be at least 0 and below 1.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('reward_exercise__gte', 0), ('reward_twin__gte', 0), ('reward_vote__gte', 0)), name='collection_campaign_rewards_are_not_negative', violation_error_message='A reward cannot be negative.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('votes_per_question__in', [1, 3, 5, 7, 9])), name='collection_campaign_votes_are_odd', violation_error_message='Votes per question must be odd (1 to 9), so that a majority exists.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('assignment_minutes__gte', 1), ('vote_minutes__gte', 1)), name='collection_campaign_leases_last', violation_error_message='A lease must last at least one minute.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('exercise_attempts__gte', 1), ('exercise_pass_share__gte', 0), ('exercise_pass_share__lte', 1)), name='collection_campaign_exercise_can_be_passed', violation_error_message='An exercise must have at least one attempt and a share from 0 to 1.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('min_approval_rate', None), models.Q(('min_approval_rate__gte', 0), ('min_approval_rate__lte', 1)), _connector='OR'), name='collection_campaign_approval_is_a_share', violation_error_message='An approval rate must be between 0 and 1.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('gold_share__gte', 0), ('gold_share__lte', Decimal('0.5')), ('gold_pass_share__gte', 0), ('gold_pass_share__lte', 1)), name='collection_campaign_gold_is_a_share', violation_error_message="At most half of a validator's questions can be gold, and the share of right answers must be between 0 and 1."),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('extra_votes_max__lte', 6)), name='collection_campaign_extra_votes_are_few', violation_error_message='At most six extra votes can be requested.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('budget_cap', None), ('budget_cap__gte', 0), _connector='OR'), models.Q(('hourly_floor', None), ('hourly_floor__gte', 0), _connector='OR')), name='collection_campaign_money_is_not_negative', violation_error_message='A budget and a rate cannot be negative.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('dev_share__gte', 0), ('test_share__gte', 0), ('dev_share__lte', Decimal('0.5')), ('test_share__lte', Decimal('0.5'))), name='collection_campaign_split_shares_are_in_range', violation_error_message='The dev and test shares must each be between 0 and 0.5.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThan(django.db.models.expressions.CombinedExpression(models.F('dev_share'), '+', models.F('test_share')), Decimal('1')), name='collection_campaign_leaves_something_to_train_on', violation_error_message='The dev and test shares must sum to less than 1.'),
        ),
        migrations.AddField(
            model_name='attribute',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attributes', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='assignment',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='article',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='articles', to='collection.campaign'),
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
        migrations.AddField(
            model_name='twin',
            name='assignment',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='twins', to='collection.assignment'),
        ),
        migrations.AddField(
            model_name='twin',
            name='author',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='twins', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='twin',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='twins', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='twin',
            name='revises',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='revised_by', to='collection.twin'),
        ),
        migrations.AddField(
            model_name='question',
            name='twin',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='questions', to='collection.twin'),
        ),
        migrations.AddField(
            model_name='provenance',
            name='twin',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='provenance', to='collection.twin'),
        ),
        migrations.AddConstraint(
            model_name='attribute',
            constraint=models.UniqueConstraint(fields=('campaign', 'name'), name='collection_attribute_is_named_once', violation_error_message='The table already has this attribute.'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('status__in', ['open', 'submitted'])), fields=['campaign', 'article', 'status', 'leased_until'], name='collection_assignment_uses'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('campaign', 'worker'), name='collection_assignment_is_one_at_a_time', violation_error_message='A writer holds only one assignment of a campaign at a time.'),
        ),
        migrations.AddConstraint(
            model_name='article',
            constraint=models.UniqueConstraint(fields=('campaign', 'source_id'), name='collection_article_is_imported_once', violation_error_message='The campaign already has an article with this source id.'),
        ),
        migrations.AddConstraint(
            model_name='exerciseitem',
            constraint=models.UniqueConstraint(condition=models.Q(('retired_at', None)), fields=('campaign', 'skill', 'part', 'number'), name='collection_exerciseitem_is_numbered', violation_error_message='The exercise already has an item with this number.'),
        ),
        migrations.AddConstraint(
            model_name='exerciseitem',
            constraint=models.CheckConstraint(condition=models.Q(('answer__gte', 1), ('choices__len__gte', 2), ('answer__lte', models.F('choices__len'))), name='collection_exerciseitem_answer_is_a_choice', violation_error_message='An item must have at least two choices, one of them the answer.'),
        ),
        migrations.AddConstraint(
            model_name='guideline',
            constraint=models.UniqueConstraint(fields=('campaign', 'version'), name='collection_guideline_is_numbered', violation_error_message='The campaign already has this version of its guidelines.'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.UniqueConstraint(fields=('worker', 'guideline'), name='collection_consent_is_given_once', violation_error_message='You have already accepted these guidelines.'),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=models.UniqueConstraint(fields=('provider', 'external_id'), name='collection_participant_comes_from_one_place', violation_error_message='This participant already has an account.'),
        ),
        migrations.AddConstraint(
            model_name='sessioncredit',
            constraint=models.UniqueConstraint(fields=('unit',), name='collection_sessioncredit_counts_once', violation_error_message='This already counts for a session.'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('units__gte', 1)), name='collection_study_asks_for_work', violation_error_message='A session needs at least one unit.'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('places__gte', 1)), name='collection_study_has_places', violation_error_message='A study needs at least one place.'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('secret__regex', '^.{32,}$')), name='collection_study_secret_is_long', violation_error_message='A secret must have at least 32 characters.'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('completion_code', models.F('screen_out_code')), _negated=True), models.Q(('completion_code', models.F('failure_code')), _negated=True), models.Q(('screen_out_code', models.F('failure_code')), _negated=True)), name='collection_study_codes_differ', violation_error_message='The codes of a study must differ, as each stands for one outcome.'),
        ),
        migrations.AddConstraint(
            model_name='crowdsession',
            constraint=models.UniqueConstraint(fields=('study', 'external_id'), name='collection_crowdsession_is_entered_once', violation_error_message='This session has already been used.'),
        ),
        migrations.AddConstraint(
            model_name='crowdsession',
            constraint=models.UniqueConstraint(condition=models.Q(('is_duplicate', False)), fields=('study', 'participant'), name='collection_crowdsession_is_one_a_participant', violation_error_message='This participant has already taken part in the study.'),
        ),
        migrations.AddConstraint(
            model_name='crowdsession',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('status', 'active')), models.Q(models.Q(('status', 'active'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='collection_crowdsession_has_an_end_once_over', violation_error_message='A session that is over has a time of its end.'),
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
            model_name='twin',
            constraint=models.UniqueConstraint(fields=('author', 'client_key'), name='collection_twin_is_submitted_once', violation_error_message='This twin was already submitted.'),
        ),
        migrations.AddConstraint(
            model_name='twin',
            constraint=models.UniqueConstraint(condition=models.Q(('source_id', ''), _negated=True), fields=('campaign', 'source_id'), name='collection_twin_is_imported_once', violation_error_message='The campaign already has this twin.'),
        ),
        migrations.AddConstraint(
            model_name='twin',
            constraint=models.UniqueConstraint(condition=models.Q(models.Q(('fingerprint', ''), _negated=True), ('withdrawn_at', None)), fields=('campaign', 'fingerprint'), name='collection_twin_is_written_once', violation_error_message='The campaign already has these sentences.'),
        ),
        migrations.AddConstraint(
            model_name='twin',
            constraint=models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('assignment',), name='collection_twin_is_one_per_assignment', violation_error_message='A twin was already submitted for this assignment.'),
        ),
        migrations.AddConstraint(
            model_name='twin',
            constraint=models.CheckConstraint(condition=models.Q(('option1', models.F('option2')), _negated=True), name='collection_twin_options_differ', violation_error_message='The two options must differ.'),
        ),
        migrations.AddConstraint(
            model_name='twin',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('origin', 'authored'), _negated=True), ('author__isnull', False), _connector='OR'), name='collection_twin_authored_has_an_author', violation_error_message='A twin written here has an author.'),
        ),
        migrations.AddConstraint(
            model_name='twin',
            constraint=models.CheckConstraint(condition=models.Q(('source_split__in', ['', 'train', 'dev', 'test'])), name='collection_twin_source_split_is_known', violation_error_message='The split of a file must be train, dev or test.'),
        ),
        migrations.AddIndex(
            model_name='question',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(collection.models.expressions.ContentWords('sentence'), name='gin_trgm_ops'), name='collection_question_trigram'),
        ),
        migrations.AddIndex(
            model_name='question',
            index=models.Index(collection.models.expressions.SentenceKey('sentence'), name='collection_question_key'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(fields=('twin', 'number'), name='collection_question_has_one_place_in_its_twin', violation_error_message='The twin already has this question.'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(fields=('twin', 'answer'), name='collection_question_answers_are_opposite', violation_error_message='The answers of the two questions must be opposite.'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.CheckConstraint(condition=models.Q(('answer__in', [1, 2]), ('number__in', [1, 2])), name='collection_question_number_and_answer_are_1_or_2', violation_error_message='Number and answer must be 1 or 2.'),
        ),
    ]
