"""Tables 1, 3 and 4 of Back to Square One (Elazar et al., EMNLP 2021)."""

from evaluation.core.paper_tables.layout import Column, PaperTable, rows_of

PAPER = "Elazar, Zhang, Goldberg and Roth: Back to Square One (EMNLP 2021)"
BOTH = (("single", "single"), ("group", "group"))
SETS = (("wsc", "WSC"), ("wsc_na", "WSC-na"), ("winogrande", "WinoGrande"))
MODELS = (("bert", "BERT"), ("roberta", "RoBERTa"), ("albert", "ALBERT"))

TABLE_1 = PaperTable(
    "square-one-1",
    "Back to Square One, Table 1: RoBERTa-large trained on WinoGrande (%)",
    f"{PAPER}, Table 1",
    tuple(Column(key, title) for key, title in BOTH),
    rows_of("""
# wsc | WSC
original | original | 89.71 | 79.41
no_candidates | no-cands | 60.72 | 40.35
part_sentence | part-sent | 64.88 | 33.88
# wsc_na | WSC-na
original | original | 89.45 | 79.09
no_candidates | no-cands | 58.06 | 34.41
part_sentence | part-sent | 59.90 | 25.00
# winogrande | Winogrande
original | original | 71.49 | 58.45
no_candidates | no-cands | 53.07 | 31.05
part_sentence | part-sent | 53.11 | 22.34
"""),
    ("WinoGrande is the dev set; only questions with their twin are counted.",),
)

TABLE_3 = PaperTable(
    "square-one-3",
    "Back to Square One, Table 3: zero-shot evaluation of masked models (%)",
    f"{PAPER}, Table 3",
    tuple(Column(f"{of}_{key}", f"{name} {title}") for of, name in SETS for key, title in BOTH),
    rows_of("""
random | random | 50.00 | 25.00 | 50.00 | 25.00 | 50.00 | 25.00
bert_base | BERT-base | 56.52 | 15.22 | 54.79 | 12.33 | 53.12 | 11.11
bert_large | BERT-large | 61.41 | 23.91 | 60.27 | 21.92 | 55.56 | 12.50
roberta_base | RoBERTa-base | 63.04 | 27.17 | 60.27 | 21.92 | 56.25 | 14.58
roberta_large | RoBERTa-large | 73.91 | 47.83 | 71.23 | 42.47 | 54.86 | 12.50
albert_base | ALBERT-base | 55.43 | 13.04 | 55.48 | 12.33 | 52.78 | 7.64
albert_xxlarge | ALBERT-xxlarge | 78.80 | 57.61 | 77.40 | 54.79 | 58.68 | 20.83
"""),
)

TABLE_4 = PaperTable(
    "square-one-4",
    "Back to Square One, Table 4: effect of the training size (%, deviation of three seeds)",
    f"{PAPER}, Table 4",
    (
        *(
            Column(f"{of}_{key}", f"{name} {title}", is_measured=False)
            for of, name in MODELS
            for key, title in BOTH
        ),
        *(Column(key, title, is_published=False) for key, title in BOTH),
    ),
    rows_of("""
0 | 0 | 52.99 (0.00) | 8.67 (0.00) | 56.39 (0.00) | 16.61 (0.00) | 55.55 (0.00) | 17.23 (0.00)
100 | 100 | 53.47 (0.75) | 11.71 (0.75) | 52.78 (0.75) | 10.22 (4.48) | 58.24 (1.49) | 19.89 (2.74)
500 | 500 | 49.31 (1.87) | 12.42 (1.74) | 49.65 (0.50) | 14.17 (1.99) | 60.07 (0.50) | 32.35 (1.27)
1000 | 1,000 | 51.39 (0.99) | 15.33 (0.75) | 50.35 (0.37) | 16.33 (0.50) | 62.50 (0.62) | 42.89 (0.25)
2000 | 2,000 | 51.39 (0.87) | 22.32 (3.49) | 49.65 (0.25) | 16.35 (1.49) | 62.85 (2.36) | 53.27 (3.24)
4000 | 4,000 | 48.96 (2.61) | 21.73 (2.49) | 49.65 (0.50) | 18.94 (1.24) | 67.36 (1.12) | 55.72 (2.49)
6000 | 6,000 | 50.35 (0.50) | 23.73 (0.50) | 59.72 (1.86) | 38.85 (2.99) | 67.71 (2.86) | 52.16 (3.73)
8000 | 8,000 | 48.26 (1.24) | 29.27 (0.75) | 50.35 (1.37) | 39.32 (1.99) | 67.36 (0.50) | 55.43 (0.25)
10000 | 10,000 | 51.39 (1.12) | 31.85 (1.99) | 62.85 (0.12) | 52.27 (0.99) | 73.76 (1.76) | 59.98 (1.94)
12000 | 12,000 | 50.00 (1.62) | 25.68 (1.49) | 62.85 (0.50) | 51.24 (0.50) | 72.22 (1.33) | 57.28 (0.54)
14000 | 14,000 | 52.08 (0.50) | 32.31 (3.24) | 62.15 (1.49) | 52.31 (0.75) | 75.61 (0.63) | 62.15 (2.24)
16000 | 16,000 | 54.86 (0.75) | 39.31 (1.99) | 60.42 (2.11) | 53.14 (3.24) | 76.82 (1.15) | 64.21 (1.42)
"""),  # noqa: E501
)

SQUARE_ONE_TABLES = (TABLE_1, TABLE_3, TABLE_4)
