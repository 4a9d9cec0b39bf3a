"""The prover: Z3 in a child process, whose death is an answer."""
