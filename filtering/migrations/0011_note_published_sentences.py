import json

from django.db import migrations

from winoplatform.artifacts import store
from winoplatform.models import Artifact

SPLITS = ("train.jsonl", "dev.jsonl", "test.jsonl")
# As collection.models.expressions.SentenceKey was by then.
KEY = (
    "md5(regexp_replace(lower(normalize({0}, NFKD)), "
    r"'[[:space:][:punct:]\u0300-\u036f]+', '', 'g'))"
)
NOTE = f"""
INSERT INTO validation_publishedsentence (key, created_at)
SELECT DISTINCT {KEY.format("text")}, now() FROM unnest(%s::text[]) AS published (text)
ON CONFLICT (key) DO NOTHING
"""
RETIRE = f"""
UPDATE validation_goldquestion gold SET retired_at = now(), retired_for = 'public'
FROM collection_question asked, collection_question question, validation_publishedsentence noted
WHERE gold.retired_at IS NULL AND asked.id = gold.question_id
    AND question.twin_id = asked.twin_id AND noted.key = {KEY.format("question.sentence")}
"""


def note_releases(apps, schema_editor):
    """What stands in a release by now is asked as gold no more.

    What a release cannot be read of would be asked on, with its answer public: so this fails.
    """
    files = apps.get_model("filtering", "ReleaseFile").objects.filter(
        name__in=SPLITS, release__status="done"
    )
    with schema_editor.connection.cursor() as cursor:
        for file in files.select_related("release"):
            cursor.execute(NOTE, [[row["sentence"] for row in _read(file)]])
        cursor.execute(RETIRE)


def _read(file):
    try:
        with store.open_artifact(Artifact(sha256=file.artifact_id)) as lines:
            return [json.loads(line) for line in lines]
    except OSError as error:
        raise RuntimeError(
            f"The file {file.name} of release “{file.release.name}” cannot be read, so which gold "
            "questions are public is unknown. Put the folder of artifacts back in its place "
            "(VAR_DIR) and migrate again."
        ) from error


class Migration(migrations.Migration):

    dependencies = [
        ('filtering', '0010_delete_guesses'),
        ('validation', '0013_published_sentences'),
    ]

    operations = [
        migrations.RunPython(note_releases, migrations.RunPython.noop),
    ]
