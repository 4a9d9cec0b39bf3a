"""The ledger refuses changes: what was owed stays on record, mistakes get a new entry."""

from django.db import migrations

GUARD = """
CREATE FUNCTION workers_ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The ledger is append-only: write an adjustment instead.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER workers_ledgerentry_is_append_only
    BEFORE UPDATE OR DELETE ON workers_ledgerentry
    FOR EACH ROW EXECUTE FUNCTION workers_ledger_refuse_change();
"""
UNGUARD = """
DROP TRIGGER workers_ledgerentry_is_append_only ON workers_ledgerentry;
DROP FUNCTION workers_ledger_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("workers", "0001_initial")]

    operations = [migrations.RunSQL(GUARD, UNGUARD)]
