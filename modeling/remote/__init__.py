"""Score options with a language model behind an OpenAI-compatible ``/v1/completions``."""

from modeling.remote.model import Cache, RemoteModel
