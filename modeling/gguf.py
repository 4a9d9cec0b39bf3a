"""Convert a GGUF file's packed weights to plain ones: ``python -m modeling.gguf SPEC …``.

Unpacking the file at every load would take ten times as long as reading plain weights, and need
packages that are not used otherwise.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from modeling.identity import file_sha256
from modeling.loaded import Dtype
from modeling.loading import quiet_transformers
from modeling.specs import SMOLLM2, ModelSpec, ModelUnavailable, converted_folder, gguf_file

KNOWN_FILES = {
    SMOLLM2: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
}
# Half the space, and the format in which the published figures of this model were computed.
KEPT: dict[str, Dtype] = {SMOLLM2: "bfloat16"}
SOURCE = "source.sha256"


def convert(spec: ModelSpec) -> Path:
    """Convert a GGUF file once; a folder converted from the same file is left unchanged.

    Returns
    -------
    Path
        The folder, with safetensors, configuration and tokenizer. Weights are unpacked to float32
        without loss; SmolLM2's are kept in bfloat16.

    Raises
    ------
    ModelUnavailable
        When there is no such file, its package is not installed, or its hash is not the expected
        one.
    """
    source, folder = gguf_file(spec), converted_folder(spec)
    digest = file_sha256(source)
    if digest != KNOWN_FILES.get(spec.text, digest):
        raise ModelUnavailable(f"The file of {spec.text!r} has sha256 {digest}. Install it again.")
    stamp = folder / SOURCE
    if stamp.is_file() and stamp.read_text() == digest:
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        _unpack(spec, source, made)
        (made / SOURCE).write_text(digest)
        for path in [made, *made.iterdir()]:
            path.chmod(0o755 if path == made else 0o644)  # readable for other accounts
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(made, folder)  # complete or not at all
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def _unpack(spec: ModelSpec, source: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    dtype = getattr(torch, KEPT.get(spec.text, "float32"))
    where = {"gguf_file": source.name, "local_files_only": True}
    with quiet_transformers():
        packed = AutoModelForCausalLM.from_pretrained(source.parent, dtype=dtype, **where)
        settings = packed.config.to_dict()
        settings.pop("quantization_config", None)
        # Only a model that is not quantized can be saved.
        with torch.device("meta"):
            plain = type(packed)(type(packed.config).from_dict(settings))
        plain.load_state_dict(packed.state_dict(), assign=True)
        plain.save_pretrained(folder)
        AutoTokenizer.from_pretrained(source.parent, **where).save_pretrained(folder)


if __name__ == "__main__":
    for text in sys.argv[1:] or [SMOLLM2]:
        convert(ModelSpec.parse(text))
