//! The annotation library (PED, §4.2): alternatives for what stands in a program, with weights.
//!
//! TOML → [`Annotations`]. The default is built in; a project's file is laid over it. An error has its place in
//! the file. What the entries mean for a program, engines know.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// The default, which is also the description of the format.
pub const DEFAULT: &str = include_str!("annotations.toml");

/// Weights are below this.
pub const MOST: u32 = 99;

const OPERATORS: [&str; 17] =
    ["<=", "<", ">", ">=", "==", "!=", "+", "-", "*", "/", "%", "&", "|", "<<", ">>", "&&", "||"];

/// Why a file of annotations cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct AnnotationError {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// What could stand in a program instead of what stands there. A weight of 0 is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotations {
    pub operators: BTreeMap<String, BTreeMap<String, u32>>,
    /// What is added to constants.
    pub constants: BTreeMap<i64, u32>,
    /// What is added to the right side of a comparison.
    pub bounds: BTreeMap<i64, u32>,
    /// What constants may be too large or too small by, as a factor.
    pub scales: BTreeMap<i64, u32>,
    pub same_type: u32,
    pub swapped: u32,
    pub initialized: u32,
    pub midpoint: u32,
    pub null_tested: u32,
    pub negated: u32,
    pub elements: u32,
    pub count: u32,
    pub tested: u32,
    pub terminated: u32,
    pub room: u32,
    pub end: u32,
    pub free_value: u32,
    pub free_outcome: u32,
}

