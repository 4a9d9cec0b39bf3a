from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0001_initial'),
    ]

    operations = [
        migrations.DeleteModel(
            name='FineTuningTrial',
        ),
        migrations.DeleteModel(
            name='Trial',
        ),
    ]
