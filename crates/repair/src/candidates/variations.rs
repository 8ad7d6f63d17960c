//! Variations of one place's expression, node by node.
//!
//! Costs, smaller for closer: operators and constants 100 less their weight in the annotation library, another
//! variable of the same type likewise; then elements, terms added or left out, whole sides replaced.

use std::ops::Range;

use source::annotations::Annotations;

use super::{Hints, literals, one_line};
use crate::c::{Expr, ExprKind, Function, Place, PlaceKind, Variable, precedence};

const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];
const ADDED_CONDITIONS: usize = 400;
/// Constants of a function that are tried elsewhere.
const CONSTANTS: usize = 24;
/// What is gained by reading what nothing else reads, and lost by a loop that nothing in it ends.
const UNREAD: u32 = 10;
const IDLE_LOOP: u32 = 20;
const PI: &str = "3.14159265358979323846";

pub struct Variation {
    pub range: Range<usize>,
    pub text: String,
    pub cost: u32,
}

/// What an expression is as far as its text tells.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Type {
    Number,
    Pointer(String),
    Unknown,
}

pub struct Surroundings<'s> {
    place: &'s Place,
    text: &'s str,
    annotations: &'s Annotations,
    visible: Vec<&'s Variable>,
    /// Numbers: variables, then elements, as text.
    scalars: Vec<String>,
    elements: Vec<String>,
    constants: Vec<i64>,
    /// Strings and characters of the function.
    literals: Vec<String>,
    /// Comparisons of the function.
    comparisons: Vec<String>,
    /// Numbers that the function gives a value and never reads.
    unread: Vec<String>,
    /// Of a loop's condition: variables in it that the function changes.
    deciding: Vec<String>,
    hints: &'s Hints,
}

fn is_number(variable: &Variable) -> bool {
    let words: Vec<&str> = variable.words.split_whitespace().collect();
    variable.stars == 0 && !words.contains(&"struct") && !words.contains(&"union") && !words.contains(&"void")
}

