//! The `main` that calls a function as its contract says, and checks what the contract promises.
//!
//! A [`Subject`] → [`Driver`]: C text that is appended to the user's file. Inputs come from
//! `__VERIFIER_nondet_faultline_…`; what is required is assumed; arrays are allocated with exactly the elements that
//! `\valid` gives them, so that a step beyond is a violation; copies are kept for `\old`; `ensures` and `assigns`
//! are checked after the call. So one text serves the executor (tests), the model checker (verification) and replay.
//!
//! The order is: scalars, what is required of the sizes, arrays, what else is required. The values that a
//! run consumes are in the same order, see `cases`.

use std::fmt::Write;

use frontend::acsl::checking::{Scope, Type};
use frontend::acsl::syntax::{Clause, Term, TermKind};

use crate::c::{Variable, parameters_of};
use crate::error::Error;
use crate::subject::{RENAMED_MAIN, Subject};

/// The beginning of the names of inputs.
pub const INPUT: &str = "__VERIFIER_nondet_faultline_";
/// Status of a run that reached a place that was asked for.
pub const REACHED: i32 = 0x5eac;

/// What the driver is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Choices, lengths and expectations are read, too.
    Tests,
    /// Only what a contract says, with arrays of at most so many elements.
    Verification { size: u32 },
}

/// An input of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub name: String,
    pub words: String,
    pub is_array: bool,
    pub is_real: bool,
    /// An array whose length the contract tells.
    pub is_sized: bool,
    /// A scalar that lengths depend on.
    pub is_shape: bool,
    /// A global variable, not a parameter.
    pub is_global: bool,
}

pub struct Driver {
    pub text: String,
    /// Scalars first, then arrays, each in the order in which they are read.
    pub slots: Vec<Slot>,
    /// Lines of the driver before this one assume nothing but what lengths need.
    pub sized_at: usize,
}

/// A clause that is checked at the end, as C.
struct Check {
    condition: String,
    message: String,
}

struct Writer<'s> {
    subject: &'s Subject,
    scope: Scope,
    slots: Vec<Slot>,
    /// Lengths by array.
    lengths: Vec<(String, Option<String>)>,
}

impl Driver {
    /// Calls the program's own `main`, after the choices are read.
    pub fn of_program(subject: &Subject) -> Driver {
        let main = subject.outline.function("main");
        let count = match main {
            Some(main) => main.parameters.len(),
            None => parameters_of("main", subject.text()).unwrap_or(0),
        };
        let arguments = ["argc", "argv"][..count.min(2)].join(", ");
        let call = match main.is_some_and(|it| it.words == "void") {
            true => format!("{RENAMED_MAIN}({arguments}); return 0;"),
            false => format!("return {RENAMED_MAIN}({arguments});"),
        };
        let text = format!(
            "\n#undef main\nextern int {INPUT}choice(void);\nint main(int argc, char **argv) {{\n{}    {call}\n}}\n",
            choices()
        );
        Driver { text, slots: Vec::new(), sized_at: 0 }
    }

    pub fn new(subject: &Subject, purpose: Purpose) -> Result<Driver, Error> {
        let mut writer = Writer { subject, scope: Scope::default(), slots: Vec::new(), lengths: Vec::new() };
        writer.collect()?;
        writer.write(purpose)
    }
}

/// Reads two changes: a place and which of its texts it has.
fn choices() -> String {
    let one = format!(
        "    {{ int place = {INPUT}choice(), choice = {INPUT}choice(); if (place > 0) faultline_choices[place - 1] = choice; }}\n"
    );
    one.repeat(2)
}

