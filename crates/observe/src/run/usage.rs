//! What a program and everything below it uses, as `/proc` tells.
//!
//! Limits of the system count for one process each, and address space says nothing about programs with sanitizers, which
//! reserve terabytes. So memory, processes and bytes written are added up over all processes of a run, from time to
//! time. A process that ends while it is looked at counts as nothing.

use std::fs;

/// What all processes of a run use together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub processes: u32,
    /// Bytes in memory.
    pub memory: u64,
    /// Bytes given to `write` so far, also by processes that have ended.
    pub written: u64,
}

/// Of everything below this process, or of more than so many; its own writing is that of children who have ended.
pub fn below(supervisor: i32, most: u32) -> Usage {
    let mut usage = Usage { written: written(supervisor), ..Usage::default() };
    let mut open = vec![supervisor];
    while let Some(process) = open.pop() {
        for child in children(process) {
            usage.processes += 1;
            // What multiplies grows faster than it can be counted.
            if usage.processes > most {
                return usage;
            }
            usage.memory += resident(child);
            usage.written += written(child);
            open.push(child);
        }
    }
    usage
}

/// Every thread may have children.
fn children(process: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|it| it.parse().ok()).collect::<Vec<i32>>()).collect()
}

fn resident(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    // SAFETY: plain system call.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(0) as u64;
    text.split_whitespace().nth(1).and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) * page
}

fn written(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/io")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|it| it.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_below() {
        let mut child = std::process::Command::new("sleep").arg("10").spawn().unwrap();
        let usage = below(std::process::id() as i32, 1000);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(usage.processes >= 1 && usage.memory > 0, "{usage:?}");
    }
}
