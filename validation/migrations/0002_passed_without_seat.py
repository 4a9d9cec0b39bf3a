"""A passed seat outlives its seat, which goes with a twin that is withdrawn."""

import django.db.models.deletion
from django.db import migrations, models


def fill(apps, schema_editor):
    PassedSeat = apps.get_model("validation", "PassedSeat")
    Seat = apps.get_model("validation", "Seat")
    own = Seat.objects.filter(pk=models.OuterRef("seat")).values("public_id")
    PassedSeat.objects.update(seat_public_id=models.Subquery(own))


class Migration(migrations.Migration):

    dependencies = [("validation", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="passedseat",
            name="seat",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="passed",
                to="validation.seat",
            ),
        ),
        migrations.AddField(
            model_name="passedseat",
            name="seat_public_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
