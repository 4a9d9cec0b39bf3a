import collection.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):
    """The key of a sentence puts the forms of a letter in Unicode on one footing: index it again."""

    dependencies = [
        ('collection', '0007_splits'),
    ]

    operations = [
        migrations.RemoveIndex(model_name='question', name='collection_question_key'),
        migrations.AddIndex(
            model_name='question',
            index=models.Index(collection.models.expressions.SentenceKey('sentence'), name='collection_question_key'),
        ),
    ]
