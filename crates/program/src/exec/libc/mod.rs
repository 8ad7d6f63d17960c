//! Models of the C library: what its functions do to a run, as glibc 2.36 on x86-64 does it.
//!
//! A model is a Rust function over the run's [`World`]; [`find`] knows them by their C names. Results
//! are those of a native run, bit by bit, wherever they depend on the arguments only. What depends on
//! the machine is fixed: time starts at one moment and moves with the program's steps, process ids are
//! constants, files live in memory, nothing leaves the run.
//!
//! Misuse ends a run as a violation: bad accesses by the memory's own checks, overlapping buffers,
//! unterminated strings, formats that do not fit their arguments as `string-function`.
//!
//! Each file models a header or a part of one and lists its functions in a table `MODELS`. Parts that
//! need no run (`format`, `render`, `print`, `scan`, `scan_numbers`, `numbers`, `random`, `files`,
//! `descriptors`) are tested against glibc by themselves.
//!
//! Not here: `setjmp`, which is the machine's; functions of verification tasks
//! (`__VERIFIER_nondet_int`), which are the front end's; threads.

mod allocation;
mod bytes;
mod complex;
pub mod ctype;
mod descriptors;
mod diagnostics;
mod directories;
mod environment;
mod files;
mod format;
mod getopt;
mod glibc;
mod locale;
mod math;
mod numbers;
mod print;
mod printf;
mod process;
mod random;
mod render;
mod scan;
mod scan_numbers;
mod scanf;
mod search;
mod signals;
mod sort;
mod statics;
mod stdio;
mod stdio_files;
mod stdlib;
mod streams;
mod string;
#[cfg(test)]
mod tests;
mod threads;
mod time;
mod unistd;
mod wide;
mod x87;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::LazyLock;

use self::descriptors::Descriptors;
use self::directories::Directories;
use self::environment::Environment;
use self::files::FileSystem;
use self::getopt::Options;
use self::process::Handler;
use self::random::{AdditiveFeedback, Congruential48};
use self::streams::{Standard, Streams};
use super::host::{Arguments, Host, Model, Returned, Stop, World};
use super::inputs::Inputs;
use super::memory::{Address, ObjectKind, OutOfMemory};
use crate::Site;

/// What the library keeps between calls.
#[derive(Debug)]
pub struct State {
    open: Descriptors,
    streams: Streams,
    random: AdditiveFeedback,
    random48: Congruential48,
    environment: Environment,
    /// What `atexit` and its like registered, the youngest last.
    handlers: Vec<Handler>,
    quick_handlers: Vec<Address>,
    /// The handlers of signals, by their number.
    signals: BTreeMap<i32, u64>,
    /// The rest of the text that `strtok` splits.
    token_rest: Address,
    /// The library's own objects, by what they are for.
    statics: BTreeMap<&'static str, Address>,
    /// Constant texts that functions return.
    texts: BTreeMap<Vec<u8>, Address>,
    /// Nanoseconds that passed without steps.
    slept: u64,
    /// The values of `pthread_setspecific`, by key.
    thread_values: Vec<Address>,
    program_name: Vec<u8>,
    options: Options,
    directories: Directories,
}

impl State {
    pub fn new(inputs: &Inputs) -> State {
        State {
            open: Descriptors::new(FileSystem::new(&inputs.files), inputs.stdin.clone()),
            streams: Streams::default(),
            random: AdditiveFeedback::new(1),
            random48: Congruential48::default(),
            environment: Environment::new(inputs.environment.clone()),
            handlers: Vec::new(),
            quick_handlers: Vec::new(),
            signals: BTreeMap::new(),
            token_rest: Address::NULL,
            statics: BTreeMap::new(),
            texts: BTreeMap::new(),
            slept: 0,
            thread_values: Vec::new(),
            program_name: inputs.arguments.first().cloned().unwrap_or_default(),
            options: Options::default(),
            directories: Directories::default(),
        }
    }

    /// Lets the program read the files of a real directory as if they were in its working directory.
    /// What it writes stays in memory.
    pub fn read_through(&mut self, directory: PathBuf) {
        self.open.system.read_through(directory);
    }

