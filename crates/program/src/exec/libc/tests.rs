//! Models as programs see them: a small memory, calls by name.
