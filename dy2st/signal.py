"""`dy2st.signal`: spectra over time, under the names of `paddle.signal`. Re-exports only."""

from .api.frames import frame, istft, overlap_add, stft

__all__ = ["frame", "istft", "overlap_add", "stft"]
