"""Methods that answer questions: each module here registers one or several.

A method gets items without their answers and returns one number per option; the highest is its
answer. To add one, add a module that calls `register`; no table, form or list has to change.
"""

from importlib import import_module
from pkgutil import iter_modules

from evaluation.methods.protocol import (
    ITEMS,
    METHODS,
    NEEDS,
    STATEMENTS,
    Answer,
    Block,
    Job,
    Method,
    Progress,
    Scorer,
    kinds_in_words,
    register,
)

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
