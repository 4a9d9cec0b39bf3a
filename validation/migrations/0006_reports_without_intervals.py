"""Delete the quality reports: their figures have no intervals for people.

Reports are computed from the votes when they are wanted.
"""

from typing import Any

from django.db import migrations


def forget(apps: Any, _schema: Any) -> None:
    apps.get_model("validation", "QualityReport").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("validation", "0005_settings_of_twins")]
    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
