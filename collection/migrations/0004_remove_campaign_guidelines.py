"""Drops the column that the first versions of the guidelines were made from."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("collection", "0003_fill_authoring")]

    operations = [migrations.RemoveField(model_name="campaign", name="guidelines")]
