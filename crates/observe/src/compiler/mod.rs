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
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

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

/// With which clang ends when it has crashed.
const EX_SOFTWARE: i32 = 70;

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
        let status = interrupted::status_of(Command::new(&self.program).args(arguments)).map_err(self.is_missing())?;
        Ok(code(status))
    }

    /// Every source to an object or to assembly; whatever else is among the inputs is the linker's.
    fn compile_all(&self, invocation: &Invocation) -> Result<u8, Error> {
        for input in &invocation.inputs {
            let code = match input {
                Input::Source { path, language } => {
                    let output = invocation.output_of(path);
                    let language = language.as_deref();
                    self.compile(&Unit { invocation, source: path, language, output: &output, named: &output })?
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
                    let language = language.as_deref();
                    let unit = Unit { invocation, source: path, language, output: &object, named: &named };
                    let code = self.compile(&unit)?;
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

    fn compile(&self, unit: &Unit<'_>) -> Result<u8, Error> {
        if unit.invocation.is_freestanding {
            return self.run(&unit.plainly());
        }
        let folder = temporary()?;
        let (plain, hooked) = (folder.path().join("plain.bc"), folder.path().join("hooked.bc"));
        let refused = self.run(&unit.to_bitcode(&plain))?;
        if refused != 0 {
            return Ok(refused);
        }
        match instrument(&plain, &hooked) {
            Err(Error::Instrument { message, .. }) => return self.leave(unit, &message),
            other => other?,
        }
        let mut command = Command::new(&self.program);
        command.args(unit.from_bitcode(&hooked)).stderr(Stdio::piped());
        let (status, said) = interrupted::output_of(&mut command).map_err(self.is_missing())?;
        if interrupted::has_come() == 0 && has_crashed(status) {
            let said = String::from_utf8_lossy(&said);
            return self.leave(unit, said.lines().next().unwrap_or("it crashes"));
        }
        // As clang would have.
        let _ = std::io::stderr().write_all(&said);
        Ok(code(status))
    }

    /// What cannot be built with hooks is built without, so that the rest can be observed.
    fn leave(&self, unit: &Unit<'_>, why: &str) -> Result<u8, Error> {
        let source = Path::new(unit.source).display();
        eprintln!("faultline: warning: {source} is not observed, since clang cannot compile it with hooks: {why}");
        self.run(&unit.plainly())
    }

    fn is_missing(&self) -> impl FnOnce(std::io::Error) -> Error {
        |error| Error::NoClang { program: self.program.to_string_lossy().into_owned(), reason: error.to_string() }
    }
}

/// One source.
struct Unit<'a> {
    invocation: &'a Invocation,
    source: &'a OsStr,
    language: Option<&'a OsStr>,
    output: &'a Path,
    /// What the result will be called in files of dependencies.
    named: &'a Path,
}

impl Unit<'_> {
    /// The command without hooks.
    fn plainly(&self) -> Vec<OsString> {
        let mut command = self.invocation.front_options.clone();
        command.push(self.stage());
        self.add_source(&mut command, self.output);
        command
    }

    /// The command for bitcode: nothing optimized, every place known.
    fn to_bitcode(&self, bitcode: &Path) -> Vec<OsString> {
        let mut command = self.invocation.front_options.clone();
        let ours = ["-Qunused-arguments", "-g", "-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes"];
        command.extend(ours.map(OsString::from));
        // Bit-fields are known by names only.
        command.push("-fno-discard-value-names".into());
        command.extend(["-emit-llvm".into(), "-c".into()]);
        self.add_source(&mut command, bitcode);
        command
    }

    fn from_bitcode(&self, hooked: &Path) -> Vec<OsString> {
        let mut command = self.invocation.back_options.clone();
        command.extend(["-Qunused-arguments".into(), "-w".into(), self.stage()]);
        command.extend(["-x".into(), "ir".into(), hooked.into(), "-o".into(), self.output.into()]);
        command
    }

    fn stage(&self) -> OsString {
        if self.invocation.stage == Stage::Assemble { "-S".into() } else { "-c".into() }
    }

    fn add_source(&self, command: &mut Vec<OsString>, output: &Path) {
        command.extend(self.invocation.dependencies(self.source, self.named));
        command.extend(self.language.iter().flat_map(|it| ["-x".into(), (*it).into()]));
        command.extend([self.source.into(), "-o".into(), output.into()]);
    }
}

/// Clang says so of itself, or is killed.
fn has_crashed(status: ExitStatus) -> bool {
    status.code().is_none_or(|it| it == EX_SOFTWARE || it > 128)
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
