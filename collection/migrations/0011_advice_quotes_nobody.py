from django.db import migrations

# Messages used to quote other people's sentences and to count their answers. Numbers and examples
# stay beside them, for curators.
SQL = """
UPDATE collection_twin SET advice = (
    SELECT jsonb_agg(
        CASE WHEN told.message IS NULL THEN finding
             ELSE jsonb_set(finding, '{message}', to_jsonb(told.message)) END
        ORDER BY place
    )
    FROM jsonb_array_elements(advice) WITH ORDINALITY AS stored(finding, place)
    LEFT JOIN (VALUES
        ('near_duplicate',
         'A twin of this campaign is much the same; write about something else.'),
        ('trigger_overused',
         'Many other twins of this campaign have this trigger; choose words that are used less often.'),
        ('local_association',
         'The words at the blank give the answer away; choose another trigger word or other options.'),
        ('pair_association',
         'The trigger word gives the answer away by the order in which the options are named; choose another trigger word, or name the options the other way round.')
    ) AS told(code, message) ON told.code = finding ->> 'code'
) WHERE jsonb_typeof(advice) = 'array' AND advice <> '[]'
"""


class Migration(migrations.Migration):
    """What writers were advised before tells them of nobody else's twin any more."""

    dependencies = [
        ('collection', '0010_one_session_a_participant'),
    ]

    operations = [
        migrations.RunSQL(SQL, migrations.RunSQL.noop),
    ]
