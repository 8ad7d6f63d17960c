//! What things are called: objects, variables, functions and types, in the words of the source.

use program::exec::memory::{ObjectInfo, ObjectKind};
use program::{CType, CTypeId, Encoding, FunctionId, Initializer, Program, VarId};

use crate::numbers::count;

/// A variable's name as the source has it: the front end numbers names that hide one another.
pub fn variable(program: &Program, function: FunctionId, variable: VarId) -> String {
    let body = program.function(function).body.as_ref();
    let variable = body.and_then(|body| body.variables.get(variable.index()));
    variable.map_or_else(|| "a variable".to_owned(), |variable| format!("`{}`", source_name(&variable.name)))
}

/// Without the number behind a name that another one hides.
pub fn source_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number)) if !stem.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()) => stem,
        _ => name,
    }
}

pub fn function(program: &Program, id: FunctionId) -> &str {
    source_name(&program.function(id).name)
}

/// An object as a sentence names it: `` `a` ``, `the heap object`.
pub fn object(program: &Program, info: &ObjectInfo) -> String {
    match info.kind {
        ObjectKind::Global(id) => {
            let global = program.global(id);
            match literal(program, info) {
                Some(text) => format!("the string {text}"),
                None => format!("`{}`", global_name(&global.name)),
            }
        }
        ObjectKind::Local { function, local } => {
            let body = program.function(function).body.as_ref();
            let local = body.and_then(|body| body.locals.get(local.index()));
            match local {
                Some(local) if is_source_name(&local.name) => format!("`{}`", source_name(&local.name)),
                _ => "a temporary object".to_owned(),
            }
        }
        ObjectKind::Computed(_) => "the variable-length array".to_owned(),
        ObjectKind::CopiedArgument(_) => "the struct argument".to_owned(),
        ObjectKind::VariableArguments(_) => "the variable arguments".to_owned(),
        ObjectKind::Heap => "the heap object".to_owned(),
        ObjectKind::Function(id) => format!("the function `{}`", function(program, id)),
        ObjectKind::Library(what) => format!("the library's `{what}`"),
    }
}

/// The same, where it has just been named.
pub fn object_again(program: &Program, info: &ObjectInfo) -> String {
    match info.kind {
        ObjectKind::Heap => "the object".to_owned(),
        ObjectKind::Computed(_) => "the array".to_owned(),
        _ => object(program, info),
    }
}

fn is_source_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// A function's static is called `function.name` by the compiler.
fn global_name(name: &str) -> &str {
    let name = source_name(name);
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}

/// The text of a string literal, shortened.
pub fn literal(program: &Program, info: &ObjectInfo) -> Option<String> {
    const SHOWN: usize = 24;
    let ObjectKind::Global(id) = info.kind else { return None };
    let global = program.global(id);
    if !global.name.starts_with(".str") && !global.name.starts_with("str.") {
        return None;
    }
    let Initializer::Bytes { bytes, .. } = &global.init else { return None };
    let text = String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default());
    let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    let rest = if text.chars().count() > SHOWN { "…" } else { "" };
    Some(format!("\"{shown}{rest}\""))
}

/// The name of an object that has one in the source.
pub fn declared_name<'p>(program: &'p Program, info: &ObjectInfo) -> Option<&'p str> {
    match info.kind {
        ObjectKind::Global(id) => Some(global_name(&program.global(id).name)),
        ObjectKind::Local { function, local } => {
            let local = program.function(function).body.as_ref()?.locals.get(local.index())?;
            Some(source_name(&local.name))
        }
        _ => None,
    }
}

/// The declared type of an object that has one.
pub fn object_type(program: &Program, info: &ObjectInfo) -> Option<CTypeId> {
    match info.kind {
        ObjectKind::Global(id) => program.global(id).ctype,
        ObjectKind::Local { function, local } => {
            program.function(function).body.as_ref()?.locals.get(local.index())?.ctype
        }
        _ => None,
    }
}

/// Bytes of one element, for an object that is declared as an array.
pub fn element_size(program: &Program, info: &ObjectInfo) -> Option<u64> {
    match program.resolve(object_type(program, info)?) {
        CType::Array { count: Some(count), .. } if *count > 0 => Some(info.size / count),
        _ => None,
    }
}

