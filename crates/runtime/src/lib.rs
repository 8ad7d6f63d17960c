//! What is linked into a program under observation, as an object file that the compiler wrapper hands to the linker.
//!
//! The runtime is C, since it lives in other people's programs: no allocation, no file kept open, nothing done unless
//! `FAULTLINE_OBSERVE` asks for it. Counters and the windows of traces are pages of files, so that they need not be
//! written when a process crashes, is killed or calls `_exit`; a forked child gets files of its own.
//! `src/process.c` begins, `src/counters.c` and `src/trace.c` are the two ways of recording. What is written is read by
//! `observe::recording`; nothing of Faultline is known here.

/// A relocatable ELF object with the whole runtime.
pub const OBJECT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.o"));
