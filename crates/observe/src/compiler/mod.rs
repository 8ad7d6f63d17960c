//! `faultline cc` and `faultline c++`: a drop-in for clang that makes observed programs.
//!
//! Sources of C and C++ are compiled in three steps: clang makes bitcode with debug places and without optimizing, the
//! pass of [`instrument`](crate::instrument) adds its hooks, and clang compiles the result with the user's options. The
//! runtime is added where something is linked. All else (preprocessing, dependencies, assembly, questions about
//! versions and paths) is handed to clang as it is, so that build systems see the compiler that they know.

mod arguments;
mod interrupted;
mod response;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use arguments::{Input, Invocation, Stage};

use crate::Error;
use crate::instrument::instrument;

/// Which driver to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cxx,
}

/// Says to the linker what libraries that are loaded later need from the program.
const EXPORTS: &str = "-Wl,--export-dynamic-symbol=__faultline_*";

/// Does what the compiler would with these arguments. The answer is the exit status. A signal kills us only when our files are gone.
pub fn run(language: Language, arguments: Vec<OsString>) -> Result<u8, Error> {
    interrupted::take();
    let result = compile(language, arguments);
    interrupted::go_on();
    result
}

fn compile(language: Language, arguments: Vec<OsString>) -> Result<u8, Error> {
    let arguments = response::expand(arguments)?;
    let invocation = Invocation::parse(language, arguments);
    let clang = Clang { program: program(language) };
    match invocation.stage {
        Stage::Other => clang.run(&invocation.arguments),
        Stage::Compile | Stage::Assemble => clang.compile_all(&invocation),
        Stage::Link => clang.link(&invocation),
    }
}

/// `clang-19` or `clang++-19`, or what FAULTLINE_CLANG says.
fn program(language: Language) -> OsString {
    let chosen = std::env::var_os("FAULTLINE_CLANG").unwrap_or_else(|| "clang-19".into());
    if language == Language::C {
        return chosen;
    }
    let Some(text) = chosen.to_str().filter(|it| !it.contains("clang++")) else { return chosen };
    match text.rfind("clang") {
        Some(at) => format!("{}++{}", &text[..at + 5], &text[at + 5..]).into(),
        None => chosen,
    }
}

struct Clang {
    program: OsString,
}

impl Clang {
    fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<u8, Error> {
        let status = interrupted::status_of(Command::new(&self.program).args(arguments));
        let status = status.map_err(|error| Error::NoClang {
            program: self.program.to_string_lossy().into_owned(),
            reason: error.to_string(),
        })?;
        Ok(code(status))
    }

    /// Every source to an object or to assembly; whatever else is among the inputs is the linker's.
    fn compile_all(&self, invocation: &Invocation) -> Result<u8, Error> {
        for input in &invocation.inputs {
            let code = match input {
                Input::Source { path, language } => {
                    let output = invocation.output_of(path);
                    self.compile(invocation, path, language.as_deref(), &output, &output)?
                }
                Input::Assembly { path, language } => self.run(&invocation.plain(path, language.as_deref()))?,
                Input::Link(_) => 0,
            };
            if code != 0 {
                return Ok(code);
            }
        }
        Ok(0)
    }

    /// Sources become objects in a temporary folder, which take their places in the linker's command.
    fn link(&self, invocation: &Invocation) -> Result<u8, Error> {
        let folder = temporary()?;
        let mut command = invocation.link_options.clone();
        for (number, input) in invocation.inputs.iter().enumerate() {
            match input {
                Input::Source { path, language } => {
                    let object = folder.path().join(format!("{number}.o"));
                    let named = invocation.object_name(path);
                    let code = self.compile(invocation, path, language.as_deref(), &object, &named)?;
                    if code != 0 {
                        return Ok(code);
                    }
                    command.push(object.into());
                }
                Input::Assembly { path, language } => {
                    command.extend(language.iter().flat_map(|it| ["-x".into(), it.clone()]));
                    command.push(path.into());
                    command.extend(language.iter().flat_map(|_| ["-x".into(), "none".into()]));
                }
                Input::Link(argument) => command.push(argument.clone()),
            }
        }
        if invocation.links_library {
            let runtime = folder.path().join("faultline_runtime.o");
            std::fs::write(&runtime, runtime::OBJECT).map_err(Error::file("write", &runtime))?;
            command.push(runtime.into());
            command.push(EXPORTS.into());
        }
        self.run(&command)
    }

    /// One source. `named` is what the result will be called in files of dependencies.
    fn compile(
        &self,
        invocation: &Invocation,
        source: &OsStr,
        language: Option<&OsStr>,
        output: &Path,
        named: &Path,
    ) -> Result<u8, Error> {
        if invocation.is_freestanding {
            let mut command = invocation.front_options.clone();
            command.extend(stage_option(invocation));
            command.extend(language.iter().flat_map(|it| ["-x".into(), (*it).into()]));
            command.extend([source.into(), "-o".into(), output.into()]);
            command.extend(invocation.dependencies(source, named));
            return self.run(&command);
        }
        let folder = temporary()?;
        let (plain, hooked) = (folder.path().join("plain.bc"), folder.path().join("hooked.bc"));
        let code = self.run(&front(invocation, source, language, &plain, named))?;
        if code != 0 {
            return Ok(code);
        }
        instrument(&plain, &hooked).map_err(|error| match error {
            Error::Instrument { message, .. } => Error::Instrument { path: PathBuf::from(source), message },
            other => other,
        })?;
        let mut back = invocation.back_options.clone();
        back.extend(["-Qunused-arguments".into(), "-w".into()]);
        back.extend(stage_option(invocation));
        back.extend(["-x".into(), "ir".into(), hooked.into(), "-o".into(), output.into()]);
        self.run(&back)
    }
}

fn stage_option(invocation: &Invocation) -> [OsString; 1] {
    [if invocation.stage == Stage::Assemble { "-S".into() } else { "-c".into() }]
}

/// The command for bitcode: nothing optimized, every place known.
fn front(
    invocation: &Invocation,
    source: &OsStr,
    language: Option<&OsStr>,
    bitcode: &Path,
    named: &Path,
) -> Vec<OsString> {
    let mut command = invocation.front_options.clone();
    let ours = ["-Qunused-arguments", "-g", "-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes"];
    command.extend(ours.map(OsString::from));
    // Bit-fields are known by names only.
    command.push("-fno-discard-value-names".into());
    command.extend(["-emit-llvm".into(), "-c".into()]);
    command.extend(invocation.dependencies(source, named));
    command.extend(language.iter().flat_map(|it| ["-x".into(), (*it).into()]));
    command.extend([source.into(), "-o".into(), bitcode.into()]);
    command
}

fn temporary() -> Result<tempfile::TempDir, Error> {
    let folder = tempfile::Builder::new().prefix("faultline-cc").tempdir();
    folder.map_err(Error::file("create a folder in", std::env::temp_dir()))
}

/// As a shell has it.
fn code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, Some(signal)) => (128 + signal) as u8,
        (None, None) => 1,
    }
}
