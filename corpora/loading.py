"""Which models may be loaded: those that the operator permits."""

from pathlib import Path

from django.conf import settings

from modeling.specs import ModelSpec, ModelUnavailable


class EncoderRefused(ModelUnavailable):
    """The operator does not permit this encoder."""


def permitted(encoder: str) -> ModelSpec:
    """Parse an encoder's name; refuse it unless the operator permits it.

    Checked when a run is requested, and again when a worker loads the encoder: only the worker
    can resolve the links of its folders. The installation's own encoder is always permitted.

    Raises
    ------
    EncoderRefused
        When neither ``ENCODER_FOLDERS`` nor ``ENCODER_HUB_IDS`` permits it.
    ValueError
        When it is not the name of an encoder.
    """
    spec = ModelSpec.parse(encoder)
    # A relative path would depend on the process's working directory. The system check reports
    # it, but workers do not run system checks.
    folders = [path for path in map(Path, settings.ENCODER_FOLDERS) if path.is_absolute()]
    if encoder != settings.ENCODER and not spec.is_among(
        folders=folders, hub_ids=settings.ENCODER_HUB_IDS
    ):
        setting = "ENCODER_FOLDERS" if spec.kind == "folder" else "ENCODER_HUB_IDS"
        raise EncoderRefused(
            f"Model {spec.text!r} is not among those that the operator of this platform permits. "
            f"Name another one, or ask the operator to add it to the setting {setting}, such as "
            f"{setting}={spec.text}."
        )
    return spec


MOST_INSTALLED = 20


def installed() -> list[str]:
    """Return the names of models that are here and permitted: at most ``MOST_INSTALLED``.

    The installation's encoder, and models in ``ENCODER_FOLDERS``: a folder with a configuration, or
    a file in the GGUF format. Packages are not searched for, and nothing is fetched.
    """
    folders = [path for path in map(Path, settings.ENCODER_FOLDERS) if path.is_absolute()]
    in_folders = [str(path) for folder in folders for path in _models_in(folder)]
    return list(dict.fromkeys([settings.ENCODER, *in_folders]))[:MOST_INSTALLED]


def _models_in(folder: Path) -> list[Path]:
    try:
        return [path for path in sorted(folder.iterdir()) if _is_model(path)]
    except OSError:  # not there, or not to be read: nothing can be loaded from it either
        return []


def _is_model(path: Path) -> bool:
    return path.suffix == ".gguf" or (path / "config.json").is_file()
