//! Checks that a program is well-formed and well-typed.
//!
//! Program → nothing, or the first thing wrong with it and where. What holds afterwards: every id
//! names something; types of operands agree as the executor and the encoders assume; each expression
//! node is used at most once and never by itself; names are unique where the text form needs it. The
//! time is linear in the program's size.
//!
//! Not checked: that a call fits its callee. C without prototypes calls functions with whatever
//! arguments and results, and the executor has an answer for that.

mod body;
mod exprs;
mod typing;

pub(crate) use typing::{
    binary_result, builtin_argument, builtin_arity, builtin_on_floats, builtin_result, memory_size,
};

use std::collections::HashSet;

use source::Place;

use crate::{CType, CTypeId, ExprId, Function, Global, Initializer, Object, Program, Role, Site, SiteInfo, Type};

/// What is wrong with a program, and where.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{within}: {fault}")]
pub struct Invalid {
    /// The function, block and command, or the global, in words.
    pub within: String,
    pub fault: Fault,
}

/// A way in which a program is not well-formed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Fault {
    /// An id is beyond the end of its table.
    #[error("{what} {id} does not exist: there are {count}")]
    Missing { what: &'static str, id: u32, count: usize },
    /// Two things have one name.
    #[error("two {what} are named `{name}`")]
    DuplicateName { what: &'static str, name: String },
    /// A part has another type than its place asks for.
    #[error("{what} must be {expected}, not {found}")]
    Type { what: &'static str, expected: String, found: Type },
    /// An integer type of no bits or of more than 128.
    #[error("{0} is no type: integers have 1 to 128 bits")]
    Width(Type),
    /// A constant has bits beyond its type.
    #[error("the constant {bits:#x} does not fit {ty}")]
    Constant { bits: u128, ty: Type },
    /// A node has two users; each node has one place in the source.
    #[error("expression {} is used twice", .0.0)]
    Shared(ExprId),
    /// A node is a part of itself.
    #[error("expression {} is a part of itself", .0.0)]
    Cyclic(ExprId),
    /// A list has another length than its place asks for.
    #[error("{expected} {what} expected, not {found}")]
    Count { what: &'static str, expected: usize, found: usize },
    /// An alignment is not 1, 2, 4, ...
    #[error("the alignment {0} is no power of two")]
    Align(u32),
    /// Bits of a bit-field are outside of the unit they are in.
    #[error("bits {offset} to {} are not inside {ty}", u32::from(*offset) + u32::from(*width))]
    BitField { offset: u8, width: u8, ty: Type },
    /// Two cases of a switch have one value.
    #[error("two cases have the value {0}")]
    DuplicateCase(u128),
    /// A global has more initial bytes than it is large, or an address that sticks out.
    #[error("initial contents up to byte {end} do not fit {size} bytes")]
    Contents { end: u128, size: u64 },
    /// Parameters come first among the variables, and nothing else is one.
    #[error("variable {id} must{} have the role of a parameter", if *.parameter { "" } else { " not" })]
    Role { id: u32, parameter: bool },
    /// A `Begin` of an object that is declared to live as long as its frame.
    #[error("the object `{0}` begins here, but is not marked as scoped")]
    NotScoped(String),
    /// A function with a body but no entry.
    #[error("the body has no blocks")]
    NoEntry,
    /// Entry 0 of the sites is "nowhere".
    #[error("site 0 must have no place")]
    SiteZero,
    /// A C type contains itself other than through a pointer.
    #[error("type {} contains itself", .0.0)]
    RecursiveType(CTypeId),
}

type Check = Result<(), Fault>;

/// Checks a whole program.
pub fn validate(program: &Program) -> Result<(), Invalid> {
    let within = |within: &str| {
        let within = within.to_owned();
        move |fault| Invalid { within, fault }
    };
    check_sites(program).map_err(within("the table of sites"))?;
    check_ctypes(program).map_err(within("the table of types"))?;
    check_names(program).map_err(within("the program"))?;
    for unsupported in &program.unsupported {
        check_site(program, unsupported.site).map_err(within("the unsupported constructs"))?;
    }
    for global in &program.globals {
        check_global(program, global)
            .map_err(|fault| Invalid { within: format!("global `{}`", global.name), fault })?;
    }
    for function in &program.functions {
        let within = || format!("function `{}`", function.name);
        check_signature(program, function).map_err(|fault| Invalid { within: within(), fault })?;
        if let Some(body) = &function.body {
            body::check(program, function, body)
                .map_err(|(place, fault)| Invalid { within: within() + &place, fault })?;
        }
    }
    Ok(())
}

/// That an id is below the end of its table.
fn in_range(what: &'static str, id: u32, count: usize) -> Check {
    if (id as usize) < count { Ok(()) } else { Err(Fault::Missing { what, id, count }) }
}

fn check_type(ty: Type) -> Check {
    match ty {
        Type::Int(0) | Type::Int(129..) => Err(Fault::Width(ty)),
        _ => Ok(()),
    }
}

fn has_type(what: &'static str, found: Type, expected: Type) -> Check {
    if found == expected { Ok(()) } else { Err(Fault::Type { what, expected: expected.to_string(), found }) }
}

fn is_integer(what: &'static str, found: Type) -> Check {
    match found {
        Type::Int(_) => Ok(()),
        _ => Err(Fault::Type { what, expected: "an integer".to_owned(), found }),
    }
}

fn check_align(align: u32) -> Check {
    if align.is_power_of_two() { Ok(()) } else { Err(Fault::Align(align)) }
}

fn unique<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Check {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Fault::DuplicateName { what, name: name.to_owned() });
        }
    }
    Ok(())
}

