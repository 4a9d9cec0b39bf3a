from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("validation", "0010_reports_looked_at")]

    operations = [
        migrations.AddField("judgefigures", "confirms", models.FloatField(null=True)),
        migrations.AddField("judgefigures", "contradicts", models.FloatField(null=True)),
    ]
