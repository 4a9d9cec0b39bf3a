"""The person of an account can be erased: the ledger and the audit log then lose their texts.

Their triggers let only that pass. Processes may not update the tables, so a function of the owner
does it; its path of names is fixed, as otherwise a temporary table could stand for an account.
"""

from django.db import migrations, models

LEDGER = """
CREATE OR REPLACE FUNCTION workers_ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF to_jsonb(NEW) = to_jsonb(OLD) || '{"note": ""}' AND EXISTS (
            SELECT FROM workers_user
            WHERE id IN (OLD.worker_id, OLD.by_id) AND erased_at IS NOT NULL
        ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The ledger is append-only: write an adjustment instead.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION workers_ledgerentry_forget(person bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    changed bigint;
BEGIN
    UPDATE workers_ledgerentry SET note = '' WHERE note <> '' AND person IN (worker_id, by_id);
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END $$;
"""
LEDGER_BEFORE = """
DROP FUNCTION workers_ledgerentry_forget(bigint);
CREATE OR REPLACE FUNCTION workers_ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The ledger is append-only: write an adjustment instead.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""
AUDIT_LOG = """
CREATE OR REPLACE FUNCTION workers_auditevent_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF to_jsonb(NEW) = to_jsonb(OLD) || '{"address": ""}' AND (
            OLD.created_at < now() - interval '30 days' OR EXISTS (
                SELECT FROM workers_user
                WHERE id = coalesce(OLD.by_id, OLD.account_id) AND erased_at IS NOT NULL
            )
        ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The audit log is append-only.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION workers_auditevent_forget(person bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    changed bigint;
BEGIN
    UPDATE workers_auditevent SET address = ''
    WHERE address <> '' AND (by_id = person OR by_id IS NULL AND account_id = person);
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END $$;
CREATE FUNCTION workers_auditevent_forget_before(until timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    changed bigint;
BEGIN
    UPDATE workers_auditevent SET address = '' WHERE address <> '' AND created_at < until;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END $$;
"""
AUDIT_LOG_BEFORE = """
DROP FUNCTION workers_auditevent_forget(bigint);
DROP FUNCTION workers_auditevent_forget_before(timestamptz);
CREATE OR REPLACE FUNCTION workers_auditevent_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The audit log is append-only.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""
FIXED_PATH = """
DO $do$
BEGIN
    EXECUTE format('ALTER FUNCTION {function} SET search_path = %I, pg_temp', current_schema());
END $do$;
"""
FUNCTIONS = (
    "workers_ledgerentry_forget(bigint)",
    "workers_auditevent_forget(bigint)",
    "workers_auditevent_forget_before(timestamptz)",
)
FIXED = "".join(FIXED_PATH.format(function=name) for name in FUNCTIONS)


class Migration(migrations.Migration):
    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('workers', '0010_members'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, help_text='When its person was erased; the account stays for work and pay alone.', null=True),
        ),
        migrations.AlterField(
            model_name='auditevent',
            name='kind',
            field=models.CharField(choices=[('sign_in', 'signed in'), ('sign_in_failed', 'sign-in failed'), ('sign_out', 'signed out'), ('confirmed', 'identity confirmed'), ('confirm_failed', 'identity not confirmed'), ('password', 'password changed'), ('factor_added', 'second factor added'), ('factor_removed', 'second factor removed'), ('address', 'e-mail address changed'), ('institution', 'sign-in of an institution connected or removed'), ('sessions_ended', 'other sessions ended'), ('token_made', 'token made'), ('token_ended', 'token ended'), ('invited', 'invitation made'), ('invitation_revoked', 'invitation revoked'), ('invitation_accepted', 'invitation accepted'), ('link_made', 'password link made'), ('link_revoked', 'password link revoked'), ('link_used', 'password link used'), ('member', 'member of a campaign changed'), ('admin_access', 'campaign opened by an admin who is no member'), ('study_links', 'participants’ links made'), ('account', 'account with rights made or changed'), ('erased', 'person erased'), ('labels', 'labels read'), ('labels_file', 'file with labels downloaded'), ('people_file', 'file about people downloaded'), ('pay_file', 'pay file downloaded'), ('pay_approved', 'pay approved'), ('pay_second', 'large pay approved by a second curator'), ('pay_extra', 'bonus or adjustment written'), ('pay_void', 'pay voided'), ('payout_made', 'payout made'), ('payout_paid', 'payout marked as paid'), ('payout_cancelled', 'payout cancelled'), ('published', 'made public'), ('withdrawn', 'withdrawn'), ('administration', 'administration opened'), ('audit_log', 'audit log read')], max_length=24),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('erased_at', None), models.Q(('email', ''), ('first_name', ''), ('is_active', False), ('last_login', None), ('last_name', ''), ('password__startswith', '!'), ('role', 'worker'), ('username__startswith', 'erased-')), _connector='OR'), name='workers_user_erased_is_nobody', violation_error_message='The person of this account was erased, so it names nobody and nobody can use it.'),
        ),
        migrations.RunSQL(LEDGER + AUDIT_LOG + FIXED, LEDGER_BEFORE + AUDIT_LOG_BEFORE),
    ]
