//! One ranking from the answers of several engines about the same failing run.
//!
//! [`merge`]: diagnoses → one diagnosis with a suspect for each source line that some engine blames.
//!
//! The score of a line is `1 - Π (1 - w·s)` over the engines that blame it: `s` is the engine's own score there, `w` how
//! much its word counts ([`weight`]). So engines that agree add up, and none alone reaches certainty. A patch that was
//! checked shows more than any agreement: such a line has `(1 + w·s) / 2`, whatever the others say of it, and `s` says
//! how much of what the program did is left with the patch (see `ped::fixes`). Against a line: an engine asked about it
//! and cleared it; it is the assertion that failed, which says what should be true and is seldom wrong itself; it only
//! takes an input, and what comes from outside is not the program's fault. Each multiplies the score.
//! The result depends on nothing but the diagnoses; lines of the same score stand in the order of the source.
//!
//! Not here: running engines.

use std::collections::{BTreeMap, BTreeSet};

use diagnosis::{Checked, Diagnosis, Evidence, Score, Suspect};
use program::exec::CommandRef;
use program::{BlockId, CommandKind, FunctionId, Program};
use source::{FileId, Span};

use crate::engines::Engine;
use crate::ped;

/// What is left of a line's score if an engine cleared it.
const CLEARED: f64 = 0.6;
/// What is left of the score of the assertion that failed.
const SYMPTOM: f64 = 0.5;
/// What is left of the score of a line that only takes an input.
const INPUT: f64 = 0.6;

/// A line of the source.
pub type Line = (FileId, u32);

/// What is known about lines without asking an engine.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Where the program's own assertion failed, if that is what failed.
    pub symptom: Option<Line>,
    /// Lines that write nothing but inputs.
    pub inputs: BTreeSet<Line>,
}

impl Known {
    pub fn of(program: &Program, symptom: Option<Span>) -> Known {
        let (mut inputs, mut others) = (BTreeSet::new(), BTreeSet::new());
        for (index, function) in program.functions.iter().enumerate() {
            for (number, block) in function.body.iter().flat_map(|body| &body.blocks).enumerate() {
                for (position, command) in block.commands.iter().enumerate() {
                    if !matches!(command.kind, CommandKind::Assign { .. } | CommandKind::Store { .. }) {
                        continue;
                    }
                    let (function, block) = (FunctionId(index as u32), BlockId(number as u32));
                    let at = CommandRef { function, block, index: position as u32 };
                    let Some(place) = program.place(command.site) else { continue };
                    let lines = if ped::spots::takes_input(program, at) { &mut inputs } else { &mut others };
                    lines.insert((place.file, place.position.line));
                }
            }
        }
        Known { symptom: symptom.map(line), inputs: inputs.difference(&others).copied().collect() }
    }
}

/// How much an engine's word about a line counts, from 0 to 1.
fn weight(engine: &str, suspect: &Suspect) -> f64 {
    match suspect.fix.as_ref().map(|fix| fix.checked) {
        Some(Checked::Proved) => return 0.97,
        Some(Checked::Bounded) => return 0.94,
        Some(Checked::Tests) => return 0.9,
        Some(Checked::None) | None => {}
    }
    match engine {
        name if name == Engine::Relevance.name() => 0.5,
        name if name == Engine::MaxSat.name() => 0.4,
        name if name == ped::NAME => 0.4,
        name if name == Engine::FlowSensitive.name() => 0.25,
        name if name == Engine::ErrorInvariants.name() => 0.25,
        _ => 0.3,
    }
}

/// Whether an engine says what should be otherwise at a line, and not only that something should.
fn tells_values(engine: &str) -> bool {
    engine == Engine::Relevance.name() || engine == ped::NAME
}

/// What one engine says about one line.
struct Word<'d> {
    engine: &'d str,
    suspect: &'d Suspect,
    strength: f64,
}