type Weight = Spanned<u32>;
type Weights = BTreeMap<Spanned<String>, Weight>;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct File {
    operators: BTreeMap<Spanned<String>, Weights>,
    constants: Weights,
    bounds: Weights,
    scales: Weights,
    variables: Variables,
    calls: Calls,
    sums: Sums,
    pointers: Pointers,
    conditions: Conditions,
    sizes: Sizes,
    free: Free,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Variables {
    same_type: Option<Weight>,
    initialized: Option<Weight>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Calls {
    swapped: Option<Weight>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Sums {
    midpoint: Option<Weight>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Pointers {
    tested: Option<Weight>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Conditions {
    negated: Option<Weight>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Sizes {
    elements: Option<Weight>,
    count: Option<Weight>,
    tested: Option<Weight>,
    terminated: Option<Weight>,
    room: Option<Weight>,
    end: Option<Weight>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Free {
    value: Option<Weight>,
    outcome: Option<Weight>,
}

impl Default for Annotations {
    fn default() -> Annotations {
        let mut annotations = Annotations {
            operators: BTreeMap::new(),
            constants: BTreeMap::new(),
            bounds: BTreeMap::new(),
            scales: BTreeMap::new(),
            same_type: 0,
            swapped: 0,
            initialized: 0,
            midpoint: 0,
            null_tested: 0,
            negated: 0,
            elements: 0,
            count: 0,
            tested: 0,
            terminated: 0,
            room: 0,
            end: 0,
            free_value: 0,
            free_outcome: 0,
        };
        let read = annotations.add("the built-in annotations", DEFAULT);
        read.unwrap_or_else(|error| unreachable!("the default is tested: {error}"));
        annotations
    }
}

impl Annotations {
    /// Lays a file's entries over these.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), AnnotationError> {
        let reading = Reading { name, text };
        let file: File = toml::from_str(text)
            .map_err(|error| reading.error(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        for (operator, alternatives) in &file.operators {
            let known = reading.operator(operator)?;
            let entry = self.operators.entry(known).or_default();
            for (alternative, weight) in alternatives {
                entry.insert(reading.operator(alternative)?, reading.weight(weight)?);
            }
        }
        for (given, kept) in [(&file.constants, &mut self.constants), (&file.bounds, &mut self.bounds)] {
            for (offset, weight) in given {
                kept.insert(reading.offset(offset)?, reading.weight(weight)?);
            }
        }
        for (factor, weight) in &file.scales {
            self.scales.insert(reading.factor(factor)?, reading.weight(weight)?);
        }
        let single = [
            (&file.variables.same_type, &mut self.same_type),
            (&file.variables.initialized, &mut self.initialized),
            (&file.calls.swapped, &mut self.swapped),
            (&file.sums.midpoint, &mut self.midpoint),
            (&file.pointers.tested, &mut self.null_tested),
            (&file.conditions.negated, &mut self.negated),
            (&file.sizes.elements, &mut self.elements),
            (&file.sizes.count, &mut self.count),
            (&file.sizes.tested, &mut self.tested),
            (&file.sizes.terminated, &mut self.terminated),
            (&file.sizes.room, &mut self.room),
            (&file.sizes.end, &mut self.end),
            (&file.free.value, &mut self.free_value),
            (&file.free.outcome, &mut self.free_outcome),
        ];
        for (given, kept) in single {
            if let Some(weight) = given {
                *kept = reading.weight(weight)?;
            }
        }
        Ok(())
    }

    /// What could stand for an operator, without those of weight 0.
    pub fn operator(&self, operator: &str) -> impl Iterator<Item = (&str, u32)> {
        let alternatives = self.operators.get(operator).into_iter().flatten();
        alternatives.map(|(to, weight)| (to.as_str(), *weight)).filter(|it| it.1 > 0)
    }
}

struct Reading<'t> {
    name: &'t str,
    text: &'t str,
}

impl Reading<'_> {
    fn error(&self, at: usize, message: String) -> AnnotationError {
        let before = &self.text[..at.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&it| it != '\n').count() + 1;
        AnnotationError { file: self.name.to_owned(), line, column, message: message.replace('\n', ", ") }
    }

    fn operator(&self, operator: &Spanned<String>) -> Result<String, AnnotationError> {
        let name = operator.get_ref();
        if OPERATORS.contains(&name.as_str()) {
            return Ok(name.clone());
        }
        let known = OPERATORS.join(" ");
        Err(self
            .error(operator.span().start, format!("`{name}` is no operator that can be replaced: use one of {known}")))
    }

    fn offset(&self, offset: &Spanned<String>) -> Result<i64, AnnotationError> {
        let number = offset.get_ref().parse::<i64>().ok().filter(|&it| it != 0 && it.abs() <= 1 << 30);
        number.ok_or_else(|| {
            let message = format!("`{}` is nothing to add: use a number such as \"-1\"", offset.get_ref());
            self.error(offset.span().start, message)
        })
    }

    fn factor(&self, factor: &Spanned<String>) -> Result<i64, AnnotationError> {
        let number = factor.get_ref().parse::<i64>().ok().filter(|it| (2..=1 << 20).contains(it));
        number.ok_or_else(|| {
            let message = format!("`{}` is no factor: use a number such as \"10\"", factor.get_ref());
            self.error(factor.span().start, message)
        })
    }

    fn weight(&self, weight: &Weight) -> Result<u32, AnnotationError> {
        let value = *weight.get_ref();
        match value <= MOST {
            true => Ok(value),
            false => Err(self.error(weight.span().start, format!("a weight is at most {MOST}, not {value}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Annotations;

    #[track_caller]
    fn check(text: &str, expected: Result<&[(&str, &str, u32)], &str>) {
        let mut annotations = Annotations::default();
        let found = annotations.add("mine.toml", text).map_err(|error| error.to_string());
        match expected {
            Ok(weights) => {
                assert_eq!(found, Ok(()));
                for (from, to, weight) in weights {
                    assert_eq!(annotations.operators[*from].get(*to).copied().unwrap_or(0), *weight, "{from} {to}");
                }
            }
            Err(message) => assert_eq!(found, Err(message.to_owned())),
        }
    }

    #[test]
    fn the_default_has_the_weights_of_the_paper() {
        check(
            "",
            Ok(&[("<=", "<", 30), ("<=", ">=", 20), ("<=", ">", 10), (">", ">=", 30), (">", "<", 20), (">=", "<", 10)]),
        );
    }

    #[test]
    fn a_project_adds_and_takes_out() {
        check(
            "[operators]\n\"<=\" = { \">\" = 0, \"==\" = 40 }\n",
            Ok(&[("<=", "<", 30), ("<=", ">", 0), ("<=", "==", 40)]),
        );
        let mut annotations = Annotations::default();
        annotations.add("mine.toml", "[operators]\n\"<=\" = { \">\" = 0 }\n[constants]\n\"-8\" = 3\n").unwrap();
        assert_eq!(annotations.operator("<=").collect::<Vec<_>>(), [("<", 30), (">=", 20)]);
        assert_eq!(annotations.constants[&-8], 3);
    }

    #[test]
    fn errors_have_a_place() {
        let operators = "<= < > >= == != + - * / % & | << >> && ||";
        let message = format!("mine.toml:2:1: `<>` is no operator that can be replaced: use one of {operators}");
        check("[operators]\n\"<>\" = { \"<\" = 1 }", Err(&message));
        check("[free]\nvalue = 100", Err("mine.toml:2:9: a weight is at most 99, not 100"));
        check("[scales]\n1 = 1", Err("mine.toml:2:1: `1` is no factor: use a number such as \"10\""));
        check("[bounds]\nx = 1", Err("mine.toml:2:1: `x` is nothing to add: use a number such as \"-1\""));
        check(
            "[wishes]",
            Err(
                "mine.toml:1:2: unknown field `wishes`, expected one of `operators`, `constants`, `bounds`, `scales`, `variables`, `calls`, `sums`, `pointers`, `conditions`, `sizes`, `free`",
            ),
        );
    }
}
