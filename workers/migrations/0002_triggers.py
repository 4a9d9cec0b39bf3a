"""The ledger and the lines of payouts are append-only; settlements follow their transitions."""

from django.db import migrations

LEDGER = """
CREATE FUNCTION workers_ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The ledger is append-only: write an adjustment instead.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER workers_ledgerentry_is_append_only
    BEFORE UPDATE OR DELETE ON workers_ledgerentry
    FOR EACH ROW EXECUTE FUNCTION workers_ledger_refuse_change();
"""
DROP_LEDGER = """
DROP TRIGGER workers_ledgerentry_is_append_only ON workers_ledgerentry;
DROP FUNCTION workers_ledger_refuse_change();
"""
SETTLEMENTS = """
CREATE FUNCTION workers_settlement_keep_to_arrows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' AND NEW.state IN ('approved', 'void') THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.entry_id = OLD.entry_id AND (OLD.state, NEW.state) IN (
        ('approved', 'exported'), ('approved', 'void'),
        ('exported', 'approved'), ('exported', 'paid')
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'A settlement follows its transitions: accrued, approved, exported, paid, void.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER workers_settlement_keeps_to_arrows
    BEFORE INSERT OR UPDATE OR DELETE ON workers_settlement
    FOR EACH ROW EXECUTE FUNCTION workers_settlement_keep_to_arrows();

CREATE FUNCTION workers_payoutline_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'A payout line cannot be changed.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER workers_payoutline_is_append_only
    BEFORE UPDATE OR DELETE ON workers_payoutline
    FOR EACH ROW EXECUTE FUNCTION workers_payoutline_refuse_change();
"""
DROP_SETTLEMENTS = """
DROP TRIGGER workers_payoutline_is_append_only ON workers_payoutline;
DROP FUNCTION workers_payoutline_refuse_change();
DROP TRIGGER workers_settlement_keeps_to_arrows ON workers_settlement;
DROP FUNCTION workers_settlement_keep_to_arrows();
"""


class Migration(migrations.Migration):
    dependencies = [("workers", "0001_initial")]
    operations = [
        migrations.RunSQL(LEDGER, DROP_LEDGER),
        migrations.RunSQL(SETTLEMENTS, DROP_SETTLEMENTS),
    ]
