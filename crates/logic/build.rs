//! Compiles Bitwuzla, the SMT solver, from the sources that the crate `bitwuzla-sys` carries.
//!
//! Input: that folder, the CaDiCaL headers of the crate `cadical` (which also builds the library), Debian's
//! `libsymfpu-dev` and `libgmp-dev`. Output: `libbitwuzla.a`, optimized whatever cargo's profile is, since an
//! unoptimized solver is useless in tests too. `bitwuzla-sys` could build itself with its feature
//! `vendor-cadical`, but that downloads from GitHub and wants meson and a newer GMP than Debian 12 has.
//!
//! The sources are compiled folder by folder, one compilation unit each, which takes a third of the time of
//! one unit a file: most of the work is to read the same headers again. The library is kept in the target
//! folder for all profiles and made again only when the sources or the flags are others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

use serde_json::Value;

/// Folders below Bitwuzla's `src/` that its library does not need: the program, the parsers, Python's module.
const LEFT_OUT: [&str; 3] = ["main", "parser", "python"];

/// What the library needs of those folders.
const KEPT: [&str; 1] = ["parser/smt2/lexer.cpp"];

/// Sources that need a unit of their own, because headers without include guards meet in their folder.
const ALONE: [&str; 2] = ["lib/ls/ls_bv.cpp", "solver/fp/symfpu_nm.cpp"];

/// Bitwuzla calls floats other than IEEE's four experimental; x87's `long double` is one of them.
const DEFINES: [&str; 3] = ["NDEBUG", "HAVE_RUSAGE", "BZLA_USE_FPEXP"];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let packages = Packages::read();
    let bitwuzla = packages.folder("bitwuzla-sys").join("bitwuzla");
    let cadical = packages.folder("cadical").join("cadical/src");
    println!("cargo:rerun-if-changed={}", bitwuzla.join("src/config.h.in").display());
    println!("cargo:rerun-if-changed={}", cadical.join("cadical.hpp").display());

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let compiler = fast_compiler();
    let recipe = format!("1 {} {} {compiler:?} {DEFINES:?}", bitwuzla.display(), cadical.display());
    let shared = shared_folder(&out);
    if !fs::read_to_string(shared.join("recipe")).is_ok_and(|it| it == recipe) {
        write_config(&bitwuzla.join("src/config.h.in"), &out)?;
        let units = write_units(&bitwuzla.join("src"), &out)?;
        let mut build = cc::Build::new();
        build.cpp(true).std("c++17").warnings(false).debug(false).opt_level(2).cargo_metadata(false);
        for name in DEFINES {
            build.define(name, None);
        }
        if let Some(compiler) = compiler {
            build.compiler(compiler);
        }
        build.include(bitwuzla.join("include")).include(bitwuzla.join("src")).include(bitwuzla.join("src/lib"));
        build.include(cadical).include(&out).files(units).compile("bitwuzla");
        fs::write(out.join("recipe"), recipe)?;
        // The library first: where there is a recipe, there is what was made by it.
        fs::create_dir_all(&shared)?;
        fs::rename(out.join("libbitwuzla.a"), shared.join("libbitwuzla.a"))?;
        fs::rename(out.join("recipe"), shared.join("recipe"))?;
    }
    println!("cargo:rustc-link-search=native={}", shared.display());
    for library in ["static=bitwuzla", "stdc++", "gmp"] {
        println!("cargo:rustc-link-lib={library}");
    }
    Ok(())
}

/// A folder beside those of cargo's profiles, which all link the same library.
fn shared_folder(out: &Path) -> PathBuf {
    // OUT_DIR is `<target>/<profile>/build/<package>/out`.
    out.ancestors().nth(4).unwrap_or(out).join("bitwuzla")
}

/// Clang compiles these sources in less time than gcc; the frontend needs it anyway.
fn fast_compiler() -> Option<&'static str> {
    println!("cargo:rerun-if-env-changed=CXX");
    let clang = "clang++-19";
    let works = || Command::new(clang).arg("--version").output().is_ok_and(|it| it.status.success());
    (env::var_os("CXX").is_none() && works()).then_some(clang)
}

