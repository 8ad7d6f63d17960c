//! What the program gets to see: arguments, standard input, files, values for what it leaves open.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, IsTerminal, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use program::Program;
use program::exec::{Exhausted, Inputs, NondetValue};

use crate::{arguments, nondet, unwritten};

/// Functions that read standard input without naming it; the others are given `stdin`.
const READERS: [&str; 9] =
    ["getchar", "getchar_unlocked", "gets", "scanf", "__isoc99_scanf", "vscanf", "__isoc99_vscanf", "read", "readv"];
/// Files that a program may be given; more would be a mistake in the folder's name.
const MOST_FILES: usize = 10_000;
/// Bytes of one input, which is held in memory.
const LARGEST: u64 = 1 << 30;

pub fn collect(
    given: &arguments::Inputs,
    named: &[PathBuf],
    program: &Program,
    interrupted: &AtomicBool,
) -> Result<Inputs> {
    let mut arguments = vec![program_name(named)];
    arguments.extend(given.arguments.iter().map(|argument| argument.as_bytes().to_vec()));
    Ok(Inputs {
        arguments,
        environment: environment(&given.env)?,
        stdin: standard_input(given.stdin.as_deref(), program, interrupted)?,
        files: files(given)?,
        nondet: nondet_values(given)?,
        unwritten: given.unwritten.as_deref().map_or_else(|| Ok(Vec::new()), unwritten::parse)?,
        exhausted: given.seed.map_or(Exhausted::Zero, |seed| Exhausted::Random { seed }),
    })
}

/// What a shell would have called it: the first file without its ending.
fn program_name(files: &[PathBuf]) -> Vec<u8> {
    let stem = files.first().and_then(|file| file.file_stem());
    let mut name = b"./".to_vec();
    name.extend_from_slice(stem.map_or(b"program".as_slice(), |stem| stem.as_bytes()));
    name
}

fn environment(variables: &[OsString]) -> Result<Vec<Vec<u8>>> {
    let checked = |variable: &OsString| {
        if !variable.as_bytes().contains(&b'=') {
            bail!("--env {variable:?} has no `=`: expected NAME=VALUE");
        }
        Ok(variable.clone().into_vec())
    };
    variables.iter().map(checked).collect()
}

/// The named file, or our own standard input if the program can ask for it: a program that does not must
/// neither wait for it nor take it from others in the same script.
fn standard_input(file: Option<&Path>, program: &Program, interrupted: &AtomicBool) -> Result<Vec<u8>> {
    if let Some(file) = file {
        return read_file(file);
    }
    let stdin = std::io::stdin();
    if stdin.is_terminal() || !reads_standard_input(program) {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    let mut stdin = stdin.lock();
    while !interrupted.load(Ordering::Relaxed) {
        match stdin.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // A closed standard input has nothing to say.
            Err(error) if error.raw_os_error() == Some(libc::EBADF) => break,
            Err(error) => return Err(error).context("cannot read standard input; give a file with --stdin"),
        }
        if bytes.len() as u64 > LARGEST {
            bail!("standard input has more than {LARGEST} bytes");
        }
    }
    Ok(bytes)
}

fn reads_standard_input(program: &Program) -> bool {
    let by_function = program.functions.iter().any(|it| it.body.is_none() && READERS.contains(&it.name.as_str()));
    by_function || program.globals.iter().any(|it| it.name == "stdin")
}

fn nondet_values(given: &arguments::Inputs) -> Result<Vec<NondetValue>> {
    if let Some(text) = &given.nondet {
        return nondet::parse(text).context("--nondet is not understood");
    }
    let Some(file) = &given.nondet_file else { return Ok(Vec::new()) };
    let bytes = read_file(file)?;
    let text = String::from_utf8(bytes).ok().with_context(|| format!("{} is not text", file.display()))?;
    nondet::parse(&text).with_context(|| format!("{} is not understood", file.display()))
}

fn files(given: &arguments::Inputs) -> Result<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut files = BTreeMap::new();
    if let Some(folder) = &given.files_from {
        add_folder(folder, &mut Vec::new(), &mut files)?;
    }
    for pair in &given.file {
        let bytes = pair.as_bytes();
        let Some(at) = bytes.iter().position(|&byte| byte == b'=') else {
            bail!("--file {pair:?} has no `=`: expected NAME=PATH");
        };
        let path = PathBuf::from(OsString::from_vec(bytes[at + 1..].to_vec()));
        files.insert(bytes[..at].to_vec(), read_file(&path)?);
    }
    Ok(files)
}

/// All regular files below a folder; links are not followed, they may lead anywhere.
fn add_folder(folder: &Path, prefix: &mut Vec<u8>, files: &mut BTreeMap<Vec<u8>, Vec<u8>>) -> Result<()> {
    let unreadable = || format!("cannot read the folder {}", folder.display());
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let length = prefix.len();
        prefix.extend_from_slice(entry.file_name().as_bytes());
        let kind = entry.file_type().with_context(unreadable)?;
        if kind.is_dir() {
            prefix.push(b'/');
            add_folder(&entry.path(), prefix, files)?;
        } else if kind.is_file() {
            files.insert(prefix.clone(), read_file(&entry.path())?);
        }
        prefix.truncate(length);
        if files.len() > MOST_FILES {
            bail!("{} has more than {MOST_FILES} files; name single ones with --file", folder.display());
        }
    }
    Ok(())
}

fn read_file(path: &Path) -> Result<Vec<u8>> {
    let unreadable = || format!("cannot read {}", path.display());
    let file = fs::File::open(path).with_context(unreadable)?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).with_context(unreadable)?;
    if bytes.len() as u64 > LARGEST {
        bail!("{} has more than {LARGEST} bytes", path.display());
    }
    Ok(bytes)
}
