//! Which checks are on: by our names, by SV-COMP's names of properties, or by one of its property files.

use std::path::Path;

use anyhow::{Context, Result, bail};
use program::exec::{Checks, ViolationKind};

/// Properties of SV-COMP that are not checked, and what to say about them.
const REFUSED: [(&str, &str); 4] = [
    ("termination", "whether a program ends is not checked"),
    ("no-data-race", "threads are not supported"),
    ("valid-memtrack", "lost pointers are not told from forgotten ones; valid-memcleanup is the nearest check"),
    ("coverage", "test generation is not supported"),
];
/// Names of properties that stand for several.
const GROUPS: [(&str, &[&str]); 1] = [("valid-memsafety", &["valid-deref", "valid-free"])];

/// The checks that were asked for.
#[derive(Clone, Debug)]
pub struct Selected {
    pub checks: Checks,
    /// Properties of a property file that are not checked: without them, nothing is proved.
    pub unchecked: Vec<(String, &'static str)>,
}

impl Selected {
    /// The properties that these checks belong to, each once, in the order of our checks.
    pub fn properties(&self) -> Vec<&'static str> {
        let mut properties = Vec::new();
        for kind in ViolationKind::ALL.iter().filter(|kind| self.checks.has(**kind)) {
            if !properties.contains(&kind.property()) {
                properties.push(kind.property());
            }
        }
        properties
    }
}

/// The usual checks, with what `--property` and `--no-property` change.
pub fn select(added: &[String], removed: &[String]) -> Result<Selected> {
    let mut selected = Selected { checks: Checks::default(), unchecked: Vec::new() };
    let files: Vec<&String> = added.iter().filter(|name| is_file(name)).collect();
    if !files.is_empty() {
        // A property file says all that is to be checked.
        selected.checks = Checks::NONE;
    }
    for name in added {
        selected.checks = match name.as_str() {
            "none" => Checks::NONE,
            "all" => Checks::ALL,
            "default" => Checks::default(),
            name if is_file(name) => of_file(Path::new(name), &mut selected)?,
            name => kinds(name)?.into_iter().fold(selected.checks, Checks::with),
        };
    }
    for name in removed {
        selected.checks = match name.as_str() {
            "all" => Checks::NONE,
            name => kinds(name)?.into_iter().fold(selected.checks, Checks::without),
        };
    }
    Ok(selected)
}

fn is_file(name: &str) -> bool {
    name.ends_with(".prp")
}

/// The kinds that a name stands for: one by its own name, or all of a property.
fn kinds(name: &str) -> Result<Vec<ViolationKind>> {
    let singular = name.strip_suffix('s').unwrap_or(name);
    if let Some(kind) = ViolationKind::from_name(name).or_else(|| ViolationKind::from_name(singular)) {
        return Ok(vec![kind]);
    }
    if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        bail!("`{name}` cannot be checked: {why}");
    }
    let group = GROUPS.iter().find(|(group, _)| *group == name).map(|(_, members)| *members);
    let belongs = |kind: &&ViolationKind| match group {
        Some(members) => members.contains(&kind.property()),
        None => kind.property() == name,
    };
    let of_property: Vec<ViolationKind> = ViolationKind::ALL.iter().filter(belongs).copied().collect();
    if of_property.is_empty() {
        let known: Vec<&str> = ViolationKind::ALL.iter().map(|kind| kind.name()).collect();
        bail!(
            "there is no check `{name}`; there are all, none, default, {}, and SV-COMP's properties unreach-call, \
             valid-deref, valid-free, valid-memcleanup, no-overflow",
            known.join(", ")
        );
    }
    Ok(of_property)
}

/// Adds the properties of a file as SV-COMP writes it.
fn of_file(path: &Path, selected: &mut Selected) -> Result<Checks> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut checks = selected.checks;
    let mut found = false;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{}:{}", path.display(), number + 1);
        found = true;
        match property(line).with_context(place)? {
            Property::Kinds(kinds) => checks = kinds.into_iter().fold(checks, Checks::with),
            Property::Unchecked(name, why) => selected.unchecked.push((name, why)),
        }
    }
    if !found {
        bail!(
            "{} has no property: expected a line such as CHECK( init(main()), LTL(G ! call(reach_error())) )",
            path.display()
        );
    }
    if checks == Checks::NONE {
        let words: Vec<String> = selected.unchecked.iter().map(|(name, why)| format!("`{name}`: {why}")).collect();
        bail!("{} asks for nothing that can be checked: {}", path.display(), words.join("; "));
    }
    Ok(checks)
}

/// A line of a property file.
enum Property {
    Kinds(Vec<ViolationKind>),
    Unchecked(String, &'static str),
}

fn property(line: &str) -> Result<Property> {
    let bare: String = line.chars().filter(|it| !it.is_whitespace()).collect();
    let formula = bare.strip_prefix("CHECK(init(main()),LTL(").and_then(|rest| rest.strip_suffix("))"));
    if bare.starts_with("COVER") {
        return Ok(refused("coverage"));
    }
    let Some(formula) = formula else {
        bail!("`{}` is no property: expected CHECK( init(main()), LTL(…) )", line.trim());
    };
    let name = match formula {
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" | "Gassert" => "unreach-call",
        "Gvalid-free" => "valid-free",
        "Gvalid-deref" => "valid-deref",
        "Gvalid-memcleanup" => "valid-memcleanup",
        "Gvalid-memtrack" => return Ok(refused("valid-memtrack")),
        "G!overflow" => "no-overflow",
        "Fend" => return Ok(refused("termination")),
        "G!data-race" => return Ok(refused("no-data-race")),
        other => bail!("the property `{other}` is not known"),
    };
    Ok(Property::Kinds(kinds(name)?))
}

fn refused(name: &str) -> Property {
    let why = REFUSED.iter().find(|(refused, _)| *refused == name).map_or("it is not supported", |(_, why)| *why);
    Property::Unchecked(name.to_owned(), why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(added: &[&str], removed: &[&str], expected: &[&str]) {
        let list = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let selected = select(&list(added), &list(removed)).unwrap();
        assert_eq!(selected.properties(), expected);
    }

    #[test]
    fn names() {
        check(&["none", "unreach-call"], &[], &["unreach-call"]);
        check(&["none", "valid-memsafety"], &[], &["valid-deref", "valid-free"]);
        check(&["none", "overflow", "leak"], &["leaks"], &["no-overflow"]);
        check(&["none", "valid-memcleanup"], &[], &["valid-memcleanup"]);
    }

    #[test]
    fn refusals() {
        for name in ["termination", "no-data-race", "valid-memtrack", "nonsense"] {
            assert!(select(&[name.to_owned()], &[]).is_err(), "{name}");
        }
    }

    #[test]
    fn property_files() {
        let lines = [
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )", "unreach-call"),
            ("CHECK( init(main()), LTL(G valid-free) )", "valid-free"),
            ("CHECK(init(main()),LTL(G ! overflow))", "no-overflow"),
        ];
        for (line, name) in lines {
            match property(line).unwrap() {
                Property::Kinds(kinds) => assert!(kinds.iter().all(|kind| kind.property() == name), "{line}"),
                Property::Unchecked(..) => panic!("{line}"),
            }
        }
        assert!(matches!(property("CHECK( init(main()), LTL(F end) )"), Ok(Property::Unchecked(..))));
        assert!(property("CHECK( init(main()), LTL(G magic) )").is_err());
        assert!(property("int main() {}").is_err());
    }
}
