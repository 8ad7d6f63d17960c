//! Building C programs with the compiler wrapper, and running them. The tests here are about commands of compilers.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use observe::compiler::{self, Language};
use observe::recording::{read_invariants, sites_of};
use tempfile::TempDir;

/// A folder with the sources and what was made of them.
pub struct Project {
    folder: TempDir,
}

/// How a run ended: as a shell has it, and what it printed.
pub struct Ran {
    pub status: i32,
    pub output: String,
    /// Where it recorded.
    pub folder: PathBuf,
}

impl Project {
    pub fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a file can be written there");
        }
        Project { folder }
    }

    /// One file, one program.
    pub fn program(text: &str, flags: &str) -> Project {
        let project = Project::new(&[("main.c", text)]);
        project.cc(&format!("{flags} @/main.c -o @/main"));
        project
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the compiler; `@/` stands for the folder.
    pub fn try_cc(&self, language: Language, arguments: &str) -> u8 {
        let here = format!("{}/", self.folder.path().display());
        let words = arguments.split_whitespace().map(|it| OsString::from(it.replace("@/", &here)));
        compiler::run(language, words.collect()).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn cc(&self, arguments: &str) {
        assert_eq!(self.try_cc(Language::C, arguments), 0, "{arguments}");
    }

    pub fn run(&self, mode: &str, arguments: &[&str]) -> Ran {
        self.run_program("main", mode, arguments)
    }

    pub fn run_program(&self, program: &str, mode: &str, arguments: &[&str]) -> Ran {
        let (mut command, folder) = self.command(program, mode, arguments);
        let output = command.output().expect("the program starts");
        Ran { status: status_of(output.status), output: String::from_utf8_lossy(&output.stdout).into_owned(), folder }
    }

    /// What it prints goes into a file, as where inputs are judged.
    pub fn run_to_file(&self, program: &str, mode: &str, arguments: &[&str]) -> Ran {
        let (mut command, folder) = self.command(program, mode, arguments);
        let path = self.path("printed");
        let file = std::fs::File::create(&path).expect("a file can be made");
        let status = command.stdout(file).status().expect("the program starts");
        Ran { status: status_of(status), output: std::fs::read_to_string(&path).expect("it is text"), folder }
    }

    fn command(&self, program: &str, mode: &str, arguments: &[&str]) -> (Command, PathBuf) {
        let folder = self.path(&format!("{program}-{mode}-{}", arguments.join("-").replace('/', "-")));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("a folder can be made");
        let mut command = Command::new(self.path(program));
        command.args(arguments).env("FAULTLINE_OBSERVE", mode).env("FAULTLINE_OBSERVE_DIR", &folder);
        command.env("ASAN_OPTIONS", "detect_leaks=0").current_dir(self.folder.path());
        (command, folder)
    }
}

/// As a shell has it.
fn status_of(status: std::process::ExitStatus) -> i32 {
    status.code().or(status.signal().map(|it| 128 + it)).unwrap_or(-1)
}

const HELLO: &str = "#include <stdio.h>\n#include \"hello.h\"\nint main(void) { puts(HELLO); return 0; }\n";
const HEADER: &str = "#define HELLO \"hello\"\n";

fn hello() -> Project {
    Project::new(&[("hello.c", HELLO), ("hello.h", HEADER)])
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn preprocessing_and_assembly() {
    let project = hello();
    project.cc("-E @/hello.c -o @/hello.i");
    assert!(text(&project.path("hello.i")).contains("puts(\"hello\")"));
    project.cc("-S -O2 @/hello.c -o @/hello.s");
    assert!(text(&project.path("hello.s")).contains("__faultline_register"));
    project.cc("-c @/hello.i -o @/preprocessed.o");
    project.cc("-c @/hello.s -o @/assembled.o");
    project.cc("@/hello.s -o @/main");
    assert_eq!(project.run("coverage", &[]).output, "hello\n");
    assert!(project.path("preprocessed.o").exists() && project.path("assembled.o").exists());
}

#[test]
fn dependencies_name_the_object() {
    let project = hello();
    project.cc("-MMD -c @/hello.c -o @/out.o");
    let rule = text(&project.path("out.d"));
    assert!(rule.starts_with(&format!("{}:", project.path("out.o").display())), "{rule}");
    assert!(rule.contains("hello.h"), "{rule}");
    project.cc("-MD -MF @/named.d -MT target -c @/hello.c -o @/out.o");
    assert!(text(&project.path("named.d")).starts_with("target:"));
}

#[test]
fn response_files_and_standard_input() {
    let project = hello();
    let options = format!("-c \"{0}/hello.c\"\n-o '{0}/hello.o'", project.folder.path().display());
    std::fs::write(project.path("options"), options).unwrap();
    let response = OsString::from(format!("@{}", project.path("options").display()));
    assert_eq!(compiler::run(Language::C, vec![response]).unwrap(), 0);
    project.cc("@/hello.o -o @/main");
    assert_eq!(project.run("coverage", &[]).output, "hello\n");
}

#[test]
fn errors_are_the_compilers() {
    let project = Project::new(&[
        ("bad.c", "int main(void) { return x; }\n"),
        ("link.c", "int f(void); int main(void) { return f(); }\n"),
    ]);
    assert_eq!(project.try_cc(Language::C, "-w -c @/bad.c -o @/bad.o"), 1);
    assert!(!project.path("bad.o").exists());
    assert_ne!(project.try_cc(Language::C, "@/link.c -o @/main"), 0);
}

#[test]
fn computed_jumps_and_variable_arguments() {
    let text = "#include <stdarg.h>
        #include <stdio.h>
        static int sum(int count, ...) {
            va_list list; va_start(list, count);
            int total = 0;
            while (count--) total += va_arg(list, int);
            va_end(list);
            return total;
        }
        static int interpret(const char *code) {
            static const void *const labels[] = {&&increment, &&twice, &&stop};
            int value = 0;
            goto *labels[*code++ - '0'];
        increment: value++; goto *labels[*code++ - '0'];
        twice: value *= 2; goto *labels[*code++ - '0'];
        stop: return value;
        }
        int main(void) { printf(\"%d %d\\n\", sum(3, 1, 2, 3), interpret(\"00101122\")); return 0; }";
    for flags in ["-O0", "-O2 -w"] {
        let project = Project::program(text, flags);
        for mode in ["none", "invariants", "trace"] {
            assert_eq!(project.run(mode, &[]).output, "6 20\n", "{flags} {mode}");
        }
    }
}

#[test]
fn cxx_with_exceptions() {
    let text = "#include <iostream>
        #include <stdexcept>
        #include <vector>
        template <typename T> T checked(const std::vector<T> &from, size_t at) {
            if (at >= from.size()) throw std::out_of_range(\"far\");
            return from[at];
        }
        int main() {
            std::vector<int> values{1, 2, 3};
            try { std::cout << checked(values, 1) << checked(values, 7); }
            catch (const std::exception &error) { std::cout << error.what() << std::endl; }
            return 0;
        }";
    let project = Project::new(&[("main.cpp", text)]);
    assert_eq!(project.try_cc(Language::Cxx, "-O1 @/main.cpp -o @/main"), 0);
    for mode in ["none", "invariants", "trace"] {
        assert_eq!(project.run(mode, &[]).output, "2far\n", "{mode}");
    }
}

/// Functions of headers are in every unit; each unit's hooks are its own, and what is asked for changes nothing in where they count.
#[test]
fn functions_of_headers_in_several_units() {
    let header = "#include <cstdarg>
        #include <stdexcept>
        #include <string>
        #include <vector>
        struct pair { long first, second, third; };
        inline int count() { static int made = 0; return ++made; }
        inline long sum(int many, ...) {
            va_list list;
            va_start(list, many);
            long all = 0;
            while (many--) all += va_arg(list, int);
            va_end(list);
            return all;
        }
        inline long last(pair it, pair other) { return it.third + other.first; }
        template <typename T> T larger(T one, T other) { return one < other ? other : one; }
        struct shape {
            virtual ~shape() {}
            virtual int area() const { return 0; }
            int checked(int side) const { if (side < 0) throw std::runtime_error(\"side\"); return side; }
        };
        struct square : shape {
            int side;
            explicit square(int side) : side(checked(side)) {}
            int area() const override { return side * side; }
        };
        typedef int (*function)();
        function other_count();
        int other(std::vector<int> const &);";
    let main = "#include \"a.h\"
        #include <cstdio>
        int start() { return count(); }
        int started = start();
        int main() {
            std::vector<int> all = {3, 1, 2};
            int caught = 0;
            try { square wrong(-1); } catch (std::exception const &it) { caught = 1; }
            shape *it = new square(larger(2, 4));
            pair one = {1, 2, 3}, two = {4, 5, 6};
            printf(\"%d %d %d %d %ld %ld %d %d\\n\", started, other(all), it->area(), caught, sum(3, 1, 2, 3), last(one, two),
                   other_count() == count, count());
            delete it;
            return 0;
        }";
    let other = "#include \"a.h\"
        function other_count() { return count; }
        int other(std::vector<int> const &all) {
            int found = 0;
            for (int it : all) found = larger(found, square(it).area());
            pair one = {1, 2, 3};
            return found + sum(1, 1) + last(one, one) + count();
        }";
    let project = Project::new(&[("a.h", header), ("main.cpp", main), ("other.cpp", other)]);
    for flags in ["-O0", "-O1", "-O2", "-O1 -fsanitize=address"] {
        for (unit, output) in [("main.cpp", "main.o"), ("other.cpp", "other.o")] {
            assert_eq!(project.try_cc(Language::Cxx, &format!("-g {flags} -c @/{unit} -o @/{output}")), 0, "{flags}");
        }
        assert_eq!(project.try_cc(Language::Cxx, &format!("{flags} @/other.o @/main.o -o @/main")), 0, "{flags}");
        let sites = sites_of(&project.path("main")).unwrap();
        let mut counted: Vec<Vec<u64>> = Vec::new();
        for mode in ["none", "invariants", "exact", "trace"] {
            let ran = project.run(mode, &[]);
            assert_eq!((ran.status, ran.output.as_str()), (0, "1 16 16 1 6 7 1 3\n"), "{flags} {mode}");
            if ["invariants", "exact"].contains(&mode) {
                counted.push(read_invariants(&ran.folder, &sites).unwrap().coverage.blocks);
            }
        }
        assert_eq!(counted[0], counted[1], "{flags}");
    }
}
