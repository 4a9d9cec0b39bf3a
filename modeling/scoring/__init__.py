"""Scores of options by language models, on plain values: one number per option."""

from modeling.scoring.causal import causal_scores, continuation_scores, pmi_scores
from modeling.scoring.choice import choice_scores
from modeling.scoring.clozes import Cloze, start_text
from modeling.scoring.entailment import entailment_label, entailment_margins, entailment_scores
from modeling.scoring.masked import masked_scores, spans_scores
from modeling.scoring.quality import HeadQuality, head_quality
from modeling.scoring.special_words import SpecialWordScores, special_word_scores
