"""The curators' desk, filled with the splits and reports that there are."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

# As core/ranks.py: 1,000 a report, and the share of the smaller side of the closest part.
FILL = """
INSERT INTO validation_case
    (question_id, campaign_id, domain, rank, place, reports, appealed, sent_back, opened_at)
SELECT question.id, twin.campaign_id, twin.domain,
       1000 * LEAST(reported.n, 9) + COALESCE(split.rank, 0), 0, reported.n, FALSE, FALSE, now()
FROM collection_question question
JOIN collection_twin twin ON twin.id = question.twin_id
CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM validation_vote
    WHERE question_id = question.id AND report <> '' AND NOT is_gold
) reported
LEFT JOIN LATERAL (
    SELECT max(round(1000.0 * LEAST(part.n, total.n - part.n) / total.n)) AS rank
    FROM validation_verdict verdict
    CROSS JOIN LATERAL (SELECT (verdict.counts->>'votes')::int AS n) total
    CROSS JOIN LATERAL (VALUES ((verdict.counts->>'correct')::int),
                               ((verdict.counts->>'unambiguous')::int),
                               ((verdict.counts->>'local')::int)) part (n)
    WHERE verdict.question_id = question.id AND total.n > 0
) split ON TRUE
WHERE reported.n > 0 OR split.rank > 0;
UPDATE validation_case SET place = (rank::bigint << 40) + question_id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0005_judging_and_money'),
        ('validation', '0005_queue_indexes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Case',
            fields=[
                ('question', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='case', serialize=False, to='collection.question')),
                ('domain', models.CharField(choices=[('social', 'social'), ('physical', 'physical'), ('unknown', 'not stated')], max_length=16)),
                ('rank', models.PositiveSmallIntegerField(default=0)),
                ('place', models.BigIntegerField(default=0)),
                ('reports', models.PositiveSmallIntegerField(default=0)),
                ('appealed', models.BooleanField(default=False)),
                ('sent_back', models.BooleanField(default=False)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='collection.campaign')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('closed_at', None), ('sent_back', False)), fields=['campaign', '-place'], name='validation_case_desk'), models.Index(fields=['campaign', '-place'], name='validation_case_listed')],
            },
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
