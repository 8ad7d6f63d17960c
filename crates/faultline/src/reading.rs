//! From the files on the command line to a program.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use program::Program;

use crate::arguments::Reading;
use crate::compiler_flags;
use crate::screen::Screen;
use crate::status_line::StatusLine;

/// The ending of printed programs.
const PRINTED: &str = "fir";

/// Reads the program, with a status line if that takes long.
pub fn read(reading: &Reading, flags: Vec<String>, screen: Screen, interrupted: &AtomicBool) -> Result<Program> {
    if reading.files.iter().any(|file| is_printed(file)) {
        let [file] = reading.files.as_slice() else {
            bail!("a printed program (.{PRINTED}) is a whole program: name no other files with it");
        };
        return read_printed(file);
    }
    sources(&reading.files)?;
    let options = options(reading, flags)?;
    let status = StatusLine::show(screen, what(&reading.files));
    let result = frontend::read(&options);
    drop(status);
    if interrupted.load(Ordering::Relaxed) {
        bail!("interrupted before the program was read");
    }
    Ok(result?)
}

/// Refuses what is no source but an argument or an input of the program, behind the files where a shell would have it.
fn sources(files: &[PathBuf]) -> Result<()> {
    const ENDINGS: [&str; 7] = ["c", "h", "i", "bc", "ll", "cc", "cpp"];
    let is_source = |file: &Path| file.extension().is_some_and(|it| ENDINGS.iter().any(|ending| it == *ending));
    match files.iter().skip(1).find(|file| !is_source(file)) {
        Some(file) if file.is_file() => {
            bail!("{0} is no C file: if it is what the program reads, give it as --stdin {0}", file.display())
        }
        Some(file) if !file.exists() => {
            bail!(
                "there is no file {0}: if it is an argument of the program, write it behind --, as in -- {0}",
                file.display()
            )
        }
        _ => Ok(()),
    }
}

/// What the front end is told.
pub fn options(reading: &Reading, mut flags: Vec<String>) -> Result<frontend::Options> {
    flags.extend(compiler_flags::from_option(&reading.cflags)?);
    Ok(frontend::Options {
        files: reading.files.clone(),
        flags,
        compile_commands: reading.compile_commands.clone(),
        exact_places: reading.exact,
    })
}

fn what(files: &[PathBuf]) -> String {
    match files {
        [] => "reading the files of the compilation database".to_owned(),
        [file] => format!("reading {}", file.display()),
        files => format!("reading {} files", files.len()),
    }
}

fn is_printed(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == PRINTED)
}

/// A program that `faultline ir` has printed.
pub fn read_printed(file: &Path) -> Result<Program> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = String::from_utf8(bytes).ok().with_context(|| format!("{} is not text", file.display()))?;
    match program::text::read(&text) {
        Ok(program) => Ok(program),
        Err(error @ program::text::ReadError::Text { .. }) => bail!("{}:{error}", file.display()),
        Err(error) => bail!("{}: {error}", file.display()),
    }
}
