"""Settings of judging, gold questions and money; the promised pay of an assignment."""

import django.core.validators
from decimal import Decimal
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0004_remove_campaign_guidelines'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='exerciseitem',
            options={'ordering': ['campaign', 'skill', 'part', 'number']},
        ),
        migrations.RemoveConstraint(
            model_name='exerciseitem',
            name='collection_exerciseitem_is_numbered',
        ),
        migrations.AddField(
            model_name='assignment',
            name='reward',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='What its twin pays, as promised when the article was handed out.', max_digits=8, null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='budget_cap',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='What the campaign may cost in all: no work is handed out that exceeds it.', max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))]),
        ),
        migrations.AddField(
            model_name='campaign',
            name='extra_votes_max',
            field=models.PositiveSmallIntegerField(default=0, help_text='Further votes where the judges differ and more could turn the verdict.', validators=[django.core.validators.MaxValueValidator(6)]),
        ),
        migrations.AddField(
            model_name='campaign',
            name='gold_pass_share',
            field=models.DecimalField(decimal_places=2, default=Decimal('0.70'), help_text='Gold questions answered rightly before a judge is warned, then paused.', max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('1'))]),
        ),
        migrations.AddField(
            model_name='campaign',
            name='gold_share',
            field=models.DecimalField(decimal_places=2, default=Decimal('0'), help_text="Share of a judge's questions whose answer is known; 0 asks none.", max_digits=3, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('0.5'))]),
        ),
        migrations.AddField(
            model_name='campaign',
            name='hourly_floor',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='Pay for an hour of work below which curators are told.', max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))]),
        ),
        migrations.AddField(
            model_name='campaign',
            name='votes_per_day_max',
            field=models.PositiveIntegerField(blank=True, help_text='Votes of one worker in 24 hours, at most.', null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='votes_per_worker_max',
            field=models.PositiveIntegerField(blank=True, help_text='Votes of one worker in all, at most.', null=True),
        ),
        migrations.AddField(
            model_name='exerciseitem',
            name='part',
            field=models.CharField(choices=[('training', 'training'), ('test', 'test')], default='test', max_length=16),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='vote_minutes',
            field=models.PositiveSmallIntegerField(default=3),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('gold_share__gte', 0), ('gold_share__lte', Decimal('0.5')), ('gold_pass_share__gte', 0), ('gold_pass_share__lte', 1)), name='collection_campaign_gold_is_a_share', violation_error_message="Half of a judge's questions are gold at most, and the share to answer rightly lies from 0 to 1."),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('extra_votes_max__lte', 6)), name='collection_campaign_extra_votes_are_few', violation_error_message='At most six extra votes can be asked for.'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('budget_cap', None), ('budget_cap__gte', 0), _connector='OR'), models.Q(('hourly_floor', None), ('hourly_floor__gte', 0), _connector='OR')), name='collection_campaign_money_is_not_negative', violation_error_message='A budget and a rate cannot be negative.'),
        ),
        migrations.AddConstraint(
            model_name='exerciseitem',
            constraint=models.UniqueConstraint(condition=models.Q(('retired_at', None)), fields=('campaign', 'skill', 'part', 'number'), name='collection_exerciseitem_is_numbered', violation_error_message='The exercise has this number already.'),
        ),
    ]
