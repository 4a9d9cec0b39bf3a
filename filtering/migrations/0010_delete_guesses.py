from django.db import migrations


class Migration(migrations.Migration):
    """Drop the machine's guesses; the classifiers' files are swept once no row refers to them."""

    dependencies = [
        ('filtering', '0009_neutral_stop'),
    ]

    operations = [
        migrations.DeleteModel(name='Guess'),
        migrations.DeleteModel(name='Guesser'),
    ]
