"""Guidelines have versions of their own now."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("collection", "0003_fill_authoring")]

    operations = [migrations.RemoveField(model_name="campaign", name="guidelines")]
