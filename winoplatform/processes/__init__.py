"""The platform's processes: starting, watching, logging, and what they share through Redis."""
