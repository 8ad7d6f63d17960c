//! From traces to the program: a statement is to blame in a program if it is in each of its error traces.
//!
//! The diagnoses of several failing runs → one ("Simple bugs", §4). Statements are compared by their place in
//! the source. What is lost on the way is the paper's own loss: each trace may ask for another value at the same
//! place.

use diagnosis::{Diagnosis, Evidence, Suspect};

/// What all traces blame. `complete`: no failing run takes a path unlike all of these.
pub fn intersect(diagnoses: Vec<Diagnosis>, complete: bool) -> Diagnosis {
    let count = diagnoses.len();
    let mut rest = diagnoses.into_iter();
    let Some(mut whole) = rest.next() else { return Diagnosis::default() };
    let mut dropped = 0;
    for other in rest {
        let before = whole.suspects.len();
        whole.suspects.retain_mut(|suspect| match other.suspects.iter().find(|it| same_place(it, suspect)) {
            Some(again) => {
                agree(suspect, again);
                true
            }
            None => false,
        });
        dropped += before - whole.suspects.len();
        whole.undecided = whole.undecided.max(other.undecided);
        whole.statements = whole.statements.max(other.statements);
        for note in other.notes {
            if !whole.notes.contains(&note) {
                whole.notes.push(note);
            }
        }
    }
    let traces = if count == 1 { "one error trace".to_owned() } else { format!("{count} error traces") };
    let all = if complete { "every other failing run resembles one of them" } else { "there may be more" };
    whole.notes.push(format!("this rests on {traces}; {all}"));
    if dropped > 0 {
        let places = if dropped == 1 { "one place is".to_owned() } else { format!("{dropped} places are") };
        whole.notes.push(format!("{places} to blame on some of the traces only"));
    }
    whole.rank();
    whole
}

fn same_place(one: &Suspect, other: &Suspect) -> bool {
    one.place == other.place && (one.place.is_some() || one.text == other.text)
}

/// Keeps what another trace says about the same place, if it is something else.
fn agree(suspect: &mut Suspect, again: &Suspect) {
    let known = again.why == suspect.why || suspect.evidence.iter().any(|it| it.message == again.why);
    if !known {
        let engine = again.engines.first().cloned().unwrap_or_default();
        suspect.evidence.push(Evidence { engine, message: again.why.clone(), place: again.place });
    }
}

#[cfg(test)]
mod tests {
    use diagnosis::{Diagnosis, Score, Suspect};

    use super::intersect;

    fn blaming(texts: &[&str]) -> Diagnosis {
        let suspect = |text: &&str| Suspect {
            place: None,
            text: (*text).to_owned(),
            function: String::new(),
            score: Score::new(0.5),
            engines: vec!["relevance".to_owned()],
            why: format!("{text} {}", texts.len()),
            evidence: Vec::new(),
            step: None,
            lines: Vec::new(),
            fix: None,
        };
        Diagnosis { suspects: texts.iter().map(suspect).collect(), ..Diagnosis::default() }
    }

    #[test]
    fn only_what_all_traces_blame_stays() {
        let whole = intersect(vec![blaming(&["a", "b", "c"]), blaming(&["c", "a"])], true);
        let texts: Vec<&str> = whole.suspects.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["a", "c"]);
        assert_eq!(whole.suspects[0].evidence[0].message, "a 2");
        assert_eq!(
            whole.notes,
            [
                "this rests on 2 error traces; every other failing run resembles one of them",
                "one place is to blame on some of the traces only"
            ]
        );
    }

    #[test]
    fn one_trace_says_so() {
        let whole = intersect(vec![blaming(&["a"])], false);
        assert_eq!(whole.notes, ["this rests on one error trace; there may be more"]);
    }
}
