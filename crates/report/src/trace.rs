//! The trace of a run as text.
