//! A compiler's command line: what is to be done, with which files, and which options belong to which step.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::Language;

/// What the command ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing that we would do otherwise than clang.
    Other,
    /// `-c`
    Compile,
    /// `-S`
    Assemble,
    Link,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// C or C++, with the language of a `-x` before it.
    Source {
        path: OsString,
        language: Option<OsString>,
    },
    Assembly {
        path: OsString,
        language: Option<OsString>,
    },
    /// An object, an archive, `-lm`, `-Wl,…`: in its place among the inputs, for the linker.
    Link(OsString),
}

#[derive(Clone, Debug)]
pub struct Invocation {
    pub stage: Stage,
    /// As given.
    pub arguments: Vec<OsString>,
    pub inputs: Vec<Input>,
    /// Options for the step from source to bitcode.
    pub front_options: Vec<OsString>,
    /// Options for the step from bitcode to an object.
    pub back_options: Vec<OsString>,
    /// Options for the step that links, without inputs.
    pub link_options: Vec<OsString>,
    /// The linked result runs on an operating system, so the runtime is added.
    pub links_library: bool,
    /// Code without a C library has nowhere to record.
    pub is_freestanding: bool,
    output: Option<OsString>,
    makes_dependencies: bool,
    dependency_file: bool,
    dependency_target: bool,
}

/// With these, clang answers or does something else than compile.
const OTHER: &[&str] = &[
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--analyze",
    "-emit-llvm",
    "-emit-ast",
    "-###",
    "--version",
    "--help",
    "-dumpversion",
    "-dumpmachine",
    "-cc1",
    "-cc1as",
    "--precompile",
];
const OTHER_BEGINNINGS: &[&str] = &["-print-", "--print-", "-emit-", "--driver-mode"];

/// Options whose value is the next argument.
const SEPARATE: &[&str] = &[
    "-o",
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-include-pch",
    "-ivfsoverlay",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-e",
    "-h",
    "-target",
    "--target",
    "--sysroot",
    "-B",
    "-mllvm",
    "--param",
    "-A",
    "-F",
    "-rpath",
    "-dumpbase",
    "-dumpdir",
    "-working-directory",
    "-resource-dir",
    "--config",
    "-gcc-toolchain",
    "-arch",
    "-ccc-gcc-name",
    "-aux-info",
    "-wrapper",
    "-install_name",
    "-soname",
    "-fplugin",
    "-stdlib++-isystem",
    "-cxx-isystem",
    "-iframework",
    "-exported_symbols_list",
];

/// What only the linker is told, beside inputs.
const LINK_ONLY: &[&str] = &["-L", "-T", "-u", "-z", "-e", "-h", "-rpath", "-soname", "-B"];

/// What the step from source to bitcode has used up.
const FRONT_ONLY: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-include-pch",
    "-ivfsoverlay",
    "-Xclang",
    "-Xpreprocessor",
    "-A",
    "-stdlib++-isystem",
    "-cxx-isystem",
    "-fplugin",
    "-working-directory",
];

impl Invocation {
    pub fn parse(driver: Language, arguments: Vec<OsString>) -> Invocation {
        let mut parser = Parser::new(driver, arguments.clone());
        let mut rest = arguments.into_iter();
        while let Some(argument) = rest.next() {
            parser.argument(argument, &mut rest);
        }
        parser.finish()
    }

    /// Where the result of a source goes.
    pub fn output_of(&self, source: &OsStr) -> PathBuf {
        match &self.output {
            Some(output) => PathBuf::from(output),
            None => {
                let ending = if self.stage == Stage::Assemble { "s" } else { "o" };
                beside(source, ending)
            }
        }
    }

    /// What the object of a source would be called if it were kept.
    pub fn object_name(&self, source: &OsStr) -> PathBuf {
        beside(source, "o")
    }

    /// Dependencies must name the object, which clang does not see in the first step.
    pub fn dependencies(&self, source: &OsStr, named: &Path) -> Vec<OsString> {
        if !self.makes_dependencies {
            return Vec::new();
        }
        let mut options = Vec::new();
        if !self.dependency_file {
            let near = if self.stage == Stage::Link { beside(source, "d") } else { named.with_extension("d") };
            options.extend(["-MF".into(), near.into_os_string()]);
        }
        if !self.dependency_target {
            options.extend(["-MQ".into(), named.as_os_str().to_owned()]);
        }
        options
    }

    /// The command for one input that is not ours to change.
    pub fn plain(&self, path: &OsStr, language: Option<&OsStr>) -> Vec<OsString> {
        let mut command = self.front_options.clone();
        command.push(if self.stage == Stage::Assemble { "-S".into() } else { "-c".into() });
        command.extend(language.iter().flat_map(|it| ["-x".into(), (*it).to_owned()]));
        command.push(path.to_owned());
        command.extend(self.output.iter().flat_map(|it| ["-o".into(), it.clone()]));
        command
    }
}

