//! Which crate may depend on which: the data flows one way, and each stage knows only what it must.
//!
//! The tables below are the design. Input: what `cargo metadata --no-deps` says about the workspace.
//! Dependencies of the shipped code (normal and build) must be in [`ALLOWED`]; tests may also use a
//! crate downstream of nothing they test, that is, any crate that does not depend on theirs.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Finding;

/// Each crate of the workspace, and the crates of the workspace that it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("workers", &[]),
    ("graph", &[]),
    ("source", &[]),
    ("program", &["source"]),
    // Boogie becomes guarded commands over terms at once: its integers, reals and maps are no types of C.
    ("frontend", &["workers", "graph", "source", "program", "logic"]),
    ("logic", &[]),
    ("abstraction", &["graph", "program"]),
    ("verify", &["graph", "source", "program", "logic", "abstraction"]),
    ("runtime", &[]),
    ("observe", &["workers", "graph", "source", "runtime"]),
    ("diagnosis", &["source"]),
    ("localize", &["workers", "graph", "source", "program", "logic", "abstraction", "verify", "observe", "diagnosis"]),
    // It judges repairs by commands of the user, which `observe` runs.
    ("repair", &["source", "program", "frontend", "logic", "verify", "observe", "diagnosis"]),
    ("report", &["source", "program", "diagnosis"]),
    (
        "faultline",
        &[
            "workers",
            "source",
            "program",
            "frontend",
            "logic",
            "abstraction",
            "verify",
            "observe",
            "diagnosis",
            "localize",
            "repair",
            "report",
        ],
    ),
    // Drives the binary from outside, so that `tidy` builds in seconds and without LLVM.
    ("xtask", &[]),
];

/// Crates from outside that only some of ours may use.
struct Reserved {
    /// Exact names, or with a final `*` the beginning of names.
    crates: &'static [&'static str],
    users: &'static [&'static str],
    reason: &'static str,
}

const RESERVED: &[Reserved] = &[
    Reserved {
        crates: &["inkwell", "llvm-sys", "llvm-ir"],
        users: &["frontend", "observe"],
        reason: "engines work on the program IR, never on LLVM's",
    },
    Reserved {
        crates: &["bitwuzla*", "cadical*", "rustsat*", "z3*", "cvc5*", "varisat*", "batsat*"],
        users: &["logic"],
        reason: "a solver is reached through the solver trait, so that it can be exchanged",
    },
    Reserved {
        crates: &["annotate-snippets", "serde-sarif"],
        users: &["report"],
        reason: "findings are data until the last stage makes text of them",
    },
    Reserved {
        crates: &["clap*", "anyhow"],
        users: &["faultline", "xtask"],
        reason: "libraries have typed errors and leave the command line to the binary",
    },
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Shipped,
    Test,
}

/// A crate of the workspace with its direct dependencies.
pub struct Package {
    pub name: String,
    pub manifest: String,
    pub dependencies: Vec<(String, Kind)>,
}

/// Asks cargo for the workspace's crates.
pub fn read(root: &Path) -> Result<Vec<Package>> {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    parse(&output.stdout, root)
}

fn parse(metadata: &[u8], root: &Path) -> Result<Vec<Package>> {
    let metadata: Value = serde_json::from_slice(metadata).context("cargo metadata is no JSON")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let root = root.to_string_lossy();
    let package = |package: &Value| Package {
        name: text(&package["name"]),
        manifest: text(&package["manifest_path"]).trim_start_matches(root.as_ref()).trim_start_matches('/').to_owned(),
        dependencies: list(&package["dependencies"])
            .iter()
            .map(|it| {
                let kind = if it["kind"] == "dev" { Kind::Test } else { Kind::Shipped };
                (text(&it["name"]), kind)
            })
            .collect(),
    };
    Ok(list(&metadata["packages"]).iter().map(package).collect())
}