/// What cargo knows about this workspace's dependencies.
struct Packages(Value);

impl Packages {
    /// The network is asked only when cargo has not fetched everything that the whole workspace needs.
    fn read() -> Packages {
        let output = Self::metadata(&["--offline"]).or_else(|_| Self::metadata(&[]));
        let output = output.unwrap_or_else(|error| panic!("cargo metadata failed: {error}"));
        Packages(serde_json::from_slice(&output).expect("cargo metadata prints JSON"))
    }

    fn metadata(arguments: &[&str]) -> Result<Vec<u8>, String> {
        let variable = |name| env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
        let output = Command::new(variable("CARGO"))
            .args(["metadata", "--format-version", "1", "--filter-platform", &variable("TARGET")])
            .args(["--manifest-path", &format!("{}/Cargo.toml", variable("CARGO_MANIFEST_DIR"))])
            .args(arguments)
            .output()
            .map_err(|error| error.to_string())?;
        if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
    }

    fn folder(&self, name: &str) -> PathBuf {
        let packages = self.0["packages"].as_array().expect("cargo metadata lists packages");
        let package = packages.iter().find(|it| it["name"] == name);
        let manifest = package.and_then(|it| it["manifest_path"].as_str());
        let manifest = manifest.unwrap_or_else(|| panic!("cargo metadata does not know the crate {name}"));
        Path::new(manifest).parent().expect("a manifest lies in a folder").to_owned()
    }
}

/// Fills in Bitwuzla's `config.h`, as its own build does with meson.
fn write_config(template: &Path, out: &Path) -> io::Result<()> {
    let mut text = fs::read_to_string(template)?;
    for (name, value) in [
        ("is_debug_build", "false"),
        ("is_dev_version", "false"),
        ("is_git_version", "false"),
        ("git_id", ""),
        ("version", "0.8.0"),
        ("license", ""),
        ("os", ""),
        ("cc", ""),
        ("cxx", ""),
    ] {
        text = text.replace(&format!("@{name}@"), value);
    }
    fs::write(out.join("config.h"), text)
}

/// Writes one file per folder of sources that includes all of them.
fn write_units(sources: &Path, out: &Path) -> io::Result<Vec<PathBuf>> {
    let mut units: Vec<PathBuf> = KEPT.iter().map(|it| sources.join(it)).collect();
    let mut open = vec![sources.to_owned()];
    while let Some(folder) = open.pop() {
        let mut together = Vec::new();
        for entry in sorted_entries(&folder)? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if entry.is_dir() && !LEFT_OUT.contains(&name.as_str()) {
                open.push(entry);
            } else if ALONE.iter().any(|it| entry.ends_with(it)) {
                units.push(entry);
            } else if name == "logger.cpp" {
                together.push(format!("#include \"{}\"\n", write_silent_logger(&entry, out)?.display()));
            } else if name.ends_with(".cpp") && name != "parser.cpp" {
                together.push(format!("#include \"{}\"\n", entry.display()));
            }
        }
        if !together.is_empty() {
            let name = folder.strip_prefix(sources).unwrap_or(&folder).to_string_lossy().replace('/', "_");
            let unit = out.join(format!("unit_{name}.cpp"));
            fs::write(&unit, together.concat())?;
            units.push(unit);
        }
    }
    Ok(units)
}

/// A library must not write to standard output, where we print our findings.
fn write_silent_logger(logger: &Path, out: &Path) -> io::Result<PathBuf> {
    let text = fs::read_to_string(logger)?;
    let silent = text.replace("return std::cout;", "thread_local std::ostream nowhere(nullptr);\n  return nowhere;");
    assert_ne!(text, silent, "Bitwuzla's logger is not what it was: see where its warnings go");
    let path = out.join("silent_logger.cpp");
    fs::write(&path, silent)?;
    Ok(path)
}

fn sorted_entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?.map(|it| Ok(it?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    Ok(entries)
}
