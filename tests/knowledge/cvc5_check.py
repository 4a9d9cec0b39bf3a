"""What cvc5 answers to an SMT-LIB script."""

import cvc5

SECONDS = 10


def answer_of(script: str) -> str:
    """Return cvc5's answer: unsat, sat or unknown; without the expected one, which it could see."""
    text = "\n".join(line for line in script.splitlines() if not line.startswith("(set-info"))
    solver = cvc5.Solver()
    solver.setOption("finite-model-find", "true")
    solver.setOption("tlimit-per", str(1000 * SECONDS))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "claim")
    said = []
    while not (command := parser.nextCommand()).isNull():
        said.append(command.invoke(solver, parser.getSymbolManager()).strip())
    return "".join(said)
