"""Attribute inference: who wrote a text, and any other attribute that some texts are labelled with."""
