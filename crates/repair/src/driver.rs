//! The `main` that calls a function as its contract says, and checks what the contract promises.
//!
//! A [`Subject`] → [`Driver`]: C text that is appended to the user's file. Inputs come from
//! `__VERIFIER_nondet_faultline_…`; what is required is assumed; arrays are allocated with exactly the elements that
//! `\valid` gives them, so that a step beyond is a violation; copies are kept for `\old`; `ensures` and `assigns`
//! are checked after the call. So one text serves the executor (tests), the model checker (verification) and replay.
//!
//! The order is: scalars, what is required of the sizes, lengths, elements, what else is required. The values that a
//! run consumes are in the same order, see `cases`. What can be made at all, [`inputs`] knows.

mod inputs;
mod locations;

use std::collections::BTreeMap;
use std::fmt::Write;

use frontend::acsl::checking::{Scope, Type};
use frontend::acsl::syntax::{Clause, Term, TermKind};

use crate::c::{Variable, parameters_of};
use crate::error::Error;
use crate::subject::{RENAMED_MAIN, Subject};
use inputs::{Form, Made, path, paths};
pub use inputs::{Slot, scope_of, type_of};
use locations::{Valid, grouped, location_of, valid_in};

/// The beginning of the names of inputs.
pub const INPUT: &str = "__VERIFIER_nondet_faultline_";
/// The end of the name under which the first element of a row is read.
pub const ROW: &str = "_row";
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
    made: Vec<Made>,
    /// Lengths by array, and those of rows, as C.
    lengths: BTreeMap<String, String>,
    columns: BTreeMap<String, String>,
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
        let mut writer = Writer {
            subject,
            scope: scope_of(&subject.outline),
            slots: Vec::new(),
            made: Vec::new(),
            lengths: BTreeMap::new(),
            columns: BTreeMap::new(),
        };
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
        let valid = Valid::of(subject.contract.as_ref());
        for variable in &variables {
            let before = format!("faultline_old_{}", variable.name);
            let is_kept = variable.is_parameter && variable.stars == 0 && !self.is_structure(&variable.words);
            let before = if is_kept { variable.name.clone() } else { before };
            self.scope.bind(&variable.name, &variable.name, &before, type_of(variable, &subject.outline));
            if variable.stars > 0 && !variable.is_parameter {
                continue;
            }
            let made = inputs::made(variable, &subject.outline, |name| valid.is_many(name));
            let (made, mut slots) = made.map_err(|reason| self.refuse(&variable.name, &reason))?;
            for slot in slots.iter_mut().filter(|it| it.is_array) {
                let array = &slot.name[..slot.name.len() - slot.selector.len()];
                slot.is_sized = valid.arrays.iter().any(|(name, _)| name == array);
            }
            self.made.push(made);
            self.slots.extend(slots);
        }
        self.slots.sort_by_key(|it| it.is_array);
        let function = &subject.function;
        if function.stars > 0 || function.words != "void" {
            let base = if self.is_structure(&function.words) { Type::Other } else { Type::of(&function.words, 0) };
            let ty = (0..function.stars).fold(base, |ty, _| Type::Pointer(Box::new(ty)));
            self.scope.result = Some(("faultline_result".to_owned(), ty));
        }
        self.lengths = self.sizes(valid.arrays)?;
        self.columns = self.sizes(valid.rows)?;
        Ok(())
    }

    fn is_structure(&self, words: &str) -> bool {
        self.subject.outline.structure(words).is_some()
    }

    /// Whether what it returns can be compared with what is expected.
    fn returns_number(&self) -> bool {
        let function = &self.subject.function;
        self.scope.result.is_some() && function.stars == 0 && !self.is_structure(&function.words)
    }

    /// One more than the greatest index, as C; the scalars that it depends on are shapes.
    fn sizes(&mut self, valid: Vec<(String, Term)>) -> Result<BTreeMap<String, String>, Error> {
        let mut sizes = BTreeMap::new();
        for (array, terms) in grouped(valid) {
            let mut lengths = Vec::new();
            for term in terms {
                let named = paths(&term, &self.slots);
                for slot in self.slots.iter_mut().filter(|it| !it.is_array && named.contains(&it.name)) {
                    slot.is_shape = true;
                }
                lengths.push(format!("{} + 1", self.scope.predicate(&term)?));
            }
            let length = lengths.into_iter().reduce(|one, other| format!("faultline_larger({one}, {other})"));
            sizes.extend(length.map(|it| (array, it)));
        }
        Ok(sizes)
    }

    /// What is required but is no `\valid`, as C; those that speak of sizes only first.
    fn requirements(&self) -> Result<(Vec<String>, Vec<String>), Error> {
        let (mut early, mut late) = (Vec::new(), Vec::new());
        for clause in self.subject.contract.iter().flat_map(|it| &it.requires) {
            for conjunct in clause.term.conjuncts() {
                if valid_in(conjunct).is_some() {
                    continue;
                }
                let is_shape = |name: &String| self.slots.iter().any(|it| it.name == *name && it.is_shape);
                let only_shapes = paths(conjunct, &self.slots).iter().all(is_shape) && !has_call(conjunct);
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
            for slot in &self.slots {
                checks.extend(self.unchanged(slot, assigns)?);
            }
        }
        Ok(checks)
    }

    /// What `assigns` does not name keeps its value: elements of arrays, and what pointers to structures point to.
    fn unchanged(&self, slot: &Slot, assigns: &[Term]) -> Result<Option<Check>, Error> {
        let message = format!("assigns: `{}` changes where it must not", slot.name);
        let (target, member) = (&slot.target, &slot.selector);
        if !slot.is_array {
            let is_part = |whole: &String| {
                slot.name
                    .strip_prefix(whole)
                    .is_some_and(|it| !it.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            };
            let is_named = assigns.iter().filter_map(path).any(|it| is_part(&it));
            let is_checked = slot.is_shared && !slot.is_global && !is_named;
            return Ok(
                is_checked.then(|| Check { condition: format!("({target} == faultline_old_{target})"), message })
            );
        }
        if !slot.is_sized {
            return Ok(None);
        }
        let array = slot.array();
        let mut allowed = vec!["0".to_owned()];
        for location in assigns {
            let Some((name, from, to)) = location_of(location) else { continue };
            if slot.name != format!("{name}{member}") {
                continue;
            }
            let from = from.map_or(Ok("0LL".to_owned()), |it| self.scope.predicate(&it))?;
            let to = to.map_or(Ok(format!("faultline_length_{array}")), |it| self.scope.predicate(&it))?;
            allowed.push(format!("({from} <= faultline_k && faultline_k <= {to})"));
        }
        if slot.is_rows {
            // Which elements of rows may change is not looked at: rows that are named may, others may not.
            let is_named = assigns.iter().any(|it| it.names().contains(&slot.name));
            let same = each(slot, &format!("if ({target}[k][j] != faultline_old_{target}[k][j]) faultline_kept = 0;"));
            let condition = format!("({{ int faultline_kept = 1; {same} faultline_kept; }})");
            return Ok((!is_named).then_some(Check { condition, message }));
        }
        let condition = format!(
            "({{ int faultline_kept = 1; for (long long faultline_k = 0; faultline_k < faultline_length_{array}; faultline_k++) \
             if (!({}) && {target}[faultline_k]{member} != faultline_old_{target}[faultline_k]{member}) faultline_kept = 0; faultline_kept; }})",
            allowed.join(" || ")
        );
        Ok(Some(Check { condition, message }))
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
        for made in self.made.iter().filter(|it| !it.is_global) {
            let Made { name, words, form, .. } = made;
            let _ = match form {
                Form::Value => writeln!(text, "    {words} {name};"),
                Form::One => writeln!(text, "    {words} *{name} = malloc(sizeof({words}));"),
                Form::Many | Form::Rows(None) => {
                    let stars = if *form == Form::Many { "*" } else { "**" };
                    writeln!(text, "    {words} {stars}{name};")
                }
                Form::Rows(Some(columns)) => writeln!(text, "    {words} (*{name})[{columns}];"),
            };
        }
        for slot in self.slots.iter().filter(|it| !it.is_array) {
            let _ = writeln!(text, "    {} = {INPUT}{}();", slot.target, slot.symbol());
        }
        let (early, late) = self.requirements()?;
        for condition in early {
            let _ = writeln!(text, "    __VERIFIER_assume({condition});");
        }
        for slot in self.slots.iter().filter(|it| it.is_array && it.leads) {
            self.size(&mut text, slot, purpose)?;
        }
        let sized_at = text.matches('\n').count();
        for slot in self.slots.iter().filter(|it| it.is_array) {
            self.fill(&mut text, slot);
        }
        for condition in late {
            let _ = writeln!(text, "    __VERIFIER_assume({condition});");
        }
        self.copy(&mut text);
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
            let _ = writeln!(text, "extern {} {INPUT}{}(void);", slot.words, slot.symbol());
            if slot.is_rows {
                let _ = writeln!(text, "extern {} {INPUT}{}{ROW}(void);", slot.words, slot.symbol());
            }
        }
        if testing {
            let _ = writeln!(
                text,
                "extern int {INPUT}choice(void), {INPUT}expects(void);\nextern long long {INPUT}length(void);"
            );
            let function = &self.subject.function;
            if self.returns_number() {
                let _ = writeln!(text, "extern {} {INPUT}result(void);", function.words);
            }
        }
    }

    fn size(&self, text: &mut String, slot: &Slot, purpose: Purpose) -> Result<(), Error> {
        let name = slot.name.strip_suffix(slot.selector.as_str()).unwrap_or(&slot.name);
        let array = slot.array();
        self.one_size(text, name, &format!("faultline_length_{array}"), self.lengths.get(name), purpose)?;
        if slot.is_rows {
            let by_type = self.made.iter().find_map(|it| match &it.form {
                Form::Rows(Some(columns)) if it.name == name => Some(columns.clone()),
                _ => None,
            });
            // Rows of which the contract says nothing are empty.
            let columns = by_type.or(self.columns.get(name).cloned()).unwrap_or("0".to_owned());
            self.one_size(text, name, &format!("faultline_columns_{array}"), Some(&columns), purpose)?;
        }
        Ok(())
    }

    /// A length as a variable of C, read or told by the contract.
    fn one_size(
        &self,
        text: &mut String,
        name: &str,
        variable: &str,
        length: Option<&String>,
        purpose: Purpose,
    ) -> Result<(), Error> {
        match purpose {
            Purpose::Tests => {
                let least = length.map_or("0", String::as_str);
                let _ = writeln!(text, "    long long {variable} = {INPUT}length();");
                let _ = writeln!(text, "    if ({variable} < 0) {variable} = {least};");
                let _ = writeln!(
                    text,
                    "    __VERIFIER_assume({variable} >= {least} && {variable} >= 0 && {variable} < 1000000);"
                );
            }
            Purpose::Verification { size } => {
                let Some(length) = length else {
                    let remedy =
                        "nothing says how long it is; add \\valid(… + (0 .. n - 1)) to `requires`, or give --tests";
                    return Err(self.refuse(name, remedy));
                };
                let _ = writeln!(text, "    long long {variable} = {length};");
                let _ = writeln!(text, "    __VERIFIER_assume({variable} >= 0 && {variable} <= {size});");
            }
        }
        Ok(())
    }

    /// An array with the elements that are read for it.
    fn fill(&self, text: &mut String, slot: &Slot) {
        let (target, member, symbol, array) = (&slot.target, &slot.selector, slot.symbol(), slot.array());
        if slot.leads {
            let _ = writeln!(text, "    {target} = malloc(faultline_length_{array} * sizeof(*{target}));");
        }
        if !slot.is_rows {
            let _ = writeln!(text, "    {}", each(slot, &format!("{target}[k]{member} = {INPUT}{symbol}();")));
            return;
        }
        if self.has_pointers(slot) {
            let row = format!("{target}[k] = malloc(faultline_columns_{array} * sizeof(**{target}));");
            let _ = writeln!(text, "    for (long long k = 0; k < faultline_length_{array}; k++) {row}");
        }
        let one =
            format!("if (j == 0) {target}[k][j] = {INPUT}{symbol}{ROW}(); else {target}[k][j] = {INPUT}{symbol}();");
        let _ = writeln!(text, "    {}", each(slot, &one));
    }

    /// Whether rows are reached by pointers, not by their number.
    fn has_pointers(&self, slot: &Slot) -> bool {
        self.made.iter().any(|it| it.name == slot.name && it.form == Form::Rows(None))
    }

    /// What `\old` reads: copies of all that the function can change.
    fn copy(&self, text: &mut String) {
        for Made { name, words, form, is_global } in &self.made {
            let _ = match form {
                Form::Value if *is_global || self.is_structure(words) => {
                    writeln!(text, "    {words} faultline_old_{name} = {name};")
                }
                Form::Value => Ok(()),
                Form::One => writeln!(
                    text,
                    "    {words} *faultline_old_{name} = malloc(sizeof({words})); *faultline_old_{name} = *{name};"
                ),
                Form::Many => writeln!(text, "    {words} *faultline_old_{name};"),
                Form::Rows(None) => writeln!(text, "    {words} **faultline_old_{name};"),
                Form::Rows(Some(columns)) => writeln!(text, "    {words} (*faultline_old_{name})[{columns}];"),
            };
        }
        for slot in self.slots.iter().filter(|it| it.is_array && it.leads) {
            let (target, array) = (&slot.target, slot.array());
            let _ =
                writeln!(text, "    faultline_old_{target} = malloc(faultline_length_{array} * sizeof(*{target}));");
            if slot.is_rows && self.has_pointers(slot) {
                let row =
                    format!("faultline_old_{target}[k] = malloc(faultline_columns_{array} * sizeof(**{target}));");
                let _ = writeln!(text, "    for (long long k = 0; k < faultline_length_{array}; k++) {row}");
            }
            let index = if slot.is_rows { "[k][j]" } else { "[k]" };
            let _ = writeln!(text, "    {}", each(slot, &format!("faultline_old_{target}{index} = {target}{index};")));
        }
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
            if self.returns_number() {
                let expected = fail("the expected result");
                let _ = writeln!(text, "    if ({INPUT}expects() && faultline_result != {INPUT}result()) {expected}");
            } else {
                // A case says of every result whether it is expected.
                let _ = writeln!(text, "    (void){INPUT}expects();");
            }
            for slot in self.slots.iter().filter(|it| it.is_shared) {
                let expected =
                    fail(&format!("the expected {}{}", if slot.is_array { "elements of " } else { "" }, slot.name));
                let (target, member, symbol) = (&slot.target, &slot.selector, slot.symbol());
                let index = if slot.is_rows {
                    "[k][j]"
                } else if slot.is_array {
                    "[k]"
                } else {
                    ""
                };
                let compare = format!("if ({target}{index}{member} != {INPUT}{symbol}()) {expected}");
                let _ = writeln!(text, "    if ({INPUT}expects()) {{ {} }}", each(slot, &compare));
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
        if self.returns_number() && is_number(&function.words) {
            text.push_str("    faultline_sum = faultline_sum * 31 + (unsigned)faultline_result;\n");
        }
        for slot in self.slots.iter().filter(|it| it.is_shared && is_number(&it.words)) {
            let index = if slot.is_rows {
                "[k][j]"
            } else if slot.is_array {
                "[k]"
            } else {
                ""
            };
            let value = format!("{}{index}{}", slot.target, slot.selector);
            let add = format!("faultline_sum = faultline_sum * 31 + (unsigned){value};");
            let _ = writeln!(text, "    {}", each(slot, &add));
        }
        text.push_str("    return (int)(faultline_sum | 0x40000000);\n");
    }
}

/// A statement for each element of a slot, `k` and `j` being its indices.
fn each(slot: &Slot, statement: &str) -> String {
    let array = slot.array();
    let rows = format!("for (long long k = 0; k < faultline_length_{array}; k++) ");
    let columns = format!("for (long long j = 0; j < faultline_columns_{array}; j++) ");
    match (slot.is_array, slot.is_rows) {
        (true, true) => format!("{rows}{columns}{{ {statement} }}"),
        (true, false) => format!("{rows}{{ {statement} }}"),
        (false, _) => statement.to_owned(),
    }
}

fn has_call(term: &Term) -> bool {
    matches!(term.kind, TermKind::Call(..)) || term.parts().into_iter().any(has_call)
}
