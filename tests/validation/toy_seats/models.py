"""Sentences that six people annotate, each with one word."""

from typing import ClassVar

from django.db import models

from validation.models import AbstractSeat, AbstractSeatQuerySet

SEATS = 6


class ToySentence(models.Model):
    text = models.TextField()

    class Meta:
        app_label = "toys"

    def __str__(self) -> str:
        return self.text


class ToySeat(AbstractSeat):
    sentence = models.ForeignKey(ToySentence, on_delete=models.CASCADE, db_index=False)

    ONCE = "sentence"
    objects = AbstractSeatQuerySet["ToySeat"].as_manager()

    class Meta:
        app_label = "toys"
        constraints: ClassVar = AbstractSeat.rules(target="sentence", once="sentence")

    def __str__(self) -> str:
        return f"seat {self.number} of {self.sentence_id}"


class ToyAnswer(models.Model):
    seat = models.OneToOneField(ToySeat, on_delete=models.CASCADE)
    word = models.CharField(max_length=20)

    class Meta:
        app_label = "toys"

    def __str__(self) -> str:
        return self.word


TABLES = (ToySentence, ToySeat, ToyAnswer)