/// A file of the same name in the current folder.
fn beside(source: &OsStr, ending: &str) -> PathBuf {
    Path::new(source).with_extension(ending).file_name().map_or_else(|| format!("-.{ending}").into(), PathBuf::from)
}

struct Parser {
    driver: Language,
    invocation: Invocation,
    /// Of the last `-x`.
    language: Option<OsString>,
    is_other: bool,
    is_relocatable: bool,
}

impl Parser {
    fn new(driver: Language, arguments: Vec<OsString>) -> Parser {
        let invocation = Invocation {
            stage: Stage::Link,
            arguments,
            inputs: Vec::new(),
            front_options: Vec::new(),
            back_options: Vec::new(),
            link_options: Vec::new(),
            links_library: true,
            is_freestanding: false,
            output: None,
            makes_dependencies: false,
            dependency_file: false,
            dependency_target: false,
        };
        Parser { driver, invocation, language: None, is_other: false, is_relocatable: false }
    }

    fn argument(&mut self, argument: OsString, rest: &mut impl Iterator<Item = OsString>) {
        let text = argument.to_string_lossy().into_owned();
        if !text.starts_with('-') || text == "-" {
            self.input(argument);
            return;
        }
        if OTHER.contains(&text.as_str()) || OTHER_BEGINNINGS.iter().any(|it| text.starts_with(it)) {
            self.is_other = true;
        }
        let value = if SEPARATE.contains(&text.as_str()) { rest.next() } else { None };
        self.option(&text, argument, value);
    }

    fn input(&mut self, path: OsString) {
        let language = self.language.clone();
        let kind = match &language {
            Some(language) => kind_of_language(&language.to_string_lossy()),
            None => kind_of_name(&path),
        };
        self.invocation.inputs.push(match kind {
            Kind::Source => Input::Source { path, language },
            Kind::Assembly => Input::Assembly { path, language },
            Kind::Linked => Input::Link(path),
            Kind::Foreign => {
                self.is_other = true;
                Input::Link(path)
            }
        });
    }

    fn option(&mut self, text: &str, argument: OsString, value: Option<OsString>) {
        let invocation = &mut self.invocation;
        match text {
            "-c" => invocation.stage = Stage::Compile,
            "-S" => invocation.stage = Stage::Assemble,
            "-o" => {
                invocation.link_options.push(argument);
                invocation.link_options.extend(value.clone());
                invocation.output = value;
                return;
            }
            "-x" => {
                self.language = value.filter(|it| it != "none");
                return;
            }
            "-r" => self.is_relocatable = true,
            "-nostdlib" | "-nodefaultlibs" | "-nolibc" => invocation.links_library = false,
            "-ffreestanding" => invocation.is_freestanding = true,
            "-MD" | "-MMD" | "-Wp,-MD" | "-Wp,-MMD" => invocation.makes_dependencies = true,
            "-MF" => invocation.dependency_file = true,
            "-MT" | "-MQ" => invocation.dependency_target = true,
            _ => {}
        }
        // Written by hand in some makefiles: both the option and its file.
        if text.starts_with("-Wp,-MD,") || text.starts_with("-Wp,-MMD,") {
            invocation.makes_dependencies = true;
            invocation.dependency_file = true;
        }
        if text == "-c" || text == "-S" {
            return;
        }
        self.distribute(text, argument, value);
    }

    /// Each option to the steps that it means something to.
    fn distribute(&mut self, text: &str, argument: OsString, value: Option<OsString>) {
        let invocation = &mut self.invocation;
        // Objects hold machine code, since the hooks are in it.
        if text.starts_with("-flto") || text.starts_with("-save-temps") || text.starts_with("--save-temps") {
            return;
        }
        let whole = || std::iter::once(argument.clone()).chain(value.clone());
        if text == "-l" || text.starts_with("-l") || text.starts_with("-Wl,") || text == "-Xlinker" {
            invocation.inputs.extend(whole().map(Input::Link));
            return;
        }
        invocation.link_options.extend(whole());
        let begins = |list: &[&str]| list.contains(&text);
        if begins(LINK_ONLY) || text.starts_with("-L") {
            return;
        }
        invocation.front_options.extend(whole());
        let front_only = begins(FRONT_ONLY)
            || ["-I", "-D", "-U", "-M", "-std=", "-i"].iter().any(|it| text.starts_with(it))
            || (text.starts_with("-W") && !text.starts_with("-Wa,"))
            || text.starts_with("-pedantic")
            || text.starts_with("-fplugin=");
        if !front_only {
            invocation.back_options.extend(whole());
        }
    }

