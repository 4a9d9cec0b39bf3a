"""The split of a twin is written once."""

from django.db import migrations

DRAWS = """
CREATE FUNCTION filtering_draw_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The split of a twin is drawn once: another one would show a blind label.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER filtering_draw_is_for_good
    BEFORE UPDATE OR DELETE ON filtering_draw
    FOR EACH ROW EXECUTE FUNCTION filtering_draw_refuse_change();
"""
DROP_DRAWS = """
DROP TRIGGER filtering_draw_is_for_good ON filtering_draw;
DROP FUNCTION filtering_draw_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("filtering", "0001_initial")]
    operations = [
        migrations.RunSQL(DRAWS, DROP_DRAWS),
    ]
