"""The audit log of verdicts is append-only."""

from django.db import migrations

VERDICT_EVENTS = """
CREATE FUNCTION validation_verdictevent_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The audit log of verdicts is append-only.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER validation_verdictevent_is_append_only
    BEFORE UPDATE OR DELETE ON validation_verdictevent
    FOR EACH ROW EXECUTE FUNCTION validation_verdictevent_refuse_change();
"""
DROP_VERDICT_EVENTS = """
DROP TRIGGER validation_verdictevent_is_append_only ON validation_verdictevent;
DROP FUNCTION validation_verdictevent_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("validation", "0001_initial")]
    operations = [
        migrations.RunSQL(VERDICT_EVENTS, DROP_VERDICT_EVENTS),
    ]
