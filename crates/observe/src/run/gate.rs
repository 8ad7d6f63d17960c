//! Lets a program start processes only while there are not too many of them.
//!
//! Whoever notices a program that forks without end only afterwards, has to run beside it: in a few milliseconds there are
//! hundreds of processes, each with the same right to a processor. So the program has to ask: a filter on its system calls
//! (`seccomp`, with notification) makes every `fork`, `vfork` and `clone` of a process wait until the supervisor, which has
//! installed it, has said yes. Threads need not ask. As soon as the supervisor answers no more, nothing below it can
//! start a process, whatever session or process group it is in.
//!
//! A program cannot tell the difference, but for two things. `clone3`, whose arguments a filter cannot see, does not
//! exist for it; libraries then take `clone`. And a signal that comes before the supervisor has received the question
//! can end `fork` with `EINTR`, which the system itself never does: [`Asked::Withdrawn`], and the run does not count.
//!
//! Programs of another architecture than ours (32 bits) are not asked, and neither is one who knows [`PASS`]: this is
//! for accidents, not against attacks. It needs Linux 5.5, on x86-64 or AArch64, and no other listener around us.
//!
//! Safe after a fork of a process with threads: nothing is allocated.

use std::mem::{offset_of, zeroed};
use std::os::fd::RawFd;

use super::census;

/// As the third argument of `clone`, which is not used otherwise, it lets the supervisor's own child pass.
pub const PASS: u32 = 0x6661_756d;

#[cfg(target_arch = "x86_64")]
mod calls {
    /// `AUDIT_ARCH_X86_64`.
    pub const ARCHITECTURE: Option<u32> = Some(0xc000_003e);
    pub const FORKS: [u32; 2] = [libc::SYS_fork as u32, libc::SYS_vfork as u32];
}

#[cfg(target_arch = "aarch64")]
mod calls {
    /// `AUDIT_ARCH_AARCH64`.
    pub const ARCHITECTURE: Option<u32> = Some(0xc000_00b7);
    /// There is `clone` only.
    pub const FORKS: [u32; 2] = [u32::MAX; 2];
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod calls {
    pub const ARCHITECTURE: Option<u32> = None;
    pub const FORKS: [u32; 2] = [u32::MAX; 2];
}

/// What comes while the supervisor listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Somebody wants to start a process, and waits.
    Question(u64),
    /// Somebody wanted to, but a signal came, or the end.
    Withdrawn,
    /// A signal came to the supervisor, and nobody has asked or withdrawn a question that was not told yet.
    Nobody,
}

/// The supervisor's side.
#[derive(Debug)]
pub struct Gate {
    listener: RawFd,
    /// How many may be below the supervisor.
    limit: usize,
    /// How many may be started before they are counted again.
    free: usize,
}

const fn statement(code: u32, value: u32) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt: 0, jf: 0, k: value }
}

/// Skips so many statements.
const fn jump(test: u32, value: u32, if_true: u8, if_false: u8) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_JMP | test | libc::BPF_K) as u16, jt: if_true, jf: if_false, k: value }
}

/// The lower half of a field is what comes first on both architectures.
const fn load(offset: usize) -> libc::sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset as u32)
}

const fn result(value: u32) -> libc::sock_filter {
    statement(libc::BPF_RET | libc::BPF_K, value)
}

impl Gate {
    /// From now on, this process and what it starts has to ask; none if the system cannot do that.
    ///
    /// Without privileges, this takes the right to get any: programs that are another user's do not become that user.
    pub fn install(limit: usize) -> Option<Gate> {
        let arguments = offset_of!(libc::seccomp_data, args);
        let mut filter = [
            load(offset_of!(libc::seccomp_data, arch)),
            jump(libc::BPF_JEQ, calls::ARCHITECTURE?, 1, 0),
            result(libc::SECCOMP_RET_ALLOW),
            load(offset_of!(libc::seccomp_data, nr)),
            jump(libc::BPF_JEQ, libc::SYS_clone3 as u32, 0, 1),
            result(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
            jump(libc::BPF_JEQ, calls::FORKS[0], 7, 0),
            jump(libc::BPF_JEQ, calls::FORKS[1], 6, 0),
            jump(libc::BPF_JEQ, libc::SYS_clone as u32, 0, 4),
            load(arguments),
            jump(libc::BPF_JSET, libc::CLONE_THREAD as u32, 2, 0),
            load(arguments + 2 * size_of::<u64>()),
            jump(libc::BPF_JEQ, PASS, 0, 1),
            result(libc::SECCOMP_RET_ALLOW),
            result(libc::SECCOMP_RET_USER_NOTIF),
        ];
        let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
        // Who has been received waits for an answer, whatever signals come (since Linux 5.19).
        let mut flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER
            | libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW
            | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
        // The first is the program itself.
        let free = limit.saturating_sub(1);
        for _ in 0..3 {
            // SAFETY: the filter is as long as said.
            let listener =
                unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
            match census::errno() {
                _ if listener >= 0 => return Some(Gate { listener: listener as RawFd, limit, free }),
                libc::EINVAL => flags &= !libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
                // SAFETY: plain system call.
                libc::EACCES => drop(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }),
                _ => return None,
            }
        }
        None
    }

    pub fn listener(&self) -> RawFd {
        self.listener
    }

    /// Waits for a question.
    pub fn listen(&self) -> Asked {
        // SAFETY: plain numbers, and the system writes no more than it knows of.
        let (status, question) = unsafe {
            let mut question: Padded<libc::seccomp_notif> = zeroed();
            (libc::ioctl(self.listener, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut question), question.0)
        };
        match census::errno() {
            _ if status == 0 => Asked::Question(question.id),
            libc::EINTR => Asked::Nobody,
            _ => Asked::Withdrawn,
        }
    }

    /// Whether there is room for one more; `room` is for counting.
    pub fn has_room(&mut self, room: &mut [libc::pid_t]) -> bool {
        if self.free == 0 {
            self.free = self.limit.saturating_sub(census::below(room, |_| {}));
        }
        self.free > 0
    }

    /// Lets who asked go on; `false` if it no longer waits.
    pub fn allow(&mut self, question: u64) -> bool {
        self.free = self.free.saturating_sub(1);
        // SAFETY: as above.
        unsafe {
            let mut answer: Padded<libc::seccomp_notif_resp> = zeroed();
            answer.0.id = question;
            answer.0.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
            libc::ioctl(self.listener, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) == 0
        }
    }
}

/// Larger than the structures of today, since those of a later system may be.
#[repr(C)]
struct Padded<T>(T, [u64; 32]);
