"""Pages that a notebook shows without a server."""

from __future__ import annotations

import html


def inline(page: str, height: int = 640) -> str:
    """A whole page as a part of another, height in pixels."""
    return f'<iframe style="width: 100%; height: {height}px; border: 0" srcdoc="{html.escape(page)}"></iframe>'