impl<'s> Surroundings<'s> {
    pub fn new(
        function: &'s Function,
        place: &'s Place,
        text: &'s str,
        annotations: &'s Annotations,
        hints: &'s Hints,
    ) -> Surroundings<'s> {
        // The number of a program's arguments is hardly what was meant, unless the program uses it.
        let used = |name: &str| {
            let named = |it: &Expr| it.kind == ExprKind::Name(name.to_owned());
            function.places.iter().any(|place| place.expr.all().into_iter().any(named))
        };
        let mut visible = function.visible(place.range.start);
        visible.retain(|it| function.name != "main" || !it.is_parameter || used(&it.name));
        let scalars: Vec<String> = visible.iter().filter(|it| is_number(it)).map(|it| it.name.clone()).collect();
        let is_index = |it: &&&Variable| is_number(it) && !it.words.contains("double") && !it.words.contains("float");
        let mut indices: Vec<String> = visible.iter().filter(is_index).map(|it| it.name.clone()).collect();
        indices.push("0".to_owned());
        let arrays =
            visible.iter().filter(|it| it.stars == 1 && !it.words.contains("void") && !it.words.starts_with("struct"));
        let elements =
            arrays.flat_map(|array| indices.iter().map(|index| format!("{}[{index}]", array.name))).collect();
        let all = || function.places.iter().flat_map(|place| place.expr.all());
        let mut constants: Vec<i64> = all().filter_map(number).chain([0, 1]).collect();
        constants.sort_unstable();
        constants.dedup();
        constants.sort_by_key(|it| it.unsigned_abs());
        constants.truncate(CONSTANTS);
        let spelled = |expr: &Expr| one_line(&text[expr.range.clone()]);
        let mut literals: Vec<String> = all().filter(|it| it.kind == ExprKind::Literal).map(spelled).collect();
        let mut comparisons: Vec<String> = all().filter(|it| compares(it)).map(spelled).collect();
        for texts in [&mut literals, &mut comparisons] {
            texts.sort();
            texts.dedup();
            texts.truncate(CONSTANTS);
        }
        let assigned = assigned(function);
        let unread = scalars.iter().filter(|it| assigned.contains(it) && !is_read(function, it)).cloned().collect();
        let deciding = match place.kind {
            PlaceKind::Condition { of_loop: true } => {
                let named = place.expr.all().into_iter().filter_map(name_of);
                named.filter(|it| assigned.contains(it)).cloned().collect()
            }
            _ => Vec::new(),
        };
        Surroundings {
            place,
            text,
            annotations,
            visible,
            scalars,
            elements,
            constants,
            literals,
            comparisons,
            unread,
            deciding,
            hints,
        }
    }

    pub fn variations(&self) -> Vec<Variation> {
        let mut found = Vec::new();
        let root = &self.place.expr;
        match &self.place.kind {
            PlaceKind::Condition { .. } => {
                self.condition(root, &mut found);
                self.node(root, 0, true, &mut found);
            }
            PlaceKind::Return | PlaceKind::Initializer(_) => {
                self.node(root, 1, false, &mut found);
                self.value(root, 1, &mut found);
            }
            PlaceKind::Statement | PlaceKind::Effect => self.effect(root, &mut found),
            PlaceKind::Declaration(_) => {}
        }
        self.renamed(root, &mut found);
        self.sentinels(root, &mut found);
        for variation in &mut found {
            self.weigh(variation);
        }
        found
    }

    /// What the function computes and never reads was meant to be read; a loop that decides by nothing that changes was not.
    fn weigh(&self, variation: &mut Variation) {
        if words(&variation.text).any(|it| self.unread.iter().any(|name| name == it)) {
            variation.cost = variation.cost.saturating_sub(UNREAD);
        }
        let decides = |name: &String| {
            let (place, range) = (&self.place.range, &variation.range);
            let rest = [&self.text[place.start..range.start], &variation.text, &self.text[range.end..place.end]];
            rest.iter().any(|text| words(text).any(|it| it == name))
        };
        if !self.deciding.is_empty() && !self.deciding.iter().any(decides) {
            variation.cost += IDLE_LOOP;
        }
    }

    /// Two variables of a type in each other's places, or one throughout in the place of another.
    fn renamed(&self, root: &Expr, found: &mut Vec<Variation>) {
        let occurrences =
            |name: &str| root.all().into_iter().filter(|it| name_of(it).is_some_and(|it| it == name)).count();
        let alike = |one: &Variable, other: &Variable| {
            one.name != other.name && one.words == other.words && one.stars == other.stars
        };
        for one in self.visible.iter().filter(|it| occurrences(&it.name) > 0) {
            for other in self.visible.iter().filter(|it| alike(one, it)) {
                let is_there = occurrences(&other.name) > 0;
                if is_there && one.name < other.name {
                    let swapped = self.with_names(root, &[(&one.name, &other.name), (&other.name, &one.name)]);
                    self.push(found, root, 0, swapped, root.strength(), 96);
                }
                if occurrences(&one.name) > 1 {
                    let renamed = self.with_names(root, &[(&one.name, &other.name)]);
                    self.push(found, root, 0, renamed, root.strength(), if is_there { 97 } else { 99 });
                }
            }
        }
        // A product of a variable with itself is one thing.
        for square in root.all().into_iter().filter(|it| self.is_square(it)) {
            for scalar in &self.scalars {
                self.push(found, square, 13, format!("{scalar} * {scalar}"), 12, 96);
            }
        }
    }

    fn is_square(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Binary(operator, left, right) if operator == "*" => {
                name_of(left).is_some() && name_of(left) == name_of(right)
            }
            _ => false,
        }
    }

    fn with_names(&self, root: &Expr, names: &[(&String, &String)]) -> String {
        let mut text = self.spelled(root).to_owned();
        let mut places: Vec<&Expr> = root.all().into_iter().filter(|it| name_of(it).is_some()).collect();
        places.sort_by_key(|it| std::cmp::Reverse(it.range.start));
        for place in places {
            if let Some((_, new)) = names.iter().find(|it| Some(it.0) == name_of(place)) {
                let start = place.range.start - root.range.start;
                text.replace_range(start..start + place.range.len(), new);
            }
        }
        text
    }

    /// A number to begin with that nothing exceeds, or that everything does.
    fn sentinels(&self, root: &Expr, found: &mut Vec<Variation>) {
        let first = match (&self.place.kind, &root.kind) {
            (PlaceKind::Initializer(_), ExprKind::Number(_)) => root,
            (_, ExprKind::Assign(operator, _, right)) if operator == "=" && number(right).is_some() => right,
            _ => return,
        };
        for text in ["1000000000", "-1000000000"] {
            self.push(found, first, 1, text.to_owned(), 13, 98);
        }
    }

    fn spelled(&self, expr: &Expr) -> &str {
        &self.text[expr.range.clone()]
    }

    /// With parentheses where something at least as strong is needed, unless they are there already.
    fn fitted(&self, expr: &Expr, need: u8, text: String, strength: u8) -> String {
        let bytes = self.text.as_bytes();
        let before = expr.range.start.checked_sub(1).map(|at| bytes[at]);
        let enclosed = before == Some(b'(') && bytes.get(expr.range.end) == Some(&b')');
        if strength >= need || enclosed { text } else { format!("({text})") }
    }

    fn push(&self, found: &mut Vec<Variation>, expr: &Expr, need: u8, text: String, strength: u8, cost: u32) {
        let text = self.fitted(expr, need, text, strength);
        found.push(Variation { range: expr.range.clone(), text, cost });
    }

    /// An operand of another operator, in parentheses where that needs them.
    fn operand(&self, expr: &Expr, need: u8) -> String {
        let text = self.spelled(expr);
        if expr.strength() >= need { text.to_owned() } else { format!("({text})") }
    }

    fn ty(&self, expr: &Expr) -> Type {
        match &expr.kind {
            ExprKind::Name(name) => match self.visible.iter().find(|it| it.name == *name) {
                Some(variable) if is_number(variable) => Type::Number,
                Some(variable) if variable.stars == 1 => Type::Pointer(variable.words.clone()),
                _ => Type::Unknown,
            },
            ExprKind::Number(_) | ExprKind::Binary(..) | ExprKind::Update(..) => Type::Number,
            ExprKind::Index(base, _) => match self.ty(base) {
                Type::Pointer(_) => Type::Number,
                _ => Type::Unknown,
            },
            ExprKind::Unary(operator, inside) => match (operator.as_str(), self.ty(inside)) {
                ("*", Type::Pointer(_)) => Type::Number,
                ("*" | "&", _) => Type::Unknown,
                _ => Type::Number,
            },
            _ => Type::Unknown,
        }
    }

    /// A statement: what is assigned, and to what.
    fn effect(&self, expr: &Expr, found: &mut Vec<Variation>) {
        match &expr.kind {
            ExprKind::Assign(operator, left, right) => {
                self.target(left, found);
                self.node(right, 1, false, found);
                self.value(right, 1, found);
                for other in ["=", "+=", "-=", "*=", "/="] {
                    if other != operator {
                        let text = format!("{} {other} {}", self.spelled(left), self.spelled(right));
                        self.push(found, expr, 0, text, 1, if operator == "=" { 103 } else { 90 });
                    }
                }
            }
            ExprKind::Update(operator, target) => {
                let other = if operator == "++" { "--" } else { "++" };
                let text = format!("{}{other}", self.operand(target, 14));
                self.push(found, expr, 0, text, 14, 84);
                self.target(target, found);
            }
            ExprKind::Comma(one, other) => {
                self.effect(one, found);
                self.effect(other, found);
            }
            _ => self.node(expr, 0, false, found),
        }
    }

    /// What is assigned to: other variables of the type, other elements.
    fn target(&self, expr: &Expr, found: &mut Vec<Variation>) {
        let ty = self.ty(expr);
        if let (ExprKind::Name(name), Type::Pointer(words)) = (&expr.kind, &ty) {
            let same = self
                .visible
                .iter()
                .filter(|it| it.stars == 1 && !it.is_array && it.words == *words && it.name != *name);
            same.for_each(|it| self.push(found, expr, 13, it.name.clone(), 15, 95));
        }
        if ty == Type::Number {
            self.scalars.iter().for_each(|it| self.push(found, expr, 13, it.clone(), 15, 95));
            self.elements.iter().for_each(|it| self.push(found, expr, 13, it.clone(), 14, 100));
        }
        if let ExprKind::Index(base, index) = &expr.kind {
            self.node(base, 14, false, found);
            self.node(index, 0, false, found);
            self.value(index, 0, found);
        }
    }

    /// A whole value: terms added, replaced by numbers in scope or by their sums.
    fn value(&self, expr: &Expr, need: u8, found: &mut Vec<Variation>) {
        if self.ty(expr) != Type::Number && !matches!(expr.kind, ExprKind::Call(..) | ExprKind::Conditional(..)) {
            return;
        }
        for (operator, number, cost) in [("+", "1", 97), ("-", "1", 97), ("/", "2", 99), ("*", "2", 100)] {
            self.joined(expr, need, operator, number, cost, found);
        }
        for scalar in &self.scalars {
            for operator in ["+", "-", "*", "/", "%"] {
                self.joined(expr, need, operator, scalar, 102, found);
            }
            for operator in ["+", "-", "*"] {
                let right = self.operand(expr, precedence(operator) + 1);
                self.push(found, expr, need, format!("{scalar} {operator} {right}"), precedence(operator), 101);
            }
        }
        for element in &self.elements {
            self.joined(expr, need, "+", element, 104, found);
            self.joined(expr, need, "-", element, 104, found);
            self.push(found, expr, need, element.clone(), 14, 103);
        }
        for scalar in &self.scalars {
            self.push(found, expr, need, scalar.clone(), 15, 103);
        }
        for one in self.scalars.iter().chain(&self.elements) {
            for other in self.scalars.iter().chain(&self.elements) {
                for operator in ["+", "-"] {
                    self.push(found, expr, need, format!("{one} {operator} {other}"), 11, 112);
                }
            }
            for (operator, number) in [("+", "1"), ("-", "1")] {
                self.push(found, expr, need, format!("{one} {operator} {number}"), 11, 109);
            }
        }
    }

    fn joined(&self, expr: &Expr, need: u8, operator: &str, right: &str, cost: u32, found: &mut Vec<Variation>) {
        let left = self.operand(expr, precedence(operator));
        self.push(found, expr, need, format!("{left} {operator} {right}"), precedence(operator), cost);
    }

    /// A whole condition: its opposite, any comparison of numbers in scope, one more test.
    fn condition(&self, expr: &Expr, found: &mut Vec<Variation>) {
        let text = self.operand(expr, 13);
        self.push(found, expr, 0, format!("!{text}"), 13, 100 - self.annotations.negated.min(99));
        if let ExprKind::Binary(operator, left, right) = &expr.kind
            && ARITHMETIC.contains(&operator.as_str())
        {
            for other in COMPARISONS {
                let text = format!("{} {other} {}", self.operand(left, 10), self.operand(right, 10));
                self.push(found, expr, 0, text, 9, 90);
            }
        }
        if !is_comparison(expr) {
            for other in COMPARISONS {
                self.push(found, expr, 0, format!("{} {other} 0", self.operand(expr, 10)), 9, 101);
            }
        }
        // As people write it: elements and locals on the left, parameters on the right.
        let is_parameter = |name: &&String| self.visible.iter().any(|it| it.name == **name && it.is_parameter);
        let (parameters, locals): (Vec<&String>, Vec<&String>) = self.scalars.iter().partition(is_parameter);
        let atoms: Vec<&String> = self.elements.iter().chain(locals).chain(parameters).collect();
        let mut comparisons = Vec::new();
        for (index, one) in atoms.iter().enumerate() {
            for other in &atoms[index + 1..] {
                for operator in COMPARISONS {
                    comparisons.push(format!("{one} {operator} {other}"));
                }
            }
            for operator in COMPARISONS {
                comparisons.push(format!("{one} {operator} 0"));
            }
        }
        for comparison in &comparisons {
            self.push(found, expr, 0, comparison.clone(), 9, 108);
        }
        for comparison in comparisons.iter().take(ADDED_CONDITIONS) {
            self.added(expr, comparison, 115, found);
        }
        // What the function asks elsewhere, and more about what this condition asks about.
        self.comparisons.iter().for_each(|it| self.added(expr, it, 103, found));
        let asked = expr.all().into_iter().filter(|it| matches!(it.kind, ExprKind::Name(_) | ExprKind::Index(..)));
        for one in asked.filter(|it| self.ty(it) == Type::Number).map(|it| self.spelled(it)) {
            for constant in &self.constants {
                for operator in COMPARISONS {
                    let cost = if matches!(operator, "==" | "!=") { 104 } else { 106 };
                    self.added(expr, &format!("{one} {operator} {constant}"), cost, found);
                }
            }
            for scalar in self.scalars.iter().filter(|it| *it != one) {
                for operator in COMPARISONS {
                    self.added(expr, &format!("{one} {operator} {scalar}"), 107, found);
                }
            }
        }
    }

    /// One more test, at the end of the condition or before it.
    fn added(&self, expr: &Expr, comparison: &str, cost: u32, found: &mut Vec<Variation>) {
        self.push(found, expr, 0, format!("{} && {comparison}", self.operand(expr, 4)), 4, cost);
        self.push(found, expr, 0, format!("{} || {comparison}", self.operand(expr, 3)), 3, cost + 1);
        // Before it, where it guards an access.
        if expr.all().iter().any(|it| matches!(it.kind, ExprKind::Index(..))) {
            self.push(found, expr, 0, format!("{comparison} && {}", self.operand(expr, 5)), 4, cost + 2);
        }
    }

    /// A number somewhat larger or smaller, or by a variable.
    fn shifted(&self, expr: &Expr, need: u8, found: &mut Vec<Variation>) {
        if self.ty(expr) != Type::Number || matches!(expr.kind, ExprKind::Number(_) | ExprKind::Name(_)) {
            return;
        }
        for (operator, number, cost) in [("+", "1", 96), ("-", "1", 96), ("/", "2", 100), ("*", "2", 101)] {
            self.joined(expr, need, operator, number, cost, found);
        }
        for scalar in &self.scalars {
            for operator in ["+", "-", "*"] {
                self.joined(expr, need, operator, scalar, 104, found);
            }
        }
    }

    /// A node that is read, and all below it.
    fn node(&self, expr: &Expr, need: u8, is_condition: bool, found: &mut Vec<Variation>) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(expr, name, need, found),
            ExprKind::Number(_) => self.number(expr, need, &[], found),
            ExprKind::Binary(operator, left, right) => {
                self.binary(expr, operator, left, right, need, is_condition, found)
            }
            ExprKind::Index(base, index) => {
                self.node(base, 14, false, found);
                self.node(index, 0, false, found);
                self.shifted(index, 0, found);
                for scalar in &self.scalars {
                    self.push(found, index, 0, format!("{scalar} - 1"), 11, 100);
                    self.push(found, index, 0, format!("{scalar} + 1"), 11, 100);
                }
                self.scalars.iter().for_each(|it| self.push(found, expr, need, it.clone(), 15, 96));
                self.elements.iter().for_each(|it| self.push(found, expr, need, it.clone(), 14, 98));
            }
            ExprKind::Unary(operator, inside) => {
                if operator == "!" || operator == "-" || operator == "~" {
                    self.push(found, expr, need, self.spelled(inside).to_owned(), inside.strength(), 97);
                }
                self.node(inside, 13, operator == "!", found);
            }
            ExprKind::Call(_, arguments) => {
                for argument in arguments {
                    self.node(argument, 1, false, found);
                    self.shifted(argument, 1, found);
                }
                for pair in arguments.windows(2) {
                    let (one, other) = (self.spelled(&pair[0]), self.spelled(&pair[1]));
                    let between = &self.text[pair[0].range.end..pair[1].range.start];
                    let range = pair[0].range.start..pair[1].range.end;
                    found.push(Variation { range, text: format!("{other}{between}{one}"), cost: 99 });
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.node(condition, 3, true, found);
                self.node(then, 0, false, found);
                self.node(otherwise, 2, false, found);
                let swapped =
                    format!("{} ? {} : {}", self.operand(condition, 3), self.spelled(otherwise), self.operand(then, 2));
                self.push(found, expr, need, swapped, 2, 96);
            }
            ExprKind::Assign(operator, left, right) => {
                if operator == "=" {
                    let text = format!("{} == {}", self.operand(left, 9), self.operand(right, 9));
                    self.push(found, expr, need, text, 8, 78);
                }
                self.effect(expr, found);
            }
            ExprKind::Update(..) | ExprKind::Comma(..) => self.effect(expr, found),
            ExprKind::Cast(inside) | ExprKind::Member(inside) => self.node(inside, 13, false, found),
            ExprKind::Other(parts) => parts.iter().for_each(|it| self.node(it, 15, false, found)),
            ExprKind::Literal => {
                for (text, cost) in literals::alternatives(self.spelled(expr), &self.literals, self.hints) {
                    self.push(found, expr, need, text, 15, cost);
                }
            }
        }
    }

    fn name(&self, expr: &Expr, name: &str, need: u8, found: &mut Vec<Variation>) {
        let Some(variable) = self.visible.iter().find(|it| it.name == name) else { return };
        let near = 100 - self.annotations.same_type.min(99);
        for other in self.visible.iter().filter(|it| it.name != name && it.stars == variable.stars) {
            let same = other.words == variable.words;
            if same || (is_number(other) && is_number(variable)) {
                self.push(found, expr, need, other.name.clone(), 15, if same { near } else { near + 3 });
            }
        }
        if !is_number(variable) {
            return;
        }
        for constant in &self.constants {
            self.push(found, expr, need, constant.to_string(), if *constant < 0 { 13 } else { 15 }, 98);
        }
        self.push(found, expr, need, format!("-{name}"), 13, 98);
        self.push(found, expr, need, format!("{name} + 1"), 11, 95);
        self.push(found, expr, need, format!("{name} - 1"), 11, 95);
        for element in self.elements.iter() {
            let cost = if element.ends_with(&format!("[{name}]")) { 94 } else { 99 };
            self.push(found, expr, need, element.clone(), 14, cost);
        }
    }

    /// `idle`: numbers that would make the operator do nothing, or nothing that depends on the other side.
    fn number(&self, expr: &Expr, need: u8, idle: &[i64], found: &mut Vec<Variation>) {
        if self.spelled(expr).starts_with("3.14") {
            self.push(found, expr, need, PI.to_owned(), 15, 70);
        }
        let Some(value) = number(expr) else { return };
        for (factor, weight) in &self.annotations.scales {
            let cost = 100 - weight.min(&99);
            let smaller = (*factor != 0 && value % factor == 0).then(|| value / factor);
            for other in [value.saturating_mul(*factor)].into_iter().chain(smaller).filter(|it| !idle.contains(it)) {
                self.push(found, expr, need, other.to_string(), 15, cost);
            }
        }
        for (offset, weight) in &self.annotations.constants {
            let other = value.saturating_add(*offset);
            if idle.contains(&other) {
                continue;
            }
            self.push(found, expr, need, other.to_string(), if other < 0 { 13 } else { 15 }, 100 - weight.min(&99));
        }
        for constant in self.constants.iter().chain(&[2, -1]).filter(|it| !idle.contains(it)) {
            self.push(found, expr, need, constant.to_string(), if *constant < 0 { 13 } else { 15 }, 86);
        }
        self.scalars.iter().for_each(|it| self.push(found, expr, need, it.clone(), 15, 93));
        self.elements.iter().for_each(|it| self.push(found, expr, need, it.clone(), 14, 99));
    }

    #[allow(clippy::too_many_arguments)]
    fn binary(
        &self,
        expr: &Expr,
        operator: &str,
        left: &Expr,
        right: &Expr,
        need: u8,
        is_condition: bool,
        found: &mut Vec<Variation>,
    ) {
        let classes: [&[&str]; 5] = [&COMPARISONS, &ARITHMETIC, &["&&", "||"], &["&", "|", "^"], &["<<", ">>"]];
        let class = classes.iter().find(|it| it.contains(&operator)).copied().unwrap_or(&[]);
        for other in class.iter().filter(|it| **it != operator) {
            let weight = self.annotations.operator(operator).find(|it| it.0 == *other).map_or(4, |it| it.1);
            let strength = precedence(other);
            let text = format!("{} {other} {}", self.operand(left, strength), self.operand(right, strength + 1));
            // Arithmetic decides nothing by itself: another relation is meant more often.
            let odd = if is_condition && class == ARITHMETIC { 15 } else { 0 };
            self.push(found, expr, need, text, strength, 100 - weight.min(99) + odd);
        }
        for (kept, other) in [(left, right), (right, left)] {
            let cost = if matches!(other.kind, ExprKind::Number(_)) { 77 } else { 98 };
            self.push(found, expr, need, self.spelled(kept).to_owned(), kept.strength(), cost);
        }
        if COMPARISONS.contains(&operator) && right.kind != ExprKind::Literal {
            for (offset, weight) in &self.annotations.bounds {
                let (sign, number) = if *offset < 0 { ("-", -offset) } else { ("+", *offset) };
                let text = format!("{} {sign} {number}", self.operand(right, 11));
                self.push(found, right, precedence(operator) + 1, text, 11, 100 - weight.min(&99));
            }
        }
        // The same numbers in another order.
        if let ExprKind::Binary(inner, one, other) = &left.kind
            && ARITHMETIC.contains(&operator)
            && ARITHMETIC.contains(&inner.as_str())
            && inner != operator
        {
            let inside = format!("({} {operator} {})", self.operand(other, 12), self.operand(right, 13));
            let text = format!("{} {inner} {inside}", self.operand(one, precedence(inner)));
            self.push(found, expr, need, text, precedence(inner), 95);
        }
        if let ExprKind::Binary(inner, one, other) = &right.kind
            && ARITHMETIC.contains(&operator)
            && ARITHMETIC.contains(&inner.as_str())
            && inner != operator
        {
            let inside = format!("({} {operator} {})", self.operand(left, 12), self.operand(one, 13));
            let text = format!("{inside} {inner} {}", self.operand(other, precedence(inner) + 1));
            self.push(found, expr, need, text, precedence(inner), 95);
        }
        if matches!(operator, "-" | "/" | "%" | "<" | "<=" | ">" | ">=") {
            let strength = precedence(operator);
            let text = format!("{} {operator} {}", self.operand(right, strength), self.operand(left, strength + 1));
            self.push(found, expr, need, text, strength, 94);
        }
        let inside = is_condition && matches!(operator, "&&" | "||");
        self.node(left, precedence(operator), inside, found);
        match right.kind {
            ExprKind::Number(_) => {
                let idle: &[i64] = match operator {
                    "+" | "-" => &[0],
                    "*" | "/" | "%" => &[0, 1, -1],
                    _ => &[],
                };
                self.number(right, precedence(operator) + 1, idle, found);
            }
            _ => self.node(right, precedence(operator) + 1, inside, found),
        }
    }
}

