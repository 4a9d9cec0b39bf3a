import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
import workers.models.accounts
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('twin', 'twin written'), ('vote', 'question validated'), ('training', 'training and test done'), ('gold', 'control question validated'), ('bonus', 'bonus'), ('adjustment', 'adjustment')], max_length=16)),
                ('unit', models.CharField(help_text='Public id of what was done.', max_length=64)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('currency', models.CharField(max_length=3)),
                ('budget', models.UUIDField(help_text='Public id of the campaign that pays.')),
                ('note', models.CharField(blank=True, help_text='Shown to the worker.', max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'verbose_name_plural': 'ledger entries',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('public_id', models.CharField(default=workers.models.accounts.new_public_id, editable=False, max_length=32, unique=True)),
                ('role', models.CharField(choices=[('worker', 'worker'), ('curator', 'curator'), ('admin', 'admin')], default='worker', max_length=16)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                ('token_key', models.CharField(db_index=True, max_length=25)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(blank=True, null=True)),
                ('name', models.CharField(default='api', max_length=80)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Settlement',
            fields=[
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='settlement', serialize=False, to='workers.ledgerentry')),
                ('state', models.CharField(choices=[('approved', 'approved'), ('exported', 'sent'), ('paid', 'paid'), ('void', 'void')], max_length=16)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='by',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The curator who wrote it; empty if work did.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='worker',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Pause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, help_text='The curator; empty if the platform paused the worker.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pauses', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Payout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('client_key', models.UUIDField(help_text='Generated by the client: a repeated request creates no second payout.', unique=True)),
                ('budget', models.UUIDField(help_text='Public id of the campaign that pays.')),
                ('currency', models.CharField(max_length=3)),
                ('provider', models.CharField(choices=[('any', 'any, as CSV'), ('prolific', 'Prolific'), ('mturk', 'Amazon Mechanical Turk'), ('platform', 'paid by the platform, as the session’s reward')], default='any', max_length=16)),
                ('status', models.CharField(choices=[('exported', 'sent'), ('paid', 'paid'), ('cancelled', 'cancelled')], default='exported', max_length=16)),
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
            name='Qualification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('scope', models.UUIDField(help_text='Public id of the campaign.')),
                ('skill', models.CharField(choices=[('write', 'write'), ('validate', 'validate')], max_length=16)),
                ('status', models.CharField(choices=[('started', 'started'), ('passed', 'passed'), ('failed', 'failed')], default='started', max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('trained_at', models.DateTimeField(blank=True, help_text='When the training was done, if there is one.', null=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('reward', models.DecimalField(blank=True, decimal_places=2, help_text='Pay for the exercise, as promised when it was submitted.', max_digits=8, null=True)),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='qualifications', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('answers', models.JSONField(help_text='For each item asked: its id, the choice (from 1).')),
                ('n_right', models.PositiveSmallIntegerField()),
                ('n_items', models.PositiveSmallIntegerField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('qualification', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='workers.qualification')),
            ],
            options={
                'ordering': ['qualification', 'number'],
            },
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['worker', 'curator', 'admin'])), name='workers_user_role_is_known', violation_error_message='A user is a worker, a curator or an admin.'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('is_staff', True), ('is_superuser', True), ('role', 'admin')), models.Q(models.Q(('role', 'admin'), _negated=True), ('is_staff', False), ('is_superuser', False)), _connector='OR'), name='workers_user_flags_follow_the_role', violation_error_message='Only admins may use the administration site.'),
        ),
        migrations.AddField(
            model_name='settlement',
            name='by',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The user who approved or voided it; empty if the platform did.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='settlement',
            name='payout',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='settlements', to='workers.payout'),
        ),
        migrations.AddIndex(
            model_name='ledgerentry',
            index=models.Index(fields=['budget', 'kind'], include=('amount',), name='workers_ledger_budget'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.UniqueConstraint(fields=('worker', 'kind', 'unit'), name='workers_ledgerentry_pays_a_unit_once', violation_error_message='This work has been paid already.'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'bonus'), models.Q(('kind', 'adjustment'), ('unit__startswith', 'adjustment:')), _connector='OR'), fields=('unit',), name='workers_ledgerentry_key_of_extra_pay_is_used_once', violation_error_message='This client key belongs to another entry.'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gte', 0), ('kind', 'adjustment'), _connector='OR'), name='workers_ledgerentry_only_adjustments_are_negative', violation_error_message='Only an adjustment may be negative.'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='workers_ledgerentry_currency_is_a_code', violation_error_message='A currency is a three-letter code such as USD.'),
        ),
        migrations.AddConstraint(
            model_name='pause',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('worker',), name='workers_pause_is_open_once', violation_error_message='This worker is paused already.'),
        ),
        migrations.AddConstraint(
            model_name='pause',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='workers_pause_has_a_reason', violation_error_message='A pause has a reason that the worker can read.'),
        ),
        migrations.AddIndex(
            model_name='payout',
            index=models.Index(fields=['budget'], name='workers_pay_budget_f5efd7_idx'),
        ),
        migrations.AddConstraint(
            model_name='payout',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None), ('status', 'exported')), models.Q(('ended_at__isnull', False), ('status__in', ['paid', 'cancelled']), ('ended_by__isnull', False)), _connector='OR'), name='workers_payout_ends_once', violation_error_message='A payout that is paid or cancelled has a date and a name.'),
        ),
        migrations.AddConstraint(
            model_name='payoutline',
            constraint=models.UniqueConstraint(fields=('payout', 'worker'), name='workers_payoutline_is_one_a_worker', violation_error_message='A payout has one line per worker.'),
        ),
        migrations.AddConstraint(
            model_name='payoutline',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='workers_payoutline_pays_something', violation_error_message='A payout line must be greater than zero.'),
        ),
        migrations.AddConstraint(
            model_name='qualification',
            constraint=models.UniqueConstraint(fields=('worker', 'scope', 'skill'), name='workers_qualification_is_had_once', violation_error_message='A worker has one qualification of a kind per campaign.'),
        ),
        migrations.AddConstraint(
            model_name='qualification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('status', 'started')), models.Q(('decided_at__isnull', False), ('status__in', ['passed', 'failed'])), _connector='OR'), name='workers_qualification_is_decided_once_ended', violation_error_message='A qualification has a date once it is passed or failed.'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('qualification', 'number'), name='workers_attempt_is_numbered', violation_error_message='An attempt has each number once.'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('n_right__lte', models.F('n_items'))), name='workers_attempt_counts_within_items', violation_error_message='There cannot be more right answers than items.'),
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
