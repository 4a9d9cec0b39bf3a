"""Language models on plain values: names, identity, loading, batches, scores, fine-tuning."""
