"""What the examples of corpora share."""

RUN_ID = "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21"
