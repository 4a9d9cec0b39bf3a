"""Settlements and payouts: how far pay has come on its way to the worker."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('workers', '0003_standing'),
    ]

    operations = [
        migrations.AddField(
            model_name='ledgerentry',
            name='by',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The curator who wrote it; empty where work did.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='note',
            field=models.CharField(blank=True, help_text='What the worker is told.', max_length=300),
        ),
        migrations.AddField(
            model_name='qualification',
            name='trained_at',
            field=models.DateTimeField(blank=True, help_text='When the training was done, where there is one.', null=True),
        ),
        migrations.AlterField(
            model_name='ledgerentry',
            name='kind',
            field=models.CharField(choices=[('twin', 'twin written'), ('vote', 'question judged'), ('training', 'exercise done'), ('gold', 'gold question judged'), ('bonus', 'bonus'), ('adjustment', 'adjustment')], max_length=16),
        ),
        migrations.AlterField(
            model_name='pause',
            name='by',
            field=models.ForeignKey(blank=True, help_text='The curator; empty where the platform paused by itself.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Payout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('client_key', models.UUIDField(help_text='Made by the client: asking again makes no second payout.', unique=True)),
                ('budget', models.UUIDField(help_text='Public id of the campaign that pays.')),
                ('currency', models.CharField(max_length=3)),
                ('provider', models.CharField(choices=[('any', 'any, as CSV'), ('prolific', 'Prolific'), ('mturk', 'Amazon Mechanical Turk')], default='any', max_length=16)),
                ('status', models.CharField(choices=[('exported', 'exported'), ('paid', 'paid'), ('cancelled', 'cancelled')], default='exported', max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='PayoutLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('n_entries', models.PositiveIntegerField()),
                ('payout', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='workers.payout')),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payout_lines', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Settlement',
            fields=[
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='settlement', serialize=False, to='workers.ledgerentry')),
                ('state', models.CharField(choices=[('approved', 'approved'), ('exported', 'exported'), ('paid', 'paid'), ('void', 'void')], max_length=16)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(blank=True, db_index=False, help_text='Who approved or voided it; empty where the platform did.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('payout', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='settlements', to='workers.payout')),
            ],
        ),
        migrations.AddConstraint(
            model_name='payout',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None), ('status', 'exported')), models.Q(('ended_at__isnull', False), ('status__in', ['paid', 'cancelled']), ('ended_by__isnull', False)), _connector='OR'), name='workers_payout_ends_once', violation_error_message='A payout that is paid or cancelled has a date and a name.'),
        ),
        migrations.AddConstraint(
            model_name='payoutline',
            constraint=models.UniqueConstraint(fields=('payout', 'worker'), name='workers_payoutline_is_one_a_worker', violation_error_message='A payout has one line for a worker.'),
        ),
        migrations.AddConstraint(
            model_name='payoutline',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='workers_payoutline_pays_something', violation_error_message='A payout pays more than nothing.'),
        ),
        migrations.AddIndex(
            model_name='settlement',
            index=models.Index(condition=models.Q(('state', 'approved')), fields=['entry'], name='workers_settlement_approved'),
        ),
        migrations.AddConstraint(
            model_name='settlement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('payout__isnull', False), ('state__in', ['exported', 'paid'])), models.Q(('payout', None), ('state__in', ['approved', 'void'])), _connector='OR'), name='workers_settlement_names_its_payout', violation_error_message='An exported or paid entry names its payout.'),
        ),
    ]
