"""What advice rests on: cues of twins, and near-duplicates by the trigrams of content words."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models

import collection.models.expressions
from collection.core.advice.cues import cues, scoped
from collection.core.triggers import trigger_diff

# Stems that one in a hundred of WinoGrande's twins holds or more, and that say little of what a
# sentence is about: verbs of every task, comparisons, the crowd's favourite names.
CONTENT_WORDS = """
CREATE FUNCTION collection_content_words(sentence text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT strip(ts_delete(to_tsvector('pg_catalog.english'::regconfig, sentence), ARRAY[
        'instead', 'use', 'want', 'sinc', 'could', 'like', 'get', 'jame', 'would', 'need', 'decid',
        'new', 'tri', 'small', 'put', 'didn', 'go', 'got', 'work', 'much', 'better', 'made', 'less',
        'time', 'went', 'lot', 'took', 'john', 'make', 'big', 'one', 'bought', 'fit', 'look',
        'chose', 'rather', 'prefer', 'alway', 'old', 'thought', 'easier', 'couldn', 'mari', 'found',
        'take', 'hard', 'short', 'long', 'help', 'good', 'larg', 'buy', 'weak', 'ask', 'move',
        'longer', 'start', 'day', 'strong', 'place', 'abl', 'bad', 'wors', 'gave', 'left', 'high',
        'still', 'never', 'see'
    ]))::text
$$
"""


def fill(apps, schema_editor):
    Twin = apps.get_model("collection", "Twin")
    batch = []
    twins = Twin.objects.prefetch_related("questions")
    for twin in twins.iterator(chunk_size=2000):
        pair = sorted(twin.questions.all(), key=lambda question: question.number)
        if len(pair) < 2:
            continue
        sentences = pair[0].sentence, pair[1].sentence
        answers = pair[0].answer, pair[1].answer
        own = cues(sentences, (twin.option1, twin.option2), answers, trigger_diff(*sentences))
        twin.cues = scoped(own, twin.campaign_id)
        batch.append(twin)
        if len(batch) == 2000:
            Twin.objects.bulk_update(batch, ["cues"])
            batch.clear()
    Twin.objects.bulk_update(batch, ["cues"])


class Migration(migrations.Migration):

    dependencies = [("collection", "0006_exercise_items")]

    operations = [
        migrations.RunSQL(CONTENT_WORDS, "DROP FUNCTION collection_content_words(text)"),
        migrations.AddField(
            model_name="twin",
            name="cues",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(),
                blank=True,
                db_default=[],
                default=list,
                editable=False,
                help_text="What its trigger words say of its answers; see core/advice/cues.py.",
                size=None,
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="twin",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(("withdrawn_at", None)),
                fields=["cues"],
                name="collection_twin_cues",
            ),
        ),
        migrations.RemoveIndex(model_name="question", name="collection_question_trigram"),
        migrations.AddIndex(
            model_name="question",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(
                    collection.models.expressions.ContentWords("sentence"), name="gin_trgm_ops"
                ),
                condition=models.Q(("number", 1)),
                name="collection_question_trigram",
            ),
        ),
    ]
