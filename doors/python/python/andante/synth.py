"""Motions of the built-in human, made from nothing but a speed and a turn, or by name."""

from __future__ import annotations

from ._andante import clip, clips, locomotion

__all__ = ["clip", "clips", "locomotion"]
