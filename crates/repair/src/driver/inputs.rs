//! What a function is given: its parameters and globals, taken apart into numbers and arrays of numbers.
//!
//! Variables and what the contract calls valid → [`Slot`]s. A structure, or what a pointer to one points to, is a number
//! for each member, an array member of a fixed length one for each element, and a member that points to numbers an
//! array. An array of structures is an array for each member. A pointer to pointers is rows of equal length. Not
//! here: pointers that form lists and trees, unions, functions.

use frontend::acsl::checking::{Scope, Type};
use frontend::acsl::syntax::{Term, TermKind};

use crate::c::{Outline, Structure, Variable};

/// Numbers in an array member of a structure, and structures inside each other.
const MOST: i64 = 64;
const DEEPEST: usize = 4;

/// A number or an array of numbers that a function is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// `n`, or `p.x` for a member, `p.x[2]` for a part of it.
    pub name: String,
    /// The type of the number, or of the array's elements.
    pub words: String,
    /// The number, or where the array is, as C: `n`, `p->x`, `a`.
    pub target: String,
    /// Of an array of structures: the member, `.x`.
    pub selector: String,
    pub is_array: bool,
    /// Rows of numbers.
    pub is_rows: bool,
    /// The first of its array.
    pub leads: bool,
    pub is_real: bool,
    /// An array whose length the contract tells.
    pub is_sized: bool,
    /// A scalar that lengths depend on.
    pub is_shape: bool,
    /// What the function does to it can be seen after the call.
    pub is_shared: bool,
    /// A global variable or a part of one.
    pub is_global: bool,
}

impl Slot {
    pub fn new(name: &str, words: &str, is_array: bool) -> Slot {
        Slot {
            name: name.to_owned(),
            words: words.to_owned(),
            target: name.to_owned(),
            selector: String::new(),
            is_array,
            is_rows: false,
            leads: true,
            is_real: Type::of(words, 0) == Type::Real,
            is_sized: false,
            is_shape: false,
            is_shared: is_array,
            is_global: false,
        }
    }

    /// Its name as a word of C.
    pub fn symbol(&self) -> String {
        symbol(&self.name)
    }

    /// The word for its array.
    pub fn array(&self) -> String {
        symbol(&self.name[..self.name.len() - self.selector.len()])
    }
}

fn symbol(name: &str) -> String {
    name.replace('.', "_of_").replace('[', "_at_").replace(']', "")
}

/// How a variable comes to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// By itself.
    Value,
    /// A pointer to one structure.
    One,
    /// A pointer to numbers or structures in a row.
    Many,
    /// A pointer to rows; as many columns as its type says.
    Rows(Option<String>),
}

/// A parameter or a global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub name: String,
    pub words: String,
    pub form: Form,
    pub is_global: bool,
}

/// A variable with its slots; a reason if it cannot be made. `is_many` says of which structures there is a row.
pub fn made(
    variable: &Variable,
    outline: &Outline,
    is_many: impl Fn(&str) -> bool,
) -> Result<(Made, Vec<Slot>), String> {
    let (name, words) = (&variable.name, &variable.words);
    let structure = outline.structure(words);
    refuse(variable, outline)?;
    let form = match (variable.stars, structure) {
        (0, _) => Form::Value,
        (1, Some(_)) if !is_many(name) => Form::One,
        (1, _) => Form::Many,
        (2, None) => Form::Rows(variable.dimensions.get(1).or(variable.dimensions.first()).cloned().filter(|it| {
            // `T *a[3]` is an array of pointers, `T a[][3]` rows of three.
            variable.dimensions.len() == 2 && !it.is_empty()
        })),
        (2, Some(_)) => {
            return Err("it is a pointer to pointers to structures; of numbers, they can be made".to_owned());
        }
        _ => return Err("it is a pointer to pointers to pointers; two levels can be made".to_owned()),
    };
    let is_global = !variable.is_parameter;
    let slots = match (structure, &form) {
        (Some(structure), Form::Many) => {
            let mut slots = Leaves { outline, found: Vec::new() }.all(structure, "", "", 0)?;
            if let Some(array) = slots.iter().find(|it| it.is_array) {
                let member = array.name.trim_start_matches('.');
                return Err(format!(
                    "its member `{member}` points elsewhere; in a row of structures, numbers can be made"
                ));
            }
            for (index, slot) in slots.iter_mut().enumerate() {
                let selector = std::mem::take(&mut slot.name);
                *slot = Slot { leads: index == 0, selector: selector.clone(), ..slot.clone() };
                (slot.name, slot.target) = (format!("{name}{selector}"), name.clone());
                (slot.is_array, slot.is_shared) = (true, true);
            }
            slots
        }
        (Some(structure), _) => {
            let target = if form == Form::One { format!("{name}->") } else { format!("{name}.") };
            let mut slots = Leaves { outline, found: Vec::new() }.all(structure, name, &target, 0)?;
            slots.iter_mut().for_each(|it| it.is_shared |= form == Form::One);
            slots
        }
        (None, Form::Rows(_)) => vec![Slot { is_rows: true, ..Slot::new(name, words, true) }],
        (None, _) => vec![Slot::new(name, words, form == Form::Many)],
    };
    let slots = slots.into_iter().map(|it| Slot { is_global, is_shared: it.is_shared || is_global, ..it }).collect();
    Ok((Made { name: name.clone(), words: words.clone(), form, is_global }, slots))
}

