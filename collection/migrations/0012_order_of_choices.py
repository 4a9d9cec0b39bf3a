import uuid

from django.db import migrations, models
from django.db.models import F
from django.utils import timezone


def replace_current_items(apps, schema_editor):
    """Give each current item a successor with an order of its own, and retire the item.

    Its order came from ids that the worker sees. With another order under the same id, answers
    from a page that is open now would be read wrongly; a retired id is refused with "the exercise
    has changed". Attempts made so far keep the order in which they were answered.
    """
    items = apps.get_model("collection", "ExerciseItem").objects
    items.update(order_key=F("public_id"))
    for item in items.filter(retired_at=None):
        items.filter(pk=item.pk).update(retired_at=timezone.now())
        item.pk, item.public_id, item.order_key = None, uuid.uuid4(), uuid.uuid4()
        item.save(force_insert=True)


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0011_advice_quotes_nobody'),
    ]

    operations = [
        migrations.AddField(
            model_name='exerciseitem',
            name='order_key',
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.RunPython(replace_current_items, migrations.RunPython.noop),
    ]
