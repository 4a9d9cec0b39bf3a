"""Pages of human evaluations and other panels: for the people who answer, and for curators."""
