//! Programs from outside: C through clang and LLVM 19; and violation witnesses, in [`witness`].
//!
//! [`read`] takes C files, preprocessed files, LLVM bitcode or IR text, links them, and gives one
//! [`Program`]. What has no meaning in the program representation is listed in it, at its place.
//! Nothing here knows an engine or a checker.

pub mod acsl;
pub mod boogie;
mod clang;
mod database;
mod error;
mod inputs;
mod llvm;
mod lower;
mod pairing;
pub mod witness;

use std::path::{Path, PathBuf};

use program::Program;
use source::Sources;

pub use error::Error;

use clang::{Clang, Job};
use inputs::Kind;
use llvm::Module;

/// What to read, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub files: Vec<PathBuf>,
    /// Flags for the compiler: `-I`, `-D`, `-std=…`.
    pub flags: Vec<String>,
    /// A `compile_commands.json`, or the folder it is in. Without files, all of its files are read.
    pub compile_commands: Option<PathBuf>,
    /// Also find the exact place of what macros expand to; costs a second compilation.
    pub exact_places: bool,
}

/// One translation unit to be.
struct Unit {
    input: PathBuf,
    kind: Kind,
    flags: Vec<String>,
    directory: Option<PathBuf>,
}

/// What became of it.
struct Compiled {
    bitcode: PathBuf,
    /// The preprocessed text and its bitcode.
    preprocessed: Option<(String, PathBuf)>,
}

/// Reads a whole program.
pub fn read(options: &Options) -> Result<Program, Error> {
    let mut units = units(options)?;
    let clang = Clang::find()?;
    let folder = tempfile::tempdir()?;
    let compiled = compile_all(&clang, &units, options.exact_places, folder.path())?;
    let program = link(&units, compiled)?;
    let missing = undefined(&program);
    if missing.is_empty() {
        return Ok(program);
    }
    // Perhaps they are inline functions, whose bodies clang leaves out unless it is told to use them.
    for unit in units.iter_mut().filter(|unit| unit.kind != Kind::Ir) {
        unit.flags.extend(clang::KEEP_INLINE.iter().map(|&flag| flag.to_owned()));
        if unit.kind == Kind::Preprocessed {
            unit.flags.extend(["-x", "c"].map(str::to_owned));
        }
    }
    let again = compile_all(&clang, &units, options.exact_places, folder.path());
    let Ok(other) = again.and_then(|compiled| link(&units, compiled)) else { return Ok(program) };
    let found = undefined(&other).len() < missing.len();
    Ok(if found { other } else { program })
}

/// The lines of a C file that do not compile; empty if all do.
pub fn refused_lines(file: &Path, flags: &[String]) -> Result<Vec<u32>, Error> {
    let job = Job { input: file, kind: Kind::Source, flags, directory: None };
    Clang::find()?.refused_lines(&job)
}

/// Functions without a body that the C library does not have.
fn undefined(program: &Program) -> Vec<&str> {
    let is_known = |name: &str| name.starts_with("__VERIFIER_") || program::exec::libc::find(name).is_some();
    let names = program.functions.iter().filter(|it| it.body.is_none()).map(|it| it.name.as_str());
    names.filter(|name| !is_known(name)).collect()
}

fn units(options: &Options) -> Result<Vec<Unit>, Error> {
    let Some(database) = &options.compile_commands else {
        if options.files.is_empty() {
            return Err(Error::NoInput);
        }
        let unit = |file: &PathBuf| {
            Ok(Unit {
                input: file.clone(),
                kind: inputs::kind_of(file)?,
                flags: options.flags.clone(),
                directory: None,
            })
        };
        return options.files.iter().map(unit).collect();
    };
    let entries = database::read(database)?;
    let unit = |entry: &database::Entry| {
        let flags = entry.flags.iter().chain(&options.flags).cloned().collect();
        let kind = inputs::kind_of(&entry.file)?;
        Ok(Unit { input: entry.file.clone(), kind, flags, directory: Some(entry.directory.clone()) })
    };
    if options.files.is_empty() {
        return entries.iter().map(unit).collect();
    }
    let find = |file: &PathBuf| {
        let wanted = clang::absolute(file);
        let entry = entries.iter().find(|entry| clang::absolute(&entry.file) == wanted);
        entry.ok_or_else(|| Error::NotInDatabase { path: file.clone(), database: database.clone() })
    };
    options.files.iter().map(|file| unit(find(file)?)).collect()
}

/// Compiles the units on as many threads as there are cores; the first error in order counts.
fn compile_all(clang: &Clang, units: &[Unit], exact: bool, folder: &Path) -> Result<Vec<Compiled>, Error> {
    let jobs = std::thread::available_parallelism().map_or(1, |count| count.get());
    workers::each(units.len(), jobs, |index| compile(clang, &units[index], index, exact, folder)).into_iter().collect()
}

fn compile(clang: &Clang, unit: &Unit, index: usize, exact: bool, folder: &Path) -> Result<Compiled, Error> {
    let job = Job { input: &unit.input, kind: unit.kind, flags: &unit.flags, directory: unit.directory.as_deref() };
    let bitcode = folder.join(format!("{index}.bc"));
    if !exact || unit.kind != Kind::Source {
        clang.compile(&job, &bitcode)?;
        return Ok(Compiled { bitcode, preprocessed: None });
    }
    // The two compilations are independent.
    let preprocessed = || compile_preprocessed(clang, &job, index, folder);
    let (first, second) = workers::both(|| clang.compile(&job, &bitcode), preprocessed);
    first?;
    Ok(Compiled { bitcode, preprocessed: Some(second?) })
}

fn compile_preprocessed(clang: &Clang, job: &Job<'_>, index: usize, folder: &Path) -> Result<(String, PathBuf), Error> {
    let text = clang.preprocess(job)?;
    let input = folder.join(format!("{index}.i"));
    std::fs::write(&input, &text)?;
    let output = folder.join(format!("{index}.i.bc"));
    clang.compile(&Job { input: &input, kind: Kind::Preprocessed, ..*job }, &output)?;
    Ok((String::from_utf8_lossy(&text).into_owned(), output))
}

fn link(units: &[Unit], compiled: Vec<Compiled>) -> Result<Program, Error> {
    let mut sources = Sources::new();
    let mut exact = Vec::new();
    let mut whole: Option<Module> = None;
    for (index, (unit, compiled)) in units.iter().zip(compiled).enumerate() {
        let link_error = |error: llvm::ModuleError| Error::Link { path: unit.input.clone(), message: error.0 };
        let kind_name = format!("faultline.exact.{index}");
        if let Some((text, other)) = compiled.preprocessed {
            let module = Module::read(&compiled.bitcode).map_err(link_error)?;
            let other = Module::read(&other).map_err(link_error)?;
            pairing::pair(&module, &other, module.metadata_kind(&kind_name));
            module.write(&compiled.bitcode).map_err(link_error)?;
            let name = format!("{} (preprocessed)", unit.input.display());
            exact.push((kind_name, sources.add(name, Some(text))));
        }
        match &mut whole {
            None => whole = Some(Module::read(&compiled.bitcode).map_err(link_error)?),
            Some(module) => module.link(&compiled.bitcode).map_err(link_error)?,
        }
    }
    let module = whole.ok_or(Error::NoInput)?;
    let exact = exact.into_iter().map(|(name, file)| (module.metadata_kind(&name), file)).collect();
    Ok(lower::lower(&module, sources, exact))
}