impl Writer<'_> {
    fn refuse(&self, parameter: &str, reason: &str) -> Error {
        Error::Parameter {
            function: self.subject.function.name.clone(),
            parameter: parameter.to_owned(),
            reason: reason.to_owned(),
        }
    }

    /// The function's inputs, and what the names of its contract mean.
    fn collect(&mut self) -> Result<(), Error> {
        let subject = self.subject;
        let used: Vec<Term> = subject
            .contract
            .iter()
            .flat_map(|it| it.requires.iter().chain(&it.ensures))
            .map(|it| it.term.clone())
            .collect();
        let named = |name: &str| used.iter().any(|term| term.names().contains(name));
        let globals = subject.outline.globals.iter().filter(|it| named(&it.name));
        let variables: Vec<Variable> = subject.function.parameters.iter().chain(globals).cloned().collect();
        let valid = self.valid();
        for variable in &variables {
            let ty = Type::of(&variable.words, variable.stars);
            let is_structure = variable.words.starts_with("struct") || variable.words.starts_with("union");
            if is_structure && variable.is_parameter {
                return Err(self.refuse(&variable.name, "it is a structure; numbers and arrays of numbers can be made"));
            }
            if variable.stars > 1 && variable.is_parameter {
                return Err(self.refuse(&variable.name, "it is a pointer to pointers; arrays of numbers can be made"));
            }
            let is_array = variable.stars == 1;
            let before = format!("faultline_old_{}", variable.name);
            let kept = if is_array || !variable.is_parameter { before } else { variable.name.clone() };
            self.scope.bind(&variable.name, &variable.name, &kept, ty.clone());
            if is_array && !variable.is_parameter {
                continue;
            }
            let base = Type::of(&variable.words, 0);
            self.slots.push(Slot {
                name: variable.name.clone(),
                words: variable.words.clone(),
                is_array,
                is_real: base == Type::Real,
                is_sized: is_array && valid.iter().any(|(name, _)| *name == variable.name),
                is_shape: false,
                is_global: !variable.is_parameter,
            });
        }
        self.slots.sort_by_key(|it| it.is_array);
        let function = &subject.function;
        if function.stars > 0 || function.words != "void" {
            self.scope.result = Some(("faultline_result".to_owned(), Type::of(&function.words, function.stars)));
        }
        for (array, terms) in group(valid) {
            let mut lengths = Vec::new();
            for term in terms {
                for slot in self.slots.iter_mut().filter(|it| !it.is_array && term.names().contains(&it.name)) {
                    slot.is_shape = true;
                }
                lengths.push(format!("{} + 1", self.scope.predicate(&term)?));
            }
            let length = lengths.into_iter().reduce(|one, other| format!("faultline_larger({one}, {other})"));
            self.lengths.push((array, length));
        }
        Ok(())
    }

    /// Arrays with the greatest index that is valid, from all conjuncts of `requires`.
    fn valid(&self) -> Vec<(String, Term)> {
        let clauses = self.subject.contract.iter().flat_map(|it| &it.requires);
        let mut found = Vec::new();
        for conjunct in clauses.flat_map(|clause| clause.term.conjuncts()) {
            if let TermKind::Valid { what, .. } = &conjunct.kind {
                found.extend(greatest(what));
            }
        }
        found
    }

    /// What is required but is no `\valid`, as C; those that speak of sizes only first.
    fn requirements(&self) -> Result<(Vec<String>, Vec<String>), Error> {
        let (mut early, mut late) = (Vec::new(), Vec::new());
        for clause in self.subject.contract.iter().flat_map(|it| &it.requires) {
            for conjunct in clause.term.conjuncts() {
                if matches!(conjunct.kind, TermKind::Valid { .. }) {
                    continue;
                }
                let is_shape = |name: &String| self.slots.iter().any(|it| it.name == *name && it.is_shape);
                let only_shapes = conjunct.names().iter().all(is_shape) && !has_call(conjunct);
                let condition = self.scope.predicate(conjunct)?;
                if only_shapes { early.push(condition) } else { late.push(condition) }
            }
        }
        Ok((early, late))
    }

    fn promises(&self) -> Result<Vec<Check>, Error> {
        let Some(contract) = &self.subject.contract else { return Ok(Vec::new()) };
        let text = self.subject.text();
        let told = |extent: frontend::boogie::Extent| {
            let written = &text[extent.start as usize..extent.end as usize];
            written
                .split(|c: char| c.is_whitespace() || c == '@')
                .filter(|it| !it.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let mut checks = Vec::new();
        for Clause { term, extent } in &contract.ensures {
            checks.push(Check { condition: self.scope.predicate(term)?, message: told(*extent) });
        }
        if let Some(assigns) = &contract.assigns {
            for slot in self.slots.iter().filter(|it| it.is_array && it.is_sized) {
                checks.push(self.unchanged(&slot.name, assigns)?);
            }
        }
        Ok(checks)
    }

    /// Elements that `assigns` does not name keep their values.
    fn unchanged(&self, array: &str, assigns: &[Term]) -> Result<Check, Error> {
        let mut allowed = vec!["0".to_owned()];
        for location in assigns {
            let Some((name, from, to)) = location_of(location) else { continue };
            if name != array {
                continue;
            }
            let from = from.map_or(Ok("0LL".to_owned()), |it| self.scope.predicate(&it))?;
            let to = to.map_or(Ok(format!("faultline_length_{array}")), |it| self.scope.predicate(&it))?;
            allowed.push(format!("({from} <= faultline_k && faultline_k <= {to})"));
        }
        let condition = format!(
            "({{ int faultline_kept = 1; for (long long faultline_k = 0; faultline_k < faultline_length_{array}; faultline_k++) \
             if (!({}) && {array}[faultline_k] != faultline_old_{array}[faultline_k]) faultline_kept = 0; faultline_kept; }})",
            allowed.join(" || ")
        );
        Ok(Check { condition, message: format!("assigns: `{array}` changes where it must not") })
    }

    fn write(mut self, purpose: Purpose) -> Result<Driver, Error> {
        let testing = purpose == Purpose::Tests;
        let definitions = self.scope.define(&self.subject.specifications.definitions)?;
        let mut text = String::from("\n#undef main\n");
        self.declare(&mut text, testing);
        text.push_str(&definitions);
        text.push_str("int main(void) {\n");
        if testing {
            text.push_str(&choices());
        }
        for slot in self.slots.iter().filter(|it| !it.is_array) {
            let declared = if slot.is_global { String::new() } else { format!("{} ", slot.words) };
            let _ = writeln!(text, "    {declared}{} = {INPUT}{}();", slot.name, slot.name);
            if slot.is_global {
                let _ = writeln!(text, "    {} faultline_old_{} = {};", slot.words, slot.name, slot.name);
            }
        }
        let (early, late) = self.requirements()?;
        for condition in early {
            let _ = writeln!(text, "    __VERIFIER_assume({condition});");
        }
        for slot in self.slots.iter().filter(|it| it.is_array) {
            self.size(&mut text, slot, purpose)?;
        }
        let sized_at = text.matches('\n').count();
        for slot in self.slots.iter().filter(|it| it.is_array) {
            allocate(&mut text, slot);
        }
        for condition in late {
            let _ = writeln!(text, "    __VERIFIER_assume({condition});");
        }
        for slot in self.slots.iter().filter(|it| it.is_array) {
            copy(&mut text, slot);
        }
        self.call(&mut text, testing)?;
        Ok(Driver { text, slots: self.slots, sized_at })
    }

    fn declare(&self, text: &mut String, testing: bool) {
        text.push_str("extern void __VERIFIER_assume(int);\nvoid *malloc(unsigned long);\n");
        text.push_str("extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));\n");
        text.push_str(
            "static long long faultline_larger(long long one, long long other) { return one > other ? one : other; }\n",
        );
        for slot in &self.slots {
            let _ = writeln!(text, "extern {} {INPUT}{}(void);", slot.words, slot.name);
        }
        if testing {
            let _ = writeln!(
                text,
                "extern int {INPUT}choice(void), {INPUT}expects(void);\nextern long long {INPUT}length(void);"
            );
            let function = &self.subject.function;
            if self.scope.result.is_some() && function.stars == 0 {
                let _ = writeln!(text, "extern {} {INPUT}result(void);", function.words);
            }
        }
    }

    fn size(&self, text: &mut String, slot: &Slot, purpose: Purpose) -> Result<(), Error> {
        let name = &slot.name;
        let length = self.lengths.iter().find(|(array, _)| array == name).and_then(|(_, it)| it.clone());
        match purpose {
            Purpose::Tests => {
                let least = length.unwrap_or("0".to_owned());
                let _ = writeln!(text, "    long long faultline_length_{name} = {INPUT}length();");
                let _ = writeln!(text, "    if (faultline_length_{name} < 0) faultline_length_{name} = {least};");
                let _ = writeln!(
                    text,
                    "    __VERIFIER_assume(faultline_length_{name} >= {least} && faultline_length_{name} >= 0 && faultline_length_{name} < 1000000);"
                );
            }
            Purpose::Verification { size } => {
                let Some(length) = length else {
                    let remedy =
                        "nothing says how long it is; add \\valid(… + (0 .. n - 1)) to `requires`, or give --tests";
                    return Err(self.refuse(name, remedy));
                };
                let _ = writeln!(text, "    long long faultline_length_{name} = {length};");
                let _ = writeln!(
                    text,
                    "    __VERIFIER_assume(faultline_length_{name} >= 0 && faultline_length_{name} <= {size});"
                );
            }
        }
        Ok(())
    }

    fn call(&self, text: &mut String, testing: bool) -> Result<(), Error> {
        let function = &self.subject.function;
        let arguments: Vec<&str> = function.parameters.iter().map(|it| it.name.as_str()).collect();
        let call = format!("{}({})", function.name, arguments.join(", "));
        match &self.scope.result {
            Some(_) => {
                let stars = "*".repeat(function.stars);
                let _ = writeln!(text, "    {} {stars}faultline_result = {call};", function.words);
            }
            None => {
                let _ = writeln!(text, "    {call};");
            }
        }
        let fail = |message: &str| format!("__assert_fail({message:?}, \"\", 0, {:?});", function.name);
        for check in self.promises()? {
            let _ = writeln!(text, "    if (!{}) {}", check.condition, fail(&check.message));
        }
        if testing {
            if self.scope.result.is_some() && function.stars == 0 {
                let expected = fail("the expected result");
                let _ = writeln!(text, "    if ({INPUT}expects() && faultline_result != {INPUT}result()) {expected}");
            } else {
                // A case says of every result whether it is expected.
                let _ = writeln!(text, "    (void){INPUT}expects();");
            }
            for slot in self.slots.iter().filter(|it| it.is_array) {
                let (name, expected) = (&slot.name, fail(&format!("the expected elements of {}", slot.name)));
                let _ = writeln!(
                    text,
                    "    if ({INPUT}expects()) for (long long k = 0; k < faultline_length_{name}; k++) if ({name}[k] != {INPUT}{name}()) {expected}"
                );
            }
            self.summarize(text);
        }
        text.push_str("    return 0;\n}\n");
        Ok(())
    }

    /// The status tells what came out, so that changes can be compared.
    fn summarize(&self, text: &mut String) {
        text.push_str("    unsigned faultline_sum = 17;\n");
        let function = &self.subject.function;
        let is_number = |words: &str| Type::of(words, 0) == Type::Integer;
        if self.scope.result.is_some() && function.stars == 0 && is_number(&function.words) {
            text.push_str("    faultline_sum = faultline_sum * 31 + (unsigned)faultline_result;\n");
        }
        for slot in self.slots.iter().filter(|it| it.is_array && is_number(&it.words)) {
            let name = &slot.name;
            let _ = writeln!(
                text,
                "    for (long long k = 0; k < faultline_length_{name}; k++) faultline_sum = faultline_sum * 31 + (unsigned){name}[k];"
            );
        }
        text.push_str("    return (int)(faultline_sum | 0x40000000);\n");
    }
}

fn allocate(text: &mut String, slot: &Slot) {
    let (name, words) = (&slot.name, &slot.words);
    let _ = writeln!(text, "    {words} *{name} = malloc(faultline_length_{name} * sizeof({words}));");
    let _ = writeln!(text, "    for (long long k = 0; k < faultline_length_{name}; k++) {name}[k] = {INPUT}{name}();");
}

fn copy(text: &mut String, slot: &Slot) {
    let (name, words) = (&slot.name, &slot.words);
    let _ = writeln!(text, "    {words} *faultline_old_{name} = malloc(faultline_length_{name} * sizeof({words}));");
    let _ = writeln!(
        text,
        "    for (long long k = 0; k < faultline_length_{name}; k++) faultline_old_{name}[k] = {name}[k];"
    );
}

fn has_call(term: &Term) -> bool {
    matches!(term.kind, TermKind::Call(..)) || term.parts().into_iter().any(has_call)
}

fn group(valid: Vec<(String, Term)>) -> Vec<(String, Vec<Term>)> {
    let mut groups: Vec<(String, Vec<Term>)> = Vec::new();
    for (name, term) in valid {
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, terms)) => terms.push(term),
            None => groups.push((name, vec![term])),
        }
    }
    groups
}