pub fn check(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let mut add = |message: String| {
            findings.push(Finding { file: package.manifest.clone(), line: 1, message });
        };
        if allowed(&package.name).is_none() {
            add(format!(
                "crate `{}` is not in the table of xtask/src/tidy/dependencies.rs: \
                 what a crate may know is decided before it is written",
                package.name
            ));
            continue;
        }
        for (dependency, kind) in &package.dependencies {
            if let Some(message) = objection(&package.name, dependency, *kind) {
                add(message);
            }
        }
    }
    findings
}

fn objection(user: &str, dependency: &str, kind: Kind) -> Option<String> {
    if allowed(dependency).is_some() {
        let fine = match kind {
            Kind::Shipped => allowed(user)?.contains(&dependency),
            Kind::Test => !reachable(dependency).contains(user),
        };
        return (!fine).then(|| format!("`{user}` must not depend on `{dependency}`: the data flows one way"));
    }
    let reserved = RESERVED.iter().find(|it| it.crates.iter().any(|it| matches(it, dependency)))?;
    (!reserved.users.contains(&user)).then(|| {
        let users = reserved.users.join("` and `");
        format!("only `{users}` may depend on `{dependency}`: {}", reserved.reason)
    })
}

fn allowed(name: &str) -> Option<&'static [&'static str]> {
    ALLOWED.iter().find(|(it, _)| *it == name).map(|(_, dependencies)| *dependencies)
}

/// What a crate may depend on directly or through others, itself included.
fn reachable(name: &str) -> BTreeSet<&str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![name];
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(allowed(next).unwrap_or_default());
        }
    }
    reached
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect(name: &str, dependencies: &[(&str, Kind)], expected: &[&str]) {
        let package = Package {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            dependencies: dependencies.iter().map(|(it, kind)| (it.to_string(), *kind)).collect(),
        };
        let found: Vec<String> = check(&[package]).into_iter().map(|it| it.message).collect();
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn edges_between_our_crates() {
        use Kind::{Shipped, Test};
        expect("program", &[("source", Shipped), ("serde", Shipped)], &[]);
        expect("program", &[("report", Shipped)], &["`program` must not depend on `report`: the data flows one way"]);
        // Tests may look sideways, never downstream.
        expect("report", &[("frontend", Test)], &[]);
        expect("program", &[("frontend", Test)], &["`program` must not depend on `frontend`"]);
        expect("helpers", &[], &["crate `helpers` is not in the table"]);
    }

    #[test]
    fn crates_from_outside() {
        use Kind::{Shipped, Test};
        expect("frontend", &[("inkwell", Shipped)], &[]);
        expect("logic", &[("bitwuzla-sys", Shipped), ("z3", Shipped)], &[]);
        expect(
            "verify",
            &[("inkwell", Shipped), ("z3-sys", Shipped), ("anyhow", Test)],
            &[
                "only `frontend` and `observe` may depend on `inkwell`",
                "only `logic` may depend on `z3-sys`",
                "only `faultline` and `xtask` may depend on `anyhow`",
            ],
        );
    }

    #[test]
    fn the_table_itself_has_no_cycle() {
        for (user, dependencies) in ALLOWED {
            for dependency in *dependencies {
                assert!(allowed(dependency).is_some(), "`{dependency}` is not in the table");
                assert!(!reachable(dependency).contains(user), "{user} -> {dependency} -> {user}");
            }
        }
    }

    #[test]
    fn reads_what_cargo_writes() {
        let metadata = br#"{"packages": [{
            "name": "program", "manifest_path": "/p/crates/program/Cargo.toml",
            "dependencies": [
                {"name": "source", "kind": null},
                {"name": "cc", "kind": "build"},
                {"name": "insta", "kind": "dev"}
            ]}]}"#;
        let packages = parse(metadata, Path::new("/p")).unwrap();
        assert_eq!(packages[0].manifest, "crates/program/Cargo.toml");
        let kinds: Vec<bool> = packages[0].dependencies.iter().map(|(_, kind)| *kind == Kind::Test).collect();
        assert_eq!(kinds, [false, false, true]);
    }
}
