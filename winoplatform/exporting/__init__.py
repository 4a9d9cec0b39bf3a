"""Tables of the database as JSON lines, CSV or Parquet, with the same columns and values."""
