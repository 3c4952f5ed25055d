"""Who wrote it, and any other attribute that some texts are labelled with (S8)."""

from vestige.attacks.attributes.inference import AttributeInference

__all__ = ["AttributeInference"]