fn name_of(expr: &Expr) -> Option<&String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}

/// Words of a text, as C has them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|it| !it.is_empty())
}

/// Variables that statements of the function assign to.
fn assigned(function: &Function) -> Vec<&String> {
    let all = function.places.iter().flat_map(|place| place.expr.all());
    let targets = all.filter_map(|it| match &it.kind {
        ExprKind::Assign(_, left, _) => name_of(left),
        ExprKind::Update(_, operand) => name_of(operand),
        _ => None,
    });
    targets.collect()
}

/// Whether the function uses the value of a variable anywhere.
fn is_read(function: &Function, name: &str) -> bool {
    fn reads(expr: &Expr, name: &str) -> bool {
        match &expr.kind {
            ExprKind::Name(found) => found == name,
            ExprKind::Assign(operator, left, right) if operator == "=" && name_of(left).is_some() => reads(right, name),
            ExprKind::Unary(operator, inside) if operator == "&" && name_of(inside).is_some() => false,
            _ => expr.parts().into_iter().any(|it| reads(it, name)),
        }
    }
    function.places.iter().any(|place| reads(&place.expr, name))
}

fn compares(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Binary(operator, ..) if COMPARISONS.contains(&operator.as_str()))
}

fn is_comparison(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Binary(operator, ..) if COMPARISONS.contains(&operator.as_str()) || operator == "&&" || operator == "||")
        || matches!(&expr.kind, ExprKind::Unary(operator, _) if operator == "!")
}

/// The value of a plain number.
fn number(expr: &Expr) -> Option<i64> {
    let ExprKind::Number(text) = &expr.kind else { return None };
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x") {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16).ok(),
        None => digits.parse().ok(),
    }
}
