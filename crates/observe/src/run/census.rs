//! All processes below this one, for the supervisor: as [`super::usage`], but without allocating, and no more than a number.

use std::io::Write;
use std::os::fd::RawFd;

pub fn errno() -> i32 {
    // SAFETY: always valid.
    unsafe { *libc::__errno_location() }
}

/// Visits the processes below this one, each before those below it, and returns how many there are. `room` is for their
/// numbers: where it does not suffice, others are left out.
pub fn below(room: &mut [libc::pid_t], mut visit: impl FnMut(libc::pid_t)) -> usize {
    let (mut known, mut done) = (0, 0);
    // SAFETY: plain system call.
    let mut parent = unsafe { libc::getpid() };
    loop {
        children(parent, &mut |child| {
            if let Some(free) = room.get_mut(known) {
                *free = child;
                known += 1;
                visit(child);
            }
        });
        if done == known {
            return known;
        }
        parent = room[done];
        done += 1;
    }
}

/// Every thread may have children.
fn children(process: libc::pid_t, each: &mut dyn FnMut(libc::pid_t)) {
    let Some(folder) = open(libc::AT_FDCWD, format_args!("/proc/{process}/task\0"), libc::O_DIRECTORY) else { return };
    let mut entries = [0u64; 256];
    loop {
        // SAFETY: no more is written than there is room for.
        let count =
            unsafe { libc::syscall(libc::SYS_getdents64, folder.0, entries.as_mut_ptr(), size_of_val(&entries)) };
        if count <= 0 {
            return;
        }
        // SAFETY: so many bytes of it were written.
        let bytes = unsafe { std::slice::from_raw_parts(entries.as_ptr().cast::<u8>(), count as usize) };
        let mut at = 0;
        while let Some(entry) = bytes.get(at..).filter(|it| it.len() > NAME) {
            let name = entry[NAME..].iter().take_while(|it| it.is_ascii_digit());
            let thread = name.fold(0, with_digit);
            if thread > 0 {
                children_of_thread(folder.0, thread, each);
            }
            at += usize::from(u16::from_ne_bytes([entry[LENGTH], entry[LENGTH + 1]])).max(1);
        }
    }
}

/// Where an entry of a folder has its own length and its name.
const LENGTH: usize = 16;
const NAME: usize = 19;

fn children_of_thread(folder: RawFd, thread: libc::pid_t, each: &mut dyn FnMut(libc::pid_t)) {
    let Some(file) = open(folder, format_args!("{thread}/children\0"), 0) else { return };
    let (mut buffer, mut number) = ([0u8; 4096], 0);
    loop {
        // SAFETY: no more is read than there is room for.
        let count = unsafe { libc::read(file.0, buffer.as_mut_ptr().cast(), buffer.len()) };
        if count <= 0 {
            break;
        }
        for &byte in &buffer[..count as usize] {
            match byte.is_ascii_digit() {
                true => number = with_digit(number, &byte),
                false => each(std::mem::take(&mut number)),
            }
        }
    }
    if number > 0 {
        each(number);
    }
}

fn with_digit(number: libc::pid_t, digit: &u8) -> libc::pid_t {
    number.wrapping_mul(10).wrapping_add(libc::pid_t::from(digit - b'0'))
}

/// A file that is closed when it is dropped.
struct Open(RawFd);

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: opened by us, and used by nobody else.
        unsafe { libc::close(self.0) };
    }
}

/// The name ends with a zero.
fn open(folder: RawFd, name: std::fmt::Arguments<'_>, flags: libc::c_int) -> Option<Open> {
    let mut text = [0u8; 64];
    (&mut text[..]).write_fmt(name).ok()?;
    // SAFETY: what was written ends with a zero, and so does the rest.
    let file = unsafe { libc::openat(folder, text.as_ptr().cast(), libc::O_RDONLY | libc::O_CLOEXEC | flags) };
    (file >= 0).then_some(Open(file))
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;

    use super::*;

    #[test]
    fn counts_what_is_below() {
        let mut command = std::process::Command::new("sh");
        let mut child = command.args(["-c", "sleep 10; true"]).process_group(0).spawn().unwrap();
        let (own, mut seen) = (child.id() as libc::pid_t, Vec::new());
        // What the shell starts comes behind it.
        while !seen.contains(&own) || seen.last() == Some(&own) {
            seen.clear();
            below(&mut [0; 1000], |it| seen.push(it));
        }
        assert_eq!(below(&mut [0; 1], |_| {}), 1);
        // SAFETY: plain system call, on a group that the test has started.
        unsafe { libc::kill(-own, libc::SIGKILL) };
        child.wait().unwrap();
    }
}
