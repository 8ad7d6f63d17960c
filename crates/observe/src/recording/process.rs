//! The text file that each observed process leaves: who it was, which units it had, how it ended.
//!
//! ```text
//! faultline-recording 2
//! mode invariants
//! process 4711
//! parent 4710
//! executable /…/program
//! unit 0 5f3a… 120 44 9 /…/program
//! base 7fed0000
//! instruction 7fed1234
//! signal 11 thread 4711 address 7f00
//! ```
//! A unit's line has its number in the process, its hash, its counters, its ranges, those inside of expressions,
//! and the file it was loaded from; behind it is where that file was loaded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::symbols::{self, SourcePlace};

/// How an observed process ended, if it was not by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    /// The signal, or `None` for a sanitizer's report.
    pub signal: Option<u32>,
    pub thread: u64,
    /// What could not be accessed.
    pub address: Option<u64>,
    /// The instruction that was interrupted.
    pub instruction: Option<u64>,
}

/// A process that has recorded something.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its files begin with this.
    pub(super) stem: PathBuf,
    pub mode: String,
    pub number: u64,
    pub parent: u64,
    pub executable: PathBuf,
    pub units: Vec<LoadedUnit>,
    pub death: Option<Death>,
    /// What went wrong with the recording.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct LoadedUnit {
    pub hash: u64,
    pub counters: u64,
    pub ranges: u64,
    pub inner: u64,
    pub module: Option<PathBuf>,
    /// Where the module was loaded.
    pub base: u64,
}

impl Process {
    /// Where in the source the instruction stands that was interrupted, if it is of the program.
    pub fn interrupted_at(&self) -> Option<SourcePlace> {
        let address = self.death?.instruction?;
        let unit = self.units.iter().filter(|it| it.base <= address).max_by_key(|it| it.base)?;
        symbols::place_of(unit.module.as_ref().unwrap_or(&self.executable), unit.base, address)
    }
}

/// The processes that recorded into a folder, in the order of their numbers.
pub fn processes(folder: &Path) -> Result<Vec<Process>, Error> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(Error::file("list", folder))?;
    for entry in entries {
        let path = entry.map_err(Error::file("list", folder))?.path();
        if path.extension().is_some_and(|it| it == "process") {
            let bytes = std::fs::read(&path).map_err(Error::file("read", &path))?;
            let process = parse(&String::from_utf8_lossy(&bytes), path.with_extension(""))
                .map_err(|reason| Error::Damaged { path, reason })?;
            found.push(process);
        }
    }
    found.sort_by(|one, other| (one.number, &one.stem).cmp(&(other.number, &other.stem)));
    Ok(found)
}

/// The programs and shared libraries with observed code that processes in a folder had loaded.
pub fn loaded_modules(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut modules = BTreeSet::new();
    for process in processes(folder)? {
        for unit in &process.units {
            modules.insert(unit.module.clone().unwrap_or_else(|| process.executable.clone()));
        }
    }
    Ok(modules.into_iter().collect())
}

fn parse(text: &str, stem: PathBuf) -> Result<Process, String> {
    let mut lines = text.lines();
    // A process that was killed at its very beginning.
    let empty = text.is_empty();
    if !empty && lines.next() != Some("faultline-recording 2") {
        return Err("it does not begin with `faultline-recording 2`".into());
    }
    let mut process = Process {
        stem,
        mode: String::new(),
        number: 0,
        parent: 0,
        executable: PathBuf::new(),
        units: Vec::new(),
        death: None,
        notes: Vec::new(),
    };
    let mut instruction = None;
    for line in lines {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "mode" => process.mode = rest.into(),
            "process" => process.number = number(rest)?,
            "parent" => process.parent = number(rest)?,
            "executable" => process.executable = rest.into(),
            "unit" => process.units.push(unit(rest, process.units.len())?),
            "base" => {
                let base = hexadecimal(rest)?;
                process.units.last_mut().ok_or("a base comes before all units")?.base = base;
            }
            "instruction" => instruction = Some(hexadecimal(rest)?),
            "signal" | "sanitizer" => {
                process.death = Some(Death { instruction, ..death(word == "signal", rest)? });
            }
            "note" => process.notes.push(rest.into()),
            _ => return Err(format!("`{word}` begins no line that this version of faultline writes")),
        }
    }
    Ok(process)
}

fn death(is_signal: bool, text: &str) -> Result<Death, String> {
    let (signal, rest) = text.split_once(" thread ").ok_or("a death has no thread")?;
    let (thread, address) = rest.split_once(" address ").ok_or("a death has no address")?;
    let signal = u32::try_from(number(signal)?).ok().filter(|_| is_signal);
    // The runtime's word for none.
    let address = Some(hexadecimal(address)?).filter(|it| *it != u64::MAX);
    Ok(Death { signal, thread: number(thread)?, address, instruction: None })
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| format!("`{text}` is no address"))
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

fn unit(text: &str, expected: usize) -> Result<LoadedUnit, String> {
    let mut words = text.splitn(6, ' ');
    let mut word = || words.next().ok_or_else(|| "a unit's line ends early".to_string());
    if number(word()?)? != expected as u64 {
        return Err(format!("unit {expected} is missing"));
    }
    let hash = u64::from_str_radix(word()?, 16).map_err(|_| "a unit's hash is no number".to_string())?;
    let (counters, ranges, inner) = (number(word()?)?, number(word()?)?, number(word()?)?);
    let module = word()?;
    let module = (!module.is_empty()).then(|| module.into());
    Ok(LoadedUnit { hash, counters, ranges, inner, module, base: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process() {
        let text = "faultline-recording 2\nmode trace\nprocess 7\nparent 6\nexecutable /a b\n\
                    unit 0 ff 3 4 5 /lib/c d.so\nbase 7000\nunit 1 1 0 0 0 \ninstruction 7010\n\
                    signal 11 thread 8 address ff\n";
        let process = parse(text, PathBuf::from("7-0")).unwrap();
        assert_eq!(process.executable, Path::new("/a b"));
        assert_eq!(process.units[0].module.as_deref(), Some(Path::new("/lib/c d.so")));
        assert_eq!((process.units[0].hash, process.units[1].module.is_none()), (255, true));
        let death = Death { signal: Some(11), thread: 8, address: Some(255), instruction: Some(0x7010) };
        assert_eq!((process.death, process.units[0].base), (Some(death), 0x7000));
    }

    #[test]
    fn damage_is_told() {
        let check = |text: &str, expected: &str| {
            let error = parse(&format!("faultline-recording 2\n{text}"), PathBuf::new()).unwrap_err();
            assert!(error.contains(expected), "{error}");
        };
        check("unit 1 0 0 0 0 ", "unit 0 is missing");
        check("unit 0 0", "ends early");
        check("process x", "no number");
        check("hello", "begins no line");
        assert!(parse("hello", PathBuf::new()).is_err());
    }
}
