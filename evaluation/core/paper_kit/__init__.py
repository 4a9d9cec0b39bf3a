"""What a paper about a release says of it: text, tables, figures and checklists from its bundle."""

from evaluation.core.paper_kit.kit import KIT, paper_kit
