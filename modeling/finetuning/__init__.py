"""Fine-tuning of a model on questions with options, resumable at any checkpoint."""

from modeling.finetuning.forms import FORMS, texts_of
from modeling.finetuning.loop import Checkpoint, fine_tune
from modeling.finetuning.questions import Questions
from modeling.finetuning.settings import (
    COMPUTE_DTYPES,
    KEEPS,
    LOSSES,
    FineTuneSettings,
    kept_epoch,
)
from modeling.finetuning.updates import weights_of