fn check_site(program: &Program, site: Site) -> Check {
    if site == Site::NONE { Ok(()) } else { in_range("site", site.0, program.sites.len()) }
}

fn check_ctype(program: &Program, ctype: Option<CTypeId>) -> Check {
    ctype.map_or(Ok(()), |id| in_range("type", id.0, program.ctypes.len()))
}

fn check_sites(program: &Program) -> Check {
    let files = program.sources.files().count();
    let check_place = |place: Option<Place>| place.map_or(Ok(()), |place| in_range("file", place.file.0, files));
    if program.sites.first().is_some_and(|nowhere| *nowhere != SiteInfo::default()) {
        return Err(Fault::SiteZero);
    }
    for site in &program.sites {
        check_place(site.place)?;
        check_place(site.exact)?;
    }
    Ok(())
}

fn check_names(program: &Program) -> Check {
    let functions = program.functions.iter().map(|function| function.name.as_str());
    let globals = program.globals.iter().map(|global| global.name.as_str());
    unique("functions or globals", functions.chain(globals))
}

/// Types exist, and only pointers and functions may lead back to where they are.
fn check_ctypes(program: &Program) -> Check {
    let count = program.ctypes.len();
    for ctype in &program.ctypes {
        let mut result = Ok(());
        for_each_part(ctype, |id, _| {
            if result.is_ok() {
                result = in_range("type", id.0, count);
            }
        });
        result?;
    }
    // Kahn's algorithm over "contains": what cannot be taken away lies on a cycle.
    let mut containers: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut contained = vec![0usize; count];
    for (index, ctype) in program.ctypes.iter().enumerate() {
        for_each_part(ctype, |id, by_value| {
            if by_value {
                containers[id.0 as usize].push(index as u32);
                contained[index] += 1;
            }
        });
    }
    let mut ready: Vec<u32> = (0..count as u32).filter(|index| contained[*index as usize] == 0).collect();
    while let Some(index) = ready.pop() {
        for &container in &containers[index as usize] {
            contained[container as usize] -= 1;
            if contained[container as usize] == 0 {
                ready.push(container);
            }
        }
    }
    match contained.iter().position(|parts| *parts > 0) {
        Some(index) => Err(Fault::RecursiveType(CTypeId(index as u32))),
        None => Ok(()),
    }
}

/// The types that a type is made of, and whether it contains them.
fn for_each_part(ctype: &CType, mut visit: impl FnMut(CTypeId, bool)) {
    match ctype {
        CType::Void | CType::Integer { .. } | CType::Float { .. } | CType::Enum { .. } | CType::Other(_) => {}
        CType::Pointer(target) => visit(*target, false),
        CType::Array { element, .. } => visit(*element, true),
        CType::Alias { of, .. } => visit(*of, true),
        CType::Record { members, .. } => members.iter().for_each(|member| visit(member.ctype, true)),
        CType::Function { returns, parameters, .. } => {
            visit(*returns, false);
            parameters.iter().for_each(|parameter| visit(*parameter, false));
        }
    }
}

fn check_global(program: &Program, global: &Global) -> Check {
    check_align(global.align)?;
    check_site(program, global.site)?;
    check_ctype(program, global.ctype)?;
    let Initializer::Bytes { bytes, addresses } = &global.init else { return Ok(()) };
    let fits = |end: u128| match end <= u128::from(global.size) {
        true => Ok(()),
        false => Err(Fault::Contents { end, size: global.size }),
    };
    fits(bytes.len() as u128)?;
    for address in addresses {
        fits(u128::from(address.at) + 8)?;
        check_object(program, 0, address.object)?;
    }
    Ok(())
}

/// That an object exists, in a function with so many local objects.
fn check_object(program: &Program, locals: usize, object: Object) -> Check {
    match object {
        Object::Global(id) => in_range("global", id.0, program.globals.len()),
        Object::Local(id) => in_range("local object", id.0, locals),
        Object::Function(id) => in_range("function", id.0, program.functions.len()),
        Object::Label(function, block) => {
            in_range("function", function.0, program.functions.len())?;
            let body = program.function(function).body.as_ref();
            in_range("block", block.0, body.map_or(0, |body| body.blocks.len()))
        }
    }
}

fn check_signature(program: &Program, function: &Function) -> Check {
    check_site(program, function.site)?;
    check_ctype(program, function.ctype)?;
    function.returns.iter().try_for_each(|ty| check_type(*ty))?;
    for parameter in &function.parameters {
        check_type(parameter.ty)?;
        if parameter.copied.is_some() {
            has_type("a parameter that is copied", parameter.ty, Type::Pointer)?;
        }
    }
    let Some(body) = &function.body else { return Ok(()) };
    let (expected, found) = (function.parameters.len(), body.variables.len());
    if found < expected {
        return Err(Fault::Count { what: "variables for parameters", expected, found });
    }
    for (parameter, variable) in function.parameters.iter().zip(&body.variables) {
        has_type("the variable of a parameter", variable.ty, parameter.ty)?;
    }
    for (index, variable) in body.variables.iter().enumerate() {
        let parameter = index < expected;
        if parameter != (variable.role == Role::Parameter) {
            return Err(Fault::Role { id: index as u32, parameter });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
