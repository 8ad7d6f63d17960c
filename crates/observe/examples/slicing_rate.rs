//! How fast a recorded trace is sliced: `slicing_rate FOLDER BINARY…` slices from the end of the run and prints records,
//! segments, seconds of processor time, the most bytes of the program's memory that were needed at a time, and the most that this process
//! had, in bytes. For `cargo xtask bench observe`, which may not link this crate.

use std::path::Path;
use std::process::ExitCode;

use observe::recording::Sites;
use observe::slicing::{Criterion, slice};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((folder, binaries)) = arguments.split_first() else {
        eprintln!("usage: slicing_rate FOLDER BINARY...");
        return ExitCode::from(2);
    };
    match measure(Path::new(folder), binaries) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(3)
        }
    }
}

fn measure(folder: &Path, binaries: &[String]) -> Result<String, observe::Error> {
    let mut sites = Sites::default();
    for binary in binaries {
        sites.add(Path::new(binary))?;
    }
    let before = seconds(&usage());
    let stats = slice(folder, &sites, &Criterion::Last)?.stats;
    let usage = usage();
    // Of both threads; a machine that is busy otherwise does not count.
    let seconds = seconds(&usage) - before;
    let (needed, resident) = (stats.most_memory, usage.ru_maxrss as u64 * 1024);
    Ok(format!("{}\t{}\t{seconds:.6}\t{needed}\t{resident}", stats.records, stats.segments))
}

fn seconds(usage: &libc::rusage) -> f64 {
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// What this process has used.
fn usage() -> libc::rusage {
    // SAFETY: zeros are a valid `rusage`, and the call only writes to it.
    unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    }
}