/// Brings the answers together.
pub fn merge(answers: &[Diagnosis], known: &Known) -> Diagnosis {
    let mut lines: BTreeMap<Line, Vec<Word<'_>>> = BTreeMap::new();
    for answer in answers {
        let engine = answer.engines.first().map_or("", String::as_str);
        for suspect in &answer.suspects {
            let Some(line) = suspect.place.map(line) else { continue };
            let strength = weight(engine, suspect) * suspect.score.value();
            lines.entry(line).or_default().push(Word { engine, suspect, strength });
        }
    }
    let cleared: Vec<&Evidence> = answers.iter().flat_map(|answer| &answer.cleared).collect();
    let mut merged = Diagnosis {
        engines: answers.iter().flat_map(|answer| answer.engines.iter().cloned()).collect(),
        suspects: lines.into_iter().map(|(at, words)| suspect(at, words, &cleared, known)).collect(),
        statements: answers.iter().map(|answer| answer.statements).max().unwrap_or(0),
        blamed: answers.iter().map(|answer| answer.blamed).max().unwrap_or(0),
        undecided: answers.iter().map(|answer| answer.undecided).max().unwrap_or(0),
        ..Diagnosis::default()
    };
    for note in answers.iter().flat_map(|answer| &answer.notes) {
        if !merged.notes.contains(note) {
            merged.notes.push(note.clone());
        }
    }
    merged.rank();
    merged
}

fn line(span: Span) -> Line {
    (span.file, span.start.line)
}

