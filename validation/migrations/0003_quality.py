"""Gold questions, extra votes, votes set aside, appeals, and the trail of verdicts."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0005_judging_and_money'),
        ('validation', '0002_passed_without_seat'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('subject', models.CharField(choices=[('question', 'the verdict on a question I wrote'), ('vote', 'a vote of mine that was set aside'), ('pause', 'my pause')], max_length=16)),
                ('unit', models.CharField(help_text='Public id of the question or vote.', max_length=64)),
                ('text', models.CharField(max_length=1000)),
                ('status', models.CharField(choices=[('open', 'open'), ('upheld', 'upheld'), ('declined', 'declined')], default='open', max_length=16)),
                ('answer', models.CharField(blank=True, max_length=1000)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='GoldQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('origin', models.CharField(choices=[('grown', 'all its judges agreed'), ('chosen', 'chosen by a curator')], max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('retired_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='QualityNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warning', 'warning'), ('pause', 'pause')], max_length=16)),
                ('n_right', models.PositiveSmallIntegerField()),
                ('n_answers', models.PositiveSmallIntegerField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='SentBack',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note', models.CharField(help_text='What the author is told.', max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='VerdictEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(choices=[('votes', 'decided by the votes'), ('curator', 'decided by a curator'), ('noted', "a vote noted; the curator's decision stands"), ('reopened', 'reopened'), ('one_more', 'one more vote asked for'), ('sent_back', 'sent back to its author'), ('amended', 'a vote amended by its judge'), ('set_aside', 'a vote set aside'), ('restored', 'a vote restored')], max_length=16)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('before', models.JSONField(blank=True, null=True)),
                ('after', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.RemoveIndex(
            model_name='seat',
            name='validation_seat_open',
        ),
        migrations.AddField(
            model_name='passedseat',
            name='withdrawn',
            field=models.BooleanField(default=False, help_text="Whether the twin was taken out of the judges' hands."),
        ),
        migrations.AddField(
            model_name='seat',
            name='claimed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='reward',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='What the vote pays, as promised when the seat was taken.', max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))]),
        ),
        migrations.AddField(
            model_name='verdict',
            name='decided_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='vote',
            name='amended_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='vote',
            name='is_gold',
            field=models.BooleanField(default=False, help_text='An answer to a gold question: it counts for no verdict.'),
        ),
        migrations.AddField(
            model_name='vote',
            name='report',
            field=models.CharField(blank=True, choices=[('', 'nothing'), ('offensive', 'it is offensive'), ('no_sentence', 'it is not a sentence')], default='', max_length=16),
        ),
        migrations.AddField(
            model_name='vote',
            name='set_aside_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='vote',
            name='set_aside_by',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='vote',
            name='set_aside_reason',
            field=models.CharField(blank=True, help_text='What the worker is told.', max_length=500),
        ),
        migrations.AlterField(
            model_name='seat',
            name='number',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.RemoveIndex(model_name='seat', name='validation_seat_furthest'),
        migrations.RemoveField(model_name='seat', name='place'),
        migrations.AddField(
            model_name='seat',
            name='place',
            field=models.BigIntegerField(default=0, help_text='Order in the queue; see services.places.'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['worker', 'campaign', 'place'], name='validation_seat_furthest'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('report', ''), _negated=True), fields=['question'], name='validation_vote_reported'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('set_aside_at', None), ('set_aside_reason', '')), models.Q(('set_aside_at__isnull', False), models.Q(('set_aside_reason', ''), _negated=True)), _connector='OR'), name='validation_vote_is_set_aside_for_a_reason', violation_error_message='A vote is set aside for a reason that its worker reads.'),
        ),
        migrations.AddField(
            model_name='appeal',
            name='decided_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='appeal',
            name='worker',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='goldquestion',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='golds', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='goldquestion',
            name='created_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='goldquestion',
            name='question',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='gold', to='collection.question'),
        ),
        migrations.AddField(
            model_name='seat',
            name='gold',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='validation.goldquestion'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('gold', None), ('voted_at', None)), fields=['campaign', 'place', 'number'], name='validation_seat_open'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('gold', None), ('number__isnull', False)), models.Q(('gold__isnull', False), ('number', None), ('worker__isnull', False)), _connector='OR'), name='validation_seat_counts_or_is_gold', violation_error_message="A seat has a number, or is one worker's gold question."),
        ),
        migrations.AddField(
            model_name='qualitynotice',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='collection.campaign'),
        ),
        migrations.AddField(
            model_name='qualitynotice',
            name='worker',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='quality_notices', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='sentback',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='sentback',
            name='twin',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='sent_back', to='collection.twin'),
        ),
        migrations.AddField(
            model_name='verdictevent',
            name='by',
            field=models.ForeignKey(blank=True, help_text="Empty where the votes and the campaign's policy did it.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='verdictevent',
            name='question',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='verdict_events', to='collection.question'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.UniqueConstraint(fields=('worker', 'subject', 'unit'), name='validation_appeal_is_made_once', violation_error_message='You have appealed in this matter already.'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer', ''), ('decided_at', None), ('decided_by', None), ('status', 'open')), models.Q(('decided_at__isnull', False), ('status__in', ['upheld', 'declined']), ('decided_by__isnull', False), models.Q(('answer', ''), _negated=True)), _connector='OR'), name='validation_appeal_is_decided_with_an_answer', violation_error_message='An appeal that is decided has an answer, a date and a curator.'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='validation_appeal_says_why', violation_error_message='Say why you appeal.'),
        ),
        migrations.AddIndex(
            model_name='goldquestion',
            index=models.Index(condition=models.Q(('retired_at', None)), fields=['campaign'], name='validation_gold_in_use'),
        ),
        migrations.AddConstraint(
            model_name='qualitynotice',
            constraint=models.CheckConstraint(condition=models.Q(('n_right__lte', models.F('n_answers'))), name='validation_qualitynotice_counts_within_answers', violation_error_message='No more can be right than was answered.'),
        ),
        migrations.AddConstraint(
            model_name='sentback',
            constraint=models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='validation_sentback_says_why', violation_error_message='Tell the author what to mend.'),
        ),
    ]
