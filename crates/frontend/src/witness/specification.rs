//! Specifications: SV-COMP's texts of properties ↔ the kinds of violations.
//!
//! Where SV-COMP has no text for a kind, ours names the kind, so that our own witnesses can be read back.

use program::exec::ViolationKind;

/// The text for a violation of this kind.
pub fn text(kind: ViolationKind) -> String {
    match kind.property() {
        "unreach-call" => "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
        "no-overflow" => "CHECK( init(main()), LTL(G ! overflow) )".to_owned(),
        property @ ("valid-deref" | "valid-free" | "valid-memtrack" | "valid-memcleanup") => {
            format!("CHECK( init(main()), LTL(G {property}) )")
        }
        _ => format!("CHECK( init(main()), LTL(G ! {}) )", kind.name()),
    }
}

/// The kinds that a text is about; `None` if it says nothing that is known here.
pub fn kinds(text: &str) -> Option<Vec<ViolationKind>> {
    let mut found = Vec::new();
    for formula in text.split("LTL(").skip(1) {
        let formula: String = formula.split_whitespace().collect();
        let property = match formula.strip_prefix('G') {
            Some(rest) => rest.trim_start_matches('!'),
            None => continue,
        };
        let word: String = property.chars().take_while(|it| it.is_alphanumeric() || matches!(it, '-' | '_')).collect();
        let property = match word.as_str() {
            "call" | "label" => "unreach-call",
            "overflow" => "no-overflow",
            "valid-memtrack" => "valid-memcleanup",
            other => other,
        };
        let fits = |kind: &&ViolationKind| kind.property() == property || kind.name() == property;
        found.extend(ViolationKind::ALL.iter().filter(fits));
    }
    found.sort_unstable();
    found.dedup();
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_among_those_that_its_text_names() {
        for &kind in ViolationKind::ALL {
            let found = kinds(&text(kind)).unwrap_or_default();
            assert!(found.contains(&kind), "{kind:?}: {found:?}");
            assert!(found.iter().all(|it| it.property() == kind.property() || it.name() == kind.name()), "{found:?}");
        }
    }

    #[test]
    fn several_properties_and_unknown_ones() {
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        let found = kinds(memory).unwrap_or_default();
        assert!(found.contains(&ViolationKind::DoubleFree) && found.contains(&ViolationKind::NullDereference));
        assert!(!found.contains(&ViolationKind::Overflow));
        assert_eq!(kinds("CHECK( init(main()), LTL(F end) )"), None);
        assert_eq!(kinds(""), None);
    }
}