/// What cannot be made, in words.
fn refuse(variable: &Variable, outline: &Outline) -> Result<(), String> {
    let words = &variable.words;
    let tag = words.split(' ').next().unwrap_or_default();
    let reason = match tag {
        _ if variable.is_function => "it is a function; numbers, arrays and structures of them can be made".to_owned(),
        "void" => "nothing says what it points to; numbers, arrays and structures of them can be made".to_owned(),
        "union" => "it is a union; numbers, arrays and structures of them can be made".to_owned(),
        "struct" if outline.structure(words).is_none() => format!("this file does not define `{words}`"),
        _ if outline.structure(&format!("*{words}")).is_some() => {
            format!("`{words}` hides a pointer; write the star where the parameter is declared")
        }
        _ => return Ok(()),
    };
    Err(reason)
}

/// The numbers of a structure.
struct Leaves<'l> {
    outline: &'l Outline,
    found: Vec<Slot>,
}

impl Leaves<'_> {
    /// `name` and `target` are what stands before the members' names.
    fn all(mut self, structure: &Structure, name: &str, target: &str, depth: usize) -> Result<Vec<Slot>, String> {
        self.add(structure, name, target, depth)?;
        Ok(self.found)
    }

    fn add(&mut self, structure: &Structure, name: &str, target: &str, depth: usize) -> Result<(), String> {
        for member in &structure.members {
            let (name, target) = (format!("{name}.{}", member.name), format!("{target}{}", member.name));
            let inside = |reason: &str| format!("its member `{}` {reason}", member.name);
            if refuse(member, self.outline).is_err() {
                return Err(inside("is no number, array or structure of this file"));
            }
            match (self.outline.structure(&member.words), member.stars, member.dimensions.len()) {
                (Some(nested), 0, _) if depth < DEEPEST => self.add(nested, &name, &format!("{target}."), depth + 1)?,
                (Some(_), _, _) => return Err(inside("leads to other structures; lists and trees cannot be made")),
                (None, 0, _) => self.found.push(Slot { target, ..Slot::new(&name, &member.words, false) }),
                (None, 1, 0) => self.found.push(Slot { target, ..Slot::new(&name, &member.words, true) }),
                (None, stars, dimensions) if stars == dimensions => {
                    let lengths: Option<Vec<i64>> = member.dimensions.iter().map(|it| self.length(it)).collect();
                    let lengths = lengths.ok_or_else(|| inside("has a length that is no number of this file"))?;
                    if lengths.iter().fold(1, |all: i64, it| all.saturating_mul(*it)) > MOST {
                        return Err(inside(&format!("has more than {MOST} elements")));
                    }
                    self.elements(member, &name, &target, &lengths);
                }
                _ => return Err(inside("points to pointers")),
            }
        }
        Ok(())
    }

    fn elements(&mut self, member: &Variable, name: &str, target: &str, lengths: &[i64]) {
        let Some((first, others)) = lengths.split_first() else {
            self.found.push(Slot { target: target.to_owned(), ..Slot::new(name, &member.words, false) });
            return;
        };
        for index in 0..*first {
            self.elements(member, &format!("{name}[{index}]"), &format!("{target}[{index}]"), others);
        }
    }

    fn length(&self, text: &str) -> Option<i64> {
        let known = self.outline.constants.get(text).copied();
        known.or_else(|| text.parse().ok()).filter(|it| *it >= 1)
    }
}

/// The meaning of members, where all structures of the file that have one of a name agree on its type.
pub fn scope_of(outline: &Outline) -> Scope {
    let mut scope = Scope::default();
    for member in outline.structures.iter().flat_map(|it| &it.members) {
        let ty = type_of(member, outline);
        let known = scope.members.entry(member.name.clone()).or_insert_with(|| ty.clone());
        if *known != ty {
            *known = Type::Other;
        }
    }
    scope
}

pub fn type_of(variable: &Variable, outline: &Outline) -> Type {
    let base = match outline.structure(&variable.words) {
        Some(_) => Type::Other,
        None => Type::of(&variable.words, 0),
    };
    (0..variable.stars).fold(base, |ty, _| Type::Pointer(Box::new(ty)))
}

/// A term that names a slot, or a part of what slots are made of: `n`, `p.x` for `p->x`, `p` for `*p`.
pub fn path(term: &Term) -> Option<String> {
    match &term.kind {
        TermKind::Name(name) => Some(name.clone()),
        TermKind::Member(base, _, member) => Some(format!("{}.{member}", path(base)?)),
        TermKind::Unary("*", inside) | TermKind::Old(inside) => path(inside),
        TermKind::Index(base, index) => match &index.kind {
            TermKind::Number(number) if matches!(base.kind, TermKind::Member(..)) => {
                Some(format!("{}[{number}]", path(base)?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The slots that a term speaks of, by name, and other names that stand free in it.
pub fn paths(term: &Term, slots: &[Slot]) -> std::collections::BTreeSet<String> {
    if let Some(known) = path(term).filter(|path| slots.iter().any(|it| it.name == *path)) {
        return [known].into();
    }
    match &term.kind {
        TermKind::Name(name) => [name.clone()].into(),
        TermKind::Quantified { binders, body, .. } => {
            let mut inside = paths(body, slots);
            inside.retain(|it| !binders.contains(it));
            inside
        }
        _ => term.parts().into_iter().flat_map(|it| paths(it, slots)).collect(),
    }
}
