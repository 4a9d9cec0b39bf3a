"""Tables 3, 4, 6 and 7 of WinoGrande (Sakaguchi et al., AAAI 2020)."""

from evaluation.core.paper_tables.layout import Column, PaperTable, rows_of

PAPER = "Sakaguchi, Le Bras, Bhagavatula and Choi: WinoGrande (AAAI 2020)"
DEV_AND_TEST = (Column("dev", "dev"), Column("test", "test"))

TABLE_3 = PaperTable(
    "winogrande-3",
    "WinoGrande, Table 3: baselines on WinoGrande (accuracy in %)",
    f"{PAPER}, Table 3",
    DEV_AND_TEST,
    rows_of("""
knowledge_hunting | WKH | 49.4 | 49.6
language_models | Ensemble LMs | 53.0 | 50.9
bert | BERT | 65.8 | 64.9
roberta | RoBERTa | 79.3 | 79.1
bert_local_context | BERT (local context) | 52.5 | 51.9
roberta_local_context | RoBERTa (local context) | 52.1 | 50.0
bert_dpr | BERT-DPR* | 50.2 | 51.0
roberta_dpr | RoBERTa-DPR* | 59.4 | 58.9
people | Human Perf. | 94.1 | 94.0
"""),
    ("* fine-tuned on DPR and evaluated without further training",),
)

TABLE_4 = PaperTable(
    "winogrande-4",
    "WinoGrande, Table 4: RoBERTa by training size (accuracy in %)",
    f"{PAPER}, Table 4",
    DEV_AND_TEST,
    rows_of("""
160 | XS (160) | 51.5 | 50.4
640 | S (640) | 58.6 | 58.6
2558 | M (2,558) | 66.9 | 67.6
10234 | L (10,234) | 75.8 | 74.7
40398 | XL (40,938) | 79.3 | 79.1
"""),
    ("The paper prints 40,938 for XL; the published file has 40,398 questions.",),
)

TABLE_6 = PaperTable(
    "winogrande-6",
    "WinoGrande, Table 6: transfer to related tasks (accuracy in %)",
    f"{PAPER}, Table 6",
    (Column("test", "test"),),
    rows_of("""
# wsc | WSC (Levesque, Davis, and Morgenstern 2011)
liu_2016 | Liu et al. (2016) | 52.8
knowledge_hunting | WKH (Emami et al. 2018) | 57.1
language_models | Ensemble LMs (Trinh and Le 2018) | 63.8
gpt2 | GPT2 (Radford et al. 2019) | 70.7
bert_dpr | BERT-DPR* (Kocijan et al. 2019) | 72.2
hnn | HNN (He et al. 2019) | 75.1†
dpr | RoBERTa-DPR* | 83.1
winogrande | RoBERTa-WinoGrande* | 90.1
people_2015 | Humans (Bender 2015) | 92.1
people | Humans (WinoGrande's) | 96.5
# pdp | PDP (Morgenstern, Davis, and Ortiz 2016)
liu_2016 | Liu et al. (2016) | 61.7
language_models | Trinh and Le (2018) | 70.0
dpr | RoBERTa-DPR* | 86.3
winogrande | RoBERTa-WinoGrande* | 87.5
hnn | HNN (He et al. 2019) | 90.0†
people_2016 | Humans (Davis, Morgenstern, and Ortiz 2016) | 90.9
people | Humans (WinoGrande's) | 92.5
# superglue_wsc | SuperGLUE-WSC (Wang et al. 2019)
majority | Majority baseline | 65.1
dpr_ft | RoBERTa-DPR-ft | 83.6
winogrande_ft | RoBERTa-WinoGrande-ft | 85.6
ensemble | RoBERTa-ensemble (Liu et al. 2019) | 89.0
people | Humans (Wang et al. 2019) | 100
# dpr | DPR (Rahman and Ng 2012)
rahman_2012 | Rahman and Ng (2012) | 73.0
peng_2015 | Peng, Khashabi, and Roth (2015) | 76.4
bert_winogrande | BERT-WinoGrande* | 84.9
ft | RoBERTa-ft | 91.7
winogrande | RoBERTa-WinoGrande* | 92.5
winogrande_ft | RoBERTa-WinoGrande-ft | 93.1
people | Humans (WinoGrande's) | 95.2
# knowref | KnowRef (Emami et al. 2019)
emami_2019 | Emami et al. (2019) | 65.0
dpr | RoBERTa-DPR* | 84.2
winogrande | RoBERTa-WinoGrande* | 85.6
people | Humans (Emami et al. 2019) | 92.0
# copa | COPA (Roemmele, Bejan, and Gordon 2011)
gordon_2011 | Gordon, Bejan, and Sagae (2011) | 65.4
sasaki_2017 | Sasaki et al. (2017) | 76.4
winogrande | RoBERTa-WinoGrande* | 84.4
ft | RoBERTa-ft | 86.4‡
winogrande_ft | RoBERTa-WinoGrande-ft | 90.6
people | Humans (Gordon, Kozareva, and Roemmele 2012) | 99.0
"""),
    (
        "* without fine-tuning on the task; -ft fine-tuned on its train and dev questions",
        "† on other evaluation data than the rest",
        "‡ not the figure of SuperGLUE's leaderboard, which the authors could not reproduce",
    ),
)

TABLE_7 = PaperTable(
    "winogrande-7",
    "WinoGrande, Table 7: accuracy (%) and gender bias on Winogender",
    f"{PAPER}, Table 7",
    (
        Column("female", "Female"),
        Column("male", "Male"),
        Column("female_gap", "|ΔF|"),
        Column("male_gap", "|ΔM|"),
    ),
    rows_of("""
rule_no | RULE, not gotcha | 38.3 | 51.7 | 28.3 | 14.2
rule_yes | RULE, gotcha | 10.0 | 37.5 | - | -
stats_no | STATS, not gotcha | 50.8 | 61.7 | 5.0 | 21.7
stats_yes | STATS, gotcha | 45.8 | 40.0 | - | -
neural_no | NEURAL, not gotcha | 50.8 | 49.2 | 14.1 | 2.5
neural_yes | NEURAL, gotcha | 36.7 | 46.7 | - | -
dpr_no | RoBERTa-DPR, not gotcha | 98.3 | 96.7 | 1.6 | 0.9
dpr_yes | RoBERTa-DPR, gotcha | 96.7 | 95.8 | - | -
winogrande_no | RoBERTa-WG, not gotcha | 97.5 | 96.7 | 0.8 | 0.8
winogrande_yes | RoBERTa-WG, gotcha | 96.7 | 97.5 | - | -
"""),
    ("Gotcha: the pronoun's gender is the minority's in the occupation that is the answer.",),
)

WINOGRANDE_TABLES = (TABLE_3, TABLE_4, TABLE_6, TABLE_7)
