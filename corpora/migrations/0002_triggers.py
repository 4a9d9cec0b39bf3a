"""The split of a twin, and whether a blind sentence is published, are written once."""

from django.db import migrations

DRAWS = """
CREATE FUNCTION corpora_draw_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The split of a twin is drawn once: a second draw would reveal a blind label.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER corpora_draw_is_for_good
    BEFORE UPDATE OR DELETE ON corpora_draw
    FOR EACH ROW EXECUTE FUNCTION corpora_draw_refuse_change();
"""
DROP_DRAWS = """
DROP TRIGGER corpora_draw_is_for_good ON corpora_draw;
DROP FUNCTION corpora_draw_refuse_change();
"""
BLIND = """
CREATE FUNCTION corpora_blindsentence_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Whether a blind sentence is published is decided once.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER corpora_blindsentence_is_for_good
    BEFORE UPDATE OR DELETE ON corpora_blindsentence
    FOR EACH ROW EXECUTE FUNCTION corpora_blindsentence_refuse_change();
"""
DROP_BLIND = """
DROP TRIGGER corpora_blindsentence_is_for_good ON corpora_blindsentence;
DROP FUNCTION corpora_blindsentence_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("corpora", "0001_initial")]
    operations = [
        migrations.RunSQL(DRAWS, DROP_DRAWS),
        migrations.RunSQL(BLIND, DROP_BLIND),
    ]
