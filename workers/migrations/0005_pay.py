"""Pay that the platform itself makes, what an exercise promised, and quick sums of a budget."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('workers', '0004_payouts'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='ledgerentry',
            name='workers_led_budget_2cbf61_idx',
        ),
        migrations.AddField(
            model_name='qualification',
            name='reward',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='What the first attempt paid, as promised when it was made.', max_digits=8, null=True),
        ),
        migrations.AlterField(
            model_name='payout',
            name='provider',
            field=models.CharField(choices=[('any', 'any, as CSV'), ('prolific', 'Prolific'), ('mturk', 'Amazon Mechanical Turk'), ('platform', 'paid by the platform, as the session’s reward')], default='any', max_length=16),
        ),
        migrations.AddIndex(
            model_name='ledgerentry',
            index=models.Index(fields=['budget', 'kind'], include=('amount',), name='workers_ledger_budget'),
        ),
        migrations.AddIndex(
            model_name='payout',
            index=models.Index(fields=['budget'], name='workers_pay_budget_f5efd7_idx'),
        ),
    ]
