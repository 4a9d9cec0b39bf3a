"""The split of a twin is written once."""

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


class Migration(migrations.Migration):
    dependencies = [("corpora", "0001_initial")]
    operations = [
        migrations.RunSQL(DRAWS, DROP_DRAWS),
    ]