    fn finish(mut self) -> Invocation {
        let sources = |it: &Input| !matches!(it, Input::Link(text) if text.to_string_lossy().starts_with('-'));
        if self.is_other || !self.invocation.inputs.iter().any(sources) {
            self.invocation.stage = Stage::Other;
        }
        self.invocation.links_library &= !self.is_relocatable;
        // `c++ file.c` is C++.
        if self.driver == Language::Cxx {
            for input in &mut self.invocation.inputs {
                if let Input::Source { path, language: language @ None } = input
                    && Path::new(path).extension().is_some_and(|it| it == "c" || it == "i")
                {
                    *language =
                        Some(if path.to_string_lossy().ends_with(".i") { "c++-cpp-output" } else { "c++" }.into());
                }
            }
        }
        self.invocation
    }
}

enum Kind {
    Source,
    Assembly,
    Linked,
    /// Another language that clang knows: it is left to clang.
    Foreign,
}

fn kind_of_language(language: &str) -> Kind {
    match language {
        "c" | "c++" | "cpp-output" | "c++-cpp-output" => Kind::Source,
        "assembler" | "assembler-with-cpp" => Kind::Assembly,
        _ => Kind::Foreign,
    }
}

fn kind_of_name(path: &OsStr) -> Kind {
    let name = path.to_string_lossy();
    let ending = Path::new(&*name).extension().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    match ending.as_str() {
        "c" | "i" | "C" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "CPP" | "CXX" | "ii" => Kind::Source,
        "s" | "S" | "asm" | "sx" => Kind::Assembly,
        "h" | "hh" | "hpp" | "H" | "hxx" | "m" | "mm" | "M" | "bc" | "ll" | "cu" | "f" | "f90" | "F90" => Kind::Foreign,
        _ => Kind::Linked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Invocation {
        Invocation::parse(Language::C, arguments.split_whitespace().map(OsString::from).collect())
    }

    fn joined(arguments: &[OsString]) -> String {
        arguments.join(OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn stages() {
        let check = |arguments: &str, stage| assert_eq!(parse(arguments).stage, stage, "{arguments}");
        check("-c a.c", Stage::Compile);
        check("-S a.c -o a.s", Stage::Assemble);
        check("a.c -o a -lm", Stage::Link);
        check("a.o -o a", Stage::Link);
        check("-E a.c", Stage::Other);
        check("-M a.c", Stage::Other);
        check("--version", Stage::Other);
        check("-v", Stage::Other);
        check("-print-search-dirs", Stage::Other);
        check("-c a.m", Stage::Other);
        check("-x c-header a.h -o a.h.gch", Stage::Other);
        check("-Wl,-v", Stage::Other);
    }

    #[test]
    fn options_go_to_their_steps() {
        let it = parse("-O2 -DX=1 -I inc -Wall -fPIC -c dir/a.c -MMD -o out/a.o -Lx");
        assert_eq!(joined(&it.front_options), "-O2 -DX=1 -I inc -Wall -fPIC -MMD");
        assert_eq!(joined(&it.back_options), "-O2 -fPIC");
        let names = it.dependencies(OsStr::new("dir/a.c"), Path::new("out/a.o"));
        assert_eq!(joined(&names), "-MF out/a.d -MQ out/a.o");
        assert_eq!(it.output_of(OsStr::new("dir/a.c")), Path::new("out/a.o"));
        assert_eq!(parse("-c dir/a.c").output_of(OsStr::new("dir/a.c")), Path::new("a.o"));
    }

    #[test]
    fn inputs_keep_their_order() {
        let it = parse("main.c -Wl,--start-group liba.a -lb x.S -x c - -o prog -shared -flto");
        let shown: Vec<String> = it
            .inputs
            .iter()
            .map(|it| match it {
                Input::Source { path, language } => format!("source {path:?} {language:?}"),
                Input::Assembly { path, .. } => format!("assembly {path:?}"),
                Input::Link(text) => format!("link {text:?}"),
            })
            .collect();
        let expected = [
            "source \"main.c\" None",
            "link \"-Wl,--start-group\"",
            "link \"liba.a\"",
            "link \"-lb\"",
            "assembly \"x.S\"",
            "source \"-\" Some(\"c\")",
        ];
        assert_eq!(shown, expected);
        assert_eq!(joined(&it.link_options), "-o prog -shared");
    }

    #[test]
    fn places_without_a_library() {
        assert!(!parse("-nostdlib a.o").links_library);
        assert!(!parse("-r a.o b.o -o c.o").links_library);
        assert!(parse("-ffreestanding -c a.c").is_freestanding);
    }
}
