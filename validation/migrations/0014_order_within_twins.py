from django.db import migrations

# As validation.services.places.place_of; seats of gold questions have no number and no place.
PLACES = """
UPDATE validation_seat seat
SET place = ((seat.place >> 40) << 40) + 2 * seat.twin_id
    + ((question.number - 1) # (get_byte(uuid_send(twin.public_id), 15) & 1))
FROM collection_question question JOIN collection_twin twin ON twin.id = question.twin_id
WHERE question.id = seat.question_id AND seat.number IS NOT NULL
"""


class Migration(migrations.Migration):

    dependencies = [
        ('validation', '0013_published_sentences'),
    ]

    operations = [
        migrations.RunSQL(PLACES, migrations.RunSQL.noop),
    ]
