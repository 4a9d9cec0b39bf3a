"""Places of a study, and one session for each participant: what is there already is kept."""

from django.db import migrations, models

# Twice as many people as have come, so that a study that is running goes on; its page shows it.
PLACES = """
UPDATE collection_study SET places = greatest(100, 2 * (
    SELECT count(DISTINCT participant_id) FROM collection_crowdsession WHERE study_id = collection_study.id
));
"""
# A session that goes on or was completed is the one that counts, else the newest.
DUPLICATES = """
UPDATE collection_crowdsession SET is_duplicate = true WHERE id NOT IN (
    SELECT DISTINCT ON (study_id, participant_id) id FROM collection_crowdsession
    ORDER BY study_id, participant_id,
             CASE status WHEN 'active' THEN 0 WHEN 'completed' THEN 1 ELSE 2 END, id DESC
);
"""
# Mechanical Turk writes its ids in capitals; in any other letters they named other people here.
CAPITALS = """
UPDATE collection_participant SET external_id = upper(external_id) WHERE id IN (
    SELECT min(id) FROM collection_participant WHERE provider = 'mturk'
    GROUP BY upper(external_id) HAVING NOT bool_or(external_id = upper(external_id))
);
"""


class Migration(migrations.Migration):
    dependencies = [("collection", "0008_sentence_key")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="places",
            field=models.PositiveIntegerField(default=100),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="crowdsession",
            name="is_duplicate",
            field=models.BooleanField(default=False, editable=False, help_text="Another session of its participant in this study, left out of the rule of one."),
        ),
        migrations.RunSQL(PLACES, migrations.RunSQL.noop),
        migrations.RunSQL(DUPLICATES, migrations.RunSQL.noop),
        migrations.RunSQL(CAPITALS, migrations.RunSQL.noop),
    ]