/// The suspect of a line: what the strongest word with values says, with the others as evidence.
fn suspect(at: Line, mut words: Vec<Word<'_>>, cleared: &[&Evidence], known: &Known) -> Suspect {
    // A stable sort: of equals, the engine that was asked first.
    words.sort_by(|one, other| other.strength.total_cmp(&one.strength));
    let mut engines: Vec<&str> = Vec::new();
    let mut doubt = 1.0;
    for word in &words {
        // An engine has one voice for a line, its loudest.
        if !engines.contains(&word.engine) {
            engines.push(word.engine);
            doubt *= 1.0 - word.strength;
        }
    }
    let mut score = 1.0 - doubt;
    let against: Vec<&&Evidence> = (cleared.iter())
        .filter(|it| it.place.map(line) == Some(at) && !engines.contains(&it.engine.as_str()))
        .collect();
    let has_patch = words[0].suspect.fix.as_ref().is_some_and(|fix| fix.checked != Checked::None);
    if has_patch {
        score = 0.5 + 0.5 * words[0].strength;
    } else if let Some(index) = words.iter().position(|word| tells_values(word.engine)) {
        // A sentence with values says more than that a change could help.
        words[..=index].rotate_right(1);
    }
    let best = words[0].suspect;
    // What is cleared is the value that a line writes: a patch shows that the line can do something else.
    if !against.is_empty() && !has_patch {
        score *= CLEARED;
    }
    if known.symptom == Some(at) && !has_patch {
        score *= SYMPTOM;
    }
    if known.inputs.contains(&at) && !has_patch {
        score *= INPUT;
    }
    let mut evidence = best.evidence.clone();
    let mut told = vec![words[0].engine];
    for word in &words[1..] {
        if !told.contains(&word.engine) {
            told.push(word.engine);
            let (engine, message) = (word.engine.to_owned(), word.suspect.why.clone());
            evidence.push(Evidence { engine, message, place: word.suspect.place });
        }
    }
    for it in against {
        if !evidence.contains(it) {
            evidence.push((*it).clone());
        }
    }
    Suspect {
        score: Score::new(score),
        engines: engines.iter().map(|&it| it.to_owned()).collect(),
        evidence,
        ..best.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diagnosis::Fix;
    use source::Position;

    fn span(line: u32) -> Span {
        Span { file: FileId(0), start: Position { line, column: 1 }, end: Position { line, column: 5 } }
    }

    fn blames(engine: &str, lines: &[(u32, f64)]) -> Diagnosis {
        let suspect = |&(line, score): &(u32, f64)| Suspect {
            place: Some(span(line)),
            text: String::new(),
            function: "main".to_owned(),
            score: Score::new(score),
            engines: vec![engine.to_owned()],
            why: format!("{engine} says so"),
            evidence: Vec::new(),
            step: None,
            lines: Vec::new(),
            fix: None,
        };
        let suspects = lines.iter().map(suspect).collect();
        Diagnosis { engines: vec![engine.to_owned()], suspects, ..Diagnosis::default() }
    }

    #[track_caller]
    fn check(answers: &[Diagnosis], symptom: Option<u32>, expected: &[u32]) {
        let merged = merge(answers, &Known { symptom: symptom.map(|it| line(span(it))), ..Known::default() });
        let lines: Vec<u32> = merged.suspects.iter().filter_map(|it| Some(it.place?.start.line)).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn agreement_counts_more_than_one_loud_voice() {
        let answers = [blames("relevance", &[(3, 0.9), (7, 0.8)]), blames("max-sat", &[(7, 0.8)])];
        check(&answers, None, &[7, 3]);
        assert_eq!(merge(&answers, &Known::default()).suspects[0].engines, ["relevance", "max-sat"]);
        assert_eq!(merge(&answers, &Known::default()).suspects[0].evidence[0].message, "max-sat says so");
    }

    #[test]
    fn a_sentence_with_values_is_told_first() {
        let answers = [blames("max-sat", &[(7, 0.9)]), blames("ped", &[(7, 0.3)])];
        let merged = merge(&answers, &Known::default());
        assert_eq!(merged.suspects[0].why, "ped says so");
        assert_eq!(merged.suspects[0].engines, ["max-sat", "ped"]);
        assert_eq!(merged.suspects[0].evidence[0].message, "max-sat says so");
    }

    #[test]
    fn saying_it_twice_does_not_count_more() {
        let once = merge(&[blames("relevance", &[(3, 0.9)])], &Known::default());
        let twice = merge(&[blames("relevance", &[(3, 0.9), (3, 0.9)])], &Known::default());
        assert_eq!(once.suspects[0].score, twice.suspects[0].score);
    }

    #[test]
    fn a_checked_patch_comes_first() {
        let mut ped = blames("ped", &[(9, 0.8)]);
        ped.suspects[0].fix = Some(Fix { diff: String::new(), checked: Checked::Bounded });
        let engines = ["relevance", "max-sat", "flow-sensitive"];
        let mut answers: Vec<Diagnosis> = engines.iter().map(|engine| blames(engine, &[(3, 0.9)])).collect();
        answers.push(ped);
        check(&answers, None, &[9, 3]);
    }

    #[test]
    fn of_two_checked_patches_the_better_comes_first() {
        let mut ped = blames("ped", &[(9, 0.9), (3, 0.8)]);
        for suspect in &mut ped.suspects {
            suspect.fix = Some(Fix { diff: String::new(), checked: Checked::Bounded });
        }
        check(&[blames("relevance", &[(3, 0.9)]), blames("max-sat", &[(3, 0.9)]), ped], None, &[9, 3]);
    }

    #[test]
    fn what_was_cleared_and_the_assertion_itself_sink() {
        let mut relevance = blames("relevance", &[(5, 0.6)]);
        let message = "no other value helps".to_owned();
        relevance.cleared.push(Evidence { engine: "relevance".to_owned(), message, place: Some(span(3)) });
        let answers = [relevance, blames("max-sat", &[(3, 0.8), (5, 0.4)])];
        check(&answers, None, &[5, 3]);
        check(&[blames("max-sat", &[(3, 0.8), (5, 0.7)])], Some(3), &[5, 3]);
    }

    #[test]
    fn what_only_takes_an_input_sinks() {
        let answers = [blames("relevance", &[(3, 0.8), (5, 0.7)])];
        let known = Known { inputs: BTreeSet::from([(FileId(0), 3)]), ..Known::default() };
        assert_eq!(merge(&answers, &known).suspects[0].place, Some(span(5)));
    }

    #[test]
    fn equals_stand_in_the_order_of_the_source() {
        check(&[blames("relevance", &[(8, 0.5), (2, 0.5)])], None, &[2, 8]);
        check(&[], None, &[]);
    }
}