/// What a mark at the object's beginning of life says.
pub fn birth(program: &Program, info: &ObjectInfo) -> String {
    match info.kind {
        ObjectKind::Heap => format!("{} allocated here", count(info.size, "byte")),
        ObjectKind::Computed(_) => format!("an array of {} is made here", count(info.size, "byte")),
        _ => match object_type(program, info).map(|ctype| type_name(program, ctype)) {
            Some(ctype) => format!("{} is declared here, as `{ctype}`", object(program, info)),
            None => format!("{} is declared here, with {}", object(program, info), count(info.size, "byte")),
        },
    }
}

/// A type as C writes it, without a variable's name.
pub fn type_name(program: &Program, id: CTypeId) -> String {
    declaration(program, id, String::new(), 0)
}

/// Types nested deeper are cut short: they come from generated or hostile input.
const DEEPEST: u32 = 12;

/// C's types are written around what they declare: `inner` is what stands in the middle so far.
fn declaration(program: &Program, id: CTypeId, inner: String, depth: u32) -> String {
    let around = |name: &str| if inner.is_empty() { name.to_owned() } else { format!("{name} {inner}") };
    let Some(ctype) = program.ctypes.get(id.0 as usize).filter(|_| depth < DEEPEST) else {
        return around("…");
    };
    match ctype {
        CType::Void => around("void"),
        CType::Integer { encoding: Encoding::Boolean, .. } => around("_Bool"),
        CType::Integer { name, .. } | CType::Float { name, .. } | CType::Alias { name, .. } => around(name),
        CType::Record { name, union, .. } => around(&tagged(if *union { "union" } else { "struct" }, name)),
        CType::Enum { name, .. } => around(&tagged("enum", name)),
        CType::Other(name) => around(name),
        CType::Pointer(to) => {
            let pointee = program.ctypes.get(to.0 as usize);
            let inner = match pointee {
                Some(CType::Array { .. } | CType::Function { .. }) => format!("(*{inner})"),
                _ => format!("*{inner}"),
            };
            declaration(program, *to, inner, depth + 1)
        }
        CType::Array { element, count } => {
            let count = count.map_or_else(String::new, |count| count.to_string());
            declaration(program, *element, format!("{inner}[{count}]"), depth + 1)
        }
        CType::Function { returns, parameters, variadic } => {
            let mut list: Vec<String> =
                parameters.iter().map(|&it| declaration(program, it, String::new(), depth + 1)).collect();
            if *variadic {
                list.push("...".to_owned());
            }
            declaration(program, *returns, format!("{inner}({})", list.join(", ")), depth + 1)
        }
    }
}

fn tagged(keyword: &str, name: &str) -> String {
    if name.is_empty() { keyword.to_owned() } else { format!("{keyword} {name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ctypes: Vec<CType>, expected: &str) {
        let last = CTypeId(ctypes.len() as u32 - 1);
        let program = Program { ctypes, ..Program::default() };
        assert_eq!(type_name(&program, last), expected);
    }

    #[test]
    fn types() {
        let int = || CType::Integer { name: "int".to_owned(), bytes: 4, encoding: Encoding::Signed };
        let id = CTypeId;
        check(vec![int(), CType::Pointer(id(0))], "int *");
        check(vec![int(), CType::Array { element: id(0), count: Some(10) }], "int [10]");
        check(vec![int(), CType::Array { element: id(0), count: Some(3) }, CType::Pointer(id(1))], "int (*)[3]");
        check(
            vec![
                int(),
                CType::Array { element: id(0), count: Some(3) },
                CType::Array { element: id(1), count: Some(2) },
            ],
            "int [2][3]",
        );
        let function = CType::Function { returns: id(0), parameters: vec![id(0)], variadic: true };
        check(vec![int(), function, CType::Pointer(id(1))], "int (*)(int, ...)");
    }

    #[test]
    fn names_that_hide_one_another() {
        assert_eq!(source_name("i.2"), "i");
        assert_eq!(source_name("i"), "i");
        assert_eq!(source_name(".str.1"), ".str");
        assert_eq!(global_name("counter.next"), "next");
        assert_eq!(global_name("counter.next.1"), "next");
    }
}
