import collection.models.expressions
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('collection', '0002_initial'),
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
            name='GoldQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('origin', models.CharField(choices=[('grown', 'all its validators agreed'), ('chosen', 'chosen by a curator')], max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('retired_at', models.DateTimeField(blank=True, null=True)),
                ('retired_for', models.CharField(blank=True, choices=[('curator', 'retired by a curator'), ('doubt', 'its answer is in doubt'), ('public', 'public, in a release or its source data set')], db_default='', default='', help_text='Empty while in use, or if retired before reasons were recorded.', max_length=16)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='golds', to='collection.campaign')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='gold', to='collection.question')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='PublishedSentence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(help_text='See SentenceKey.', max_length=32)),
                ('is_answered', models.BooleanField(help_text='Whether its answer is public, too.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key',), name='validation_publishedsentence_is_noted_once', violation_error_message='This sentence is noted as published already.')],
            },
        ),
        migrations.CreateModel(
            name='QualityNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warning', 'warning'), ('pause', 'pause'), ('vote_excluded', 'vote excluded'), ('returned', 'twin returned for revision')], max_length=16)),
                ('n_right', models.PositiveSmallIntegerField(default=0)),
                ('n_answers', models.PositiveSmallIntegerField(default=0)),
                ('unit', models.CharField(blank=True, help_text='Public id of the vote or twin.', max_length=64)),
                ('text', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='collection.campaign')),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='quality_notices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('place', models.BigIntegerField(default=0, help_text='Order in the queue.')),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('reward', models.DecimalField(blank=True, decimal_places=2, help_text='What the answer pays, as promised when the seat was taken.', max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))])),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('number', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('swapped', models.BooleanField(db_default=collection.models.expressions.FairCoin(), editable=False, help_text='Whether the second option is shown first.')),
                ('local_at', models.DateTimeField(blank=True, null=True)),
                ('local_option', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2)])),
                ('author', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='collection.campaign')),
                ('gold', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='validation.goldquestion')),
                ('question', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='collection.question')),
                ('twin', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='collection.twin')),
                ('worker', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='PassedSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat_public_id', models.UUIDField(editable=False, null=True)),
                ('blocked', models.BooleanField()),
                ('withdrawn', models.BooleanField(default=False, help_text='Whether the twin was withdrawn from validation.')),
                ('report', models.CharField(blank=True, help_text='The problem its validator reports: see Vote.Report.', max_length=16)),
                ('reported_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('question', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='collection.question')),
                ('twin', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='collection.twin')),
                ('worker', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('seat', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='passed', to='validation.seat')),
            ],
        ),
        migrations.CreateModel(
            name='TwinReturn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note', models.CharField(help_text='Message to the author.', max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('twin', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='returned', to='collection.twin')),
            ],
        ),
        migrations.CreateModel(
            name='ValidatorFigures',
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
                ('confirms', models.FloatField(null=True)),
                ('contradicts', models.FloatField(null=True)),
                ('n_excluded', models.PositiveIntegerField()),
                ('n_reported', models.PositiveIntegerField()),
                ('n_ambiguous', models.PositiveIntegerField()),
                ('seconds', models.FloatField(null=True)),
                ('sentence_seconds', models.FloatField(null=True)),
                ('speed', models.FloatField(null=True)),
                ('n_fast', models.PositiveIntegerField()),
                ('flags', models.JSONField(default=list)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='validators', to='validation.qualityreport')),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='validator_figures', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Verdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('policy', models.CharField(choices=[('majority', 'majority (AAAI 2020)'), ('unanimous', 'unanimous (arXiv v1)')], max_length=16)),
                ('version', models.PositiveSmallIntegerField()),
                ('valid', models.BooleanField()),
                ('reasons', models.JSONField(blank=True, default=list, help_text='Parts that failed.')),
                ('counts', models.JSONField(blank=True, default=dict, help_text='Votes for each part.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='verdict', to='collection.question')),
            ],
        ),
        migrations.CreateModel(
            name='VerdictEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(choices=[('votes', 'decided by the votes'), ('curator', 'decided by a curator'), ('noted', "vote recorded; the curator's decision stands"), ('reopened', 'reopened'), ('one_more', 'another vote requested'), ('returned', 'returned to its author for revision'), ('report_seen', 'reports seen'), ('amended', 'vote amended by its validator'), ('excluded', 'vote excluded'), ('restored', 'vote restored')], max_length=16)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('before', models.JSONField(blank=True, null=True)),
                ('after', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(blank=True, help_text="Empty if the votes and the campaign's policy decided.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='verdict_events', to='collection.question')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Vote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('option', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2)])),
                ('ambiguous', models.BooleanField()),
                ('local_option', models.PositiveSmallIntegerField(blank=True, help_text='Answer from the local context; empty means cannot tell.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2)])),
                ('comment', models.CharField(blank=True, max_length=500)),
                ('report', models.CharField(blank=True, choices=[('', 'nothing'), ('offensive', 'it is offensive'), ('no_sentence', 'it is not a sentence')], default='', max_length=16)),
                ('is_gold', models.BooleanField(default=False, help_text='An answer to a gold question, which does not count for a verdict.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('amended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('excluded_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('exclusion_reason', models.CharField(blank=True, help_text='Message to the worker.', max_length=500)),
                ('excluded_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='votes', to='collection.question')),
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='vote', to='validation.seat')),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='votes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('subject', models.CharField(choices=[('question', 'the verdict on a question I wrote'), ('vote', 'an excluded vote of mine'), ('pause', 'my pause')], max_length=16)),
                ('unit', models.CharField(help_text='Public id of the question or vote.', max_length=64)),
                ('text', models.CharField(max_length=1000)),
                ('status', models.CharField(choices=[('open', 'open'), ('upheld', 'upheld'), ('declined', 'declined')], default='open', max_length=16)),
                ('answer', models.CharField(blank=True, max_length=1000)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(fields=('worker', 'subject', 'unit'), name='validation_appeal_is_made_once', violation_error_message='You have already appealed this decision.'), models.CheckConstraint(condition=models.Q(models.Q(('answer', ''), ('decided_at', None), ('decided_by', None), ('status', 'open')), models.Q(('decided_at__isnull', False), ('status__in', ['upheld', 'declined']), ('decided_by__isnull', False), models.Q(('answer', ''), _negated=True)), _connector='OR'), name='validation_appeal_is_decided_with_an_answer', violation_error_message='A decided appeal has an answer, a date and a curator.'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='validation_appeal_says_why', violation_error_message='Please give a reason for your appeal.')],
            },
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('question', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='case', serialize=False, to='collection.question')),
                ('domain', models.CharField(choices=[('social', 'social'), ('physical', 'physical'), ('unknown', 'not stated')], max_length=16)),
                ('rank', models.PositiveSmallIntegerField(default=0)),
                ('place', models.BigIntegerField(default=0)),
                ('reports', models.PositiveSmallIntegerField(default=0)),
                ('reports_seen', models.PositiveSmallIntegerField(default=0)),
                ('appealed', models.BooleanField(default=False)),
                ('returned', models.BooleanField(default=False)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='collection.campaign')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('closed_at', None), ('returned', False)), fields=['campaign', '-place'], name='validation_case_review_queue'), models.Index(fields=['campaign', '-place'], name='validation_case_listed')],
            },
        ),
        migrations.AddIndex(
            model_name='goldquestion',
            index=models.Index(condition=models.Q(('retired_at', None)), fields=['campaign'], name='validation_gold_in_use'),
        ),
        migrations.AddConstraint(
            model_name='goldquestion',
            constraint=models.CheckConstraint(condition=models.Q(('retired_for', ''), ('retired_at__isnull', False), _connector='OR'), name='validation_goldquestion_is_retired_for_a_reason', violation_error_message='Only a retired gold question has a reason for retirement.'),
        ),
        migrations.AddConstraint(
            model_name='qualitynotice',
            constraint=models.CheckConstraint(condition=models.Q(('n_right__lte', models.F('n_answers'))), name='validation_qualitynotice_counts_within_answers', violation_error_message='The number of right answers is at most the number of answers.'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('answered_at', None), ('gold', None)), fields=['campaign', 'place', 'number'], name='validation_seat_open'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('answered_at', None), ('worker__isnull', False)), fields=['worker', 'campaign'], name='validation_seat_taken'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('answered_at__isnull', False)), fields=['worker', 'campaign', 'place'], name='validation_seat_furthest'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('answered_at__isnull', False)), fields=['worker', 'campaign', 'answered_at'], name='validation_seat_latest'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('number', 1)), fields=['author', 'campaign', 'place'], name='validation_seat_authors_last'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('answered_at__isnull', False), ('number', 1)), fields=['campaign', 'place'], name='validation_seat_begun'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('gold__isnull', False)), fields=['gold'], name='validation_seat_gold'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('question', 'number'), name='validation_seat_is_numbered', violation_error_message='Each number has one seat.'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('twin', 'worker'), name='validation_seat_worker_sits_once', violation_error_message='A worker has one seat here, once.'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at', None), ('leased_until', None), ('worker', None)), models.Q(('leased_until__isnull', False), ('worker__isnull', False)), _connector='OR'), name='validation_seat_taken_has_lease', violation_error_message='A taken seat has a worker and a lease.'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('author', None), ('worker', None), models.Q(('author', models.F('worker')), _negated=True), _connector='OR'), name='validation_seat_author_does_not_validate', violation_error_message='The author of a twin does not validate it.'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('local_at', None), ('worker__isnull', False), _connector='OR'), name='validation_seat_begun_has_a_worker', violation_error_message='A seat with a local answer has a worker.'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('gold', None), ('number__isnull', False)), models.Q(('gold__isnull', False), ('number', None), ('worker__isnull', False)), _connector='OR'), name='validation_seat_counts_or_is_gold', violation_error_message="A seat has a number, or is a worker's gold question."),
        ),
        migrations.AddIndex(
            model_name='passedseat',
            index=models.Index(fields=['worker', 'twin'], name='validation_passed'),
        ),
        migrations.AddIndex(
            model_name='passedseat',
            index=models.Index(condition=models.Q(('report', ''), _negated=True), fields=['question'], name='validation_passed_reported'),
        ),
        migrations.AddConstraint(
            model_name='passedseat',
            constraint=models.UniqueConstraint(fields=('seat', 'worker'), name='validation_passedseat_is_noted_once', violation_error_message='A worker passes a seat once.'),
        ),
        migrations.AddConstraint(
            model_name='twinreturn',
            constraint=models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='validation_twinreturn_says_why', violation_error_message='Tell the author what to change.'),
        ),
        migrations.AddConstraint(
            model_name='validatorfigures',
            constraint=models.UniqueConstraint(fields=('report', 'worker'), name='validation_validatorfigures_are_one_line_a_validator', violation_error_message='A report has one row for each validator.'),
        ),
        migrations.AddConstraint(
            model_name='verdict',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('valid', True), ('reasons', [])), models.Q(('valid', False), models.Q(('reasons', []), _negated=True)), _connector='OR'), name='validation_verdict_says_why_not', violation_error_message='A verdict is valid, or has reasons why it is not.'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('report', ''), _negated=True), fields=['question'], name='validation_vote_reported'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('excluded_at__isnull', False)), fields=['id'], name='validation_vote_excluded'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('excluded_at__isnull', False)), fields=['worker', 'id'], name='validation_vote_excluded_of'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('is_gold', True)), fields=['worker', 'id'], name='validation_vote_workers_gold'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.UniqueConstraint(fields=('question', 'worker'), name='validation_vote_is_cast_once', violation_error_message='You have already validated this question.'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(('option__in', [1, 2]), models.Q(('local_option', None), ('local_option__in', [1, 2]), _connector='OR')), name='validation_vote_option_is_1_or_2', violation_error_message='An option is 1 or 2.'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('excluded_at', None), ('exclusion_reason', '')), models.Q(('excluded_at__isnull', False), models.Q(('exclusion_reason', ''), _negated=True)), _connector='OR'), name='validation_vote_is_excluded_for_a_reason', violation_error_message='An excluded vote has a reason, which its worker reads.'),
        ),
    ]