/// The array of `\valid(a + (lo .. hi))` and the like, with its greatest index.
fn greatest(what: &Term) -> Option<(String, Term)> {
    let (name, _, to) = location_of(&Term::new(TermKind::Unary("*", Box::new(what.clone())), what.extent))?;
    Some((name, to?))
}

/// `a[i]`, `a[lo .. hi]`, `*a`, `*(a + i)` and `*(a + (lo .. hi))`: the array and its first and last index.
fn location_of(term: &Term) -> Option<(String, Option<Term>, Option<Term>)> {
    let name = |term: &Term| match &term.kind {
        TermKind::Name(name) => Some(name.clone()),
        _ => None,
    };
    let ends = |index: &Term| match &index.kind {
        TermKind::Range(from, to) => (from.as_deref().cloned(), to.as_deref().cloned()),
        _ => (Some(index.clone()), Some(index.clone())),
    };
    let zero = |term: &Term| Term::new(TermKind::Number("0".to_owned()), term.extent);
    match &term.kind {
        TermKind::Index(base, index) => {
            let (from, to) = ends(index);
            Some((name(base)?, from, to))
        }
        TermKind::Unary("*", pointer) => match &pointer.kind {
            TermKind::Name(base) => Some((base.clone(), Some(zero(pointer)), Some(zero(pointer)))),
            TermKind::Binary("+", base, index) => {
                let (from, to) = ends(index);
                Some((name(base)?, from, to))
            }
            TermKind::Unary("&", inside) => location_of(inside),
            _ => None,
        },
        _ => None,
    }
}