    /// All files that the run has seen or made, with their contents; those of the working directory
    /// by their relative names.
    pub fn files(&self) -> BTreeMap<Vec<u8>, &[u8]> {
        self.open.system.contents()
    }
}

/// All tables.
const TABLES: &[&[(&str, Model)]] = &[
    OWN,
    allocation::MODELS,
    bytes::MODELS,
    complex::MODELS,
    ctype::MODELS,
    diagnostics::MODELS,
    directories::MODELS,
    environment::MODELS,
    getopt::MODELS,
    locale::MODELS,
    math::BESSEL,
    math::BINARY,
    math::BINARY_FLOAT,
    math::LONG,
    math::LONG_TO_INT,
    math::MODELS,
    math::SCALE,
    math::SCALE_FLOAT,
    math::SCALE_LONG,
    math::SCALE_LONG_FLOAT,
    math::TO_INT,
    math::TO_INT_FLOAT,
    math::TO_LONG,
    math::TO_LONG_FLOAT,
    math::UNARY,
    math::UNARY_FLOAT,
    printf::MODELS,
    process::MODELS,
    scanf::MODELS,
    search::MODELS,
    signals::MODELS,
    sort::MODELS,
    stdio::MODELS,
    stdio_files::MODELS,
    stdlib::MODELS,
    string::MODELS,
    threads::MODELS,
    time::MODELS,
    unistd::MODELS,
    wide::MODELS,
];

const OWN: &[(&str, Model)] = &[("__errno_location", errno_location)];

fn errno_location(host: &mut Host<'_>, _: &Arguments) -> Result<Returned, Stop> {
    statics::errno_address(host).map(Returned::pointer)
}

static BY_NAME: LazyLock<HashMap<&'static str, Model>> =
    LazyLock::new(|| TABLES.iter().flat_map(|table| table.iter().copied()).collect());

/// The names of all functions that have a model, sorted.
pub static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut names: Vec<&str> = TABLES.iter().flat_map(|table| table.iter().map(|(name, _)| *name)).collect();
    names.sort_unstable();
    names
});

/// The model of an external function.
pub fn find(name: &str) -> Option<Model> {
    BY_NAME.get(name).copied()
}

/// Gives an external object (`stdout`, `environ`) its contents; false if the name is not known.
pub fn initialize_global(world: &mut World, name: &str, address: Address, size: u64) -> Result<bool, OutOfMemory> {
    let value = match name {
        "stdin" => streams::standard(world, Standard::Input)?,
        "stdout" => streams::standard(world, Standard::Output)?,
        "stderr" => streams::standard(world, Standard::Error)?,
        "environ" | "__environ" | "_environ" if size == 8 => {
            environment::initialize(world, address)?;
            return Ok(true);
        }
        "program_invocation_name" => program_name(world, 0)?,
        "program_invocation_short_name" | "__progname" => {
            let name = &world.library.program_name;
            let start = name.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
            program_name(world, start)?
        }
        // What the time zone and lgamma say: zero in UTC and before the first call.
        "timezone" | "__timezone" | "daylight" | "__daylight" | "signgam" => Address::NULL,
        _ => return Ok(getopt::initialize(world, name, address)),
    };
    let bytes = value.0.to_le_bytes();
    let length = size.min(8) as usize;
    Ok(world.memory.write(address, &bytes[..length]).is_ok())
}

/// The program's name from this byte on, as an object of the library.
fn program_name(world: &mut World, start: usize) -> Result<Address, OutOfMemory> {
    let name = world.library.program_name[start..].to_vec();
    let kind = ObjectKind::Library("program name");
    let address = world.memory.allocate_zeroed(kind, name.len() as u64 + 1, Site::NONE)?;
    world.memory.write_c_string(address, &name).expect("the object was made for the name");
    Ok(address)
}

/// What happens after `main` has returned and before the process ends.
pub fn finish(host: &mut Host<'_>) -> Result<(), Stop> {
    process::run_handlers(host, 0)
}
