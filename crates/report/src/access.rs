//! Words for accesses to memory that C does not allow, and for memory that is lost.

use program::exec::memory::{FaultKind, MemoryFault, ObjectInfo, ObjectKind};
use program::{ExprKind, Program, Site, VarId};
use source::ExpressionKind;

use crate::finding::{Mark, NamedValue, Place};
use crate::names;
use crate::numbers::count;
use crate::places;
use crate::violation::{Subject, Words};

/// Lost objects that are named one by one.
const SHOWN_LEAKS: usize = 5;

pub fn memory(subject: &Subject<'_>, fault: &MemoryFault) -> Words {
    let mut words = match &fault.object {
        Some(object) => of_object(subject, fault, object),
        None => of_no_object(subject, fault),
    };
    if let Some(object) = &fault.object {
        words.related = life(subject.program, object);
        words.notes.extend(ended_without_place(subject.program, fault, object));
    }
    words
}

/// What does the access: an expression in quotes, or the function that was called.
fn actor(subject: &Subject<'_>) -> String {
    if is_call(subject)
        && let Some(callee) = subject.operand(0)
    {
        return format!("`{callee}`");
    }
    subject.quoted_or("an access")
}

/// Whether a function did it; what looks like a call can also be a macro.
fn is_call(subject: &Subject<'_>) -> bool {
    let looks_like_one = subject.located.and_then(|located| located.kind()) == Some(ExpressionKind::Call);
    let callee = subject.operand(0).unwrap_or_default();
    looks_like_one && places::calls(subject.program, subject.violation.at, &callee)
}

fn of_no_object(subject: &Subject<'_>, fault: &MemoryFault) -> Words {
    let actor = actor(subject);
    match fault.kind {
        FaultKind::Null => null(subject, fault, &actor),
        FaultKind::InvalidFree => Words::new(
            format!("{actor} frees a pointer to no object"),
            format!("{} is no object's address", fault.address),
        ),
        FaultKind::NotAFunction if fault.address.is_null() => {
            Words::new(format!("{actor} calls through a null pointer"), "the function pointer is null")
        }
        FaultKind::NotAFunction => {
            let label = format!("{} is no function's address", fault.address);
            Words::new(format!("{actor} calls through a pointer to no function"), label)
        }
        _ => {
            let verb = verb(fault);
            let label = format!("{} is no object's address", fault.address);
            Words::new(format!("{actor} {verb} through a pointer to no object"), label)
        }
    }
}

fn null(subject: &Subject<'_>, fault: &MemoryFault, actor: &str) -> Words {
    let verb = verb(fault);
    let offset = fault.address.offset();
    let label = if is_call(subject) {
        "a pointer argument is null".to_owned()
    } else {
        match pointer(subject) {
            Some(pointer) => format!("`{pointer}` is null"),
            None if offset == 0 => "the pointer is null".to_owned(),
            None => format!("this is {} from a null pointer", count(offset.unsigned_abs(), "byte")),
        }
    };
    let mut words = Words::new(format!("{actor} {verb} through a null pointer"), label);
    if !is_call(subject) {
        let null = |expression| NamedValue { expression, value: "NULL".to_owned() };
        words.values = pointer(subject).map(null).into_iter().collect();
    }
    words
}

/// The pointer in `*p`, `p->f` and `p[i]`.
fn pointer(subject: &Subject<'_>) -> Option<String> {
    match subject.located?.kind()? {
        ExpressionKind::Dereference | ExpressionKind::Member | ExpressionKind::Subscript => subject.operand(0),
        _ => None,
    }
}

fn verb(fault: &MemoryFault) -> &'static str {
    if fault.write { "writes" } else { "reads" }
}

fn of_object(subject: &Subject<'_>, fault: &MemoryFault, object: &ObjectInfo) -> Words {
    let actor = actor(subject);
    let verb = verb(fault);
    let name = names::object(subject.program, object);
    match fault.kind {
        FaultKind::Above => {
            Words::new(format!("{actor} {verb} past the end of {name}"), bounds(subject, fault, object))
        }
        FaultKind::Below => {
            Words::new(format!("{actor} {verb} before the start of {name}"), bounds(subject, fault, object))
        }
        FaultKind::Freed => Words::new(format!("{actor} {verb} memory that was freed"), "used after it was freed"),
        FaultKind::OutOfScope => {
            Words::new(format!("{actor} {verb} {name} after the end of its life"), "used after its scope was left")
        }
        FaultKind::Constant => Words::new(format!("{actor} writes to {name}, which must not change"), "written here"),
        FaultKind::Uninitialized => uninitialized(subject, fault, object, &actor, &name),
        FaultKind::Unterminated => {
            let title = format!("{actor} reads a string in {name} that has no end");
            let size = count(object.size, "byte");
            Words::new(title, format!("no null character from byte {} on, of {size}", object.offset))
        }
        FaultKind::DoubleFree => {
            Words::new(format!("{actor} frees memory that was freed before"), "freed a second time")
        }
        FaultKind::InvalidFree => invalid_free(object, &actor, &name),
        FaultKind::NotAFunction => {
            Words::new(format!("{actor} calls through a pointer to no function"), format!("it points to {name}"))
        }
        FaultKind::Null => null(subject, fault, &actor),
        FaultKind::Wild => {
            let label = format!("it points to {name}");
            Words::new(format!("{actor} {verb} through a pointer to no object"), label)
        }
    }
}

fn uninitialized(subject: &Subject<'_>, fault: &MemoryFault, object: &ObjectInfo, actor: &str, name: &str) -> Words {
    let element = element(subject, object).filter(|_| fault.length > 0);
    let what = match element {
        _ if is_call(subject) => format!("byte {} of {} was never written", object.offset, again(subject, object)),
        Some(size) if object.offset >= 0 && object.size > size => {
            format!("element {} of {} was never written", object.offset as u64 / size, again(subject, object))
        }
        _ => "no value was assigned before".to_owned(),
    };
    let title = match subject.quoted() {
        Some(text) if !is_call(subject) => format!("{text} is read before it has a value"),
        _ => format!("{actor} reads from {name} what was never written"),
    };
    Words::new(title, what)
}

fn again(subject: &Subject<'_>, object: &ObjectInfo) -> String {
    names::object_again(subject.program, object)
}

fn invalid_free(object: &ObjectInfo, actor: &str, name: &str) -> Words {
    let label = match object.kind {
        ObjectKind::Heap if object.offset != 0 => {
            let size = count(object.size, "byte");
            format!("this is byte {} of an object of {size}, not its start", object.offset)
        }
        ObjectKind::Heap => "this cannot be freed".to_owned(),
        _ => format!("this points to {name}"),
    };
    Words::new(format!("{actor} frees what was not allocated"), label)
}

/// By how much an access misses its object.
fn bounds(subject: &Subject<'_>, fault: &MemoryFault, object: &ObjectInfo) -> String {
    let name = again(subject, object);
    let offset = object.offset;
    if let Some(size) = element(subject, object).filter(|_| !is_call(subject))
        && offset % size as i64 == 0
        && object.size.is_multiple_of(size)
    {
        let (index, elements) = (offset / size as i64, object.size / size);
        return match elements {
            0 => format!("element {index}, but {name} has no elements"),
            1 => format!("element {index}, but {name} has only one, element 0"),
            _ => format!("element {index}, but {name} has elements 0 to {}", elements - 1),
        };
    }
    let verb = verb(fault);
    let length = count(fault.length, "byte");
    let size = count(object.size, "byte");
    if offset < 0 {
        return format!("{verb} {length}, {} before {name}", count(offset.unsigned_abs(), "byte"));
    }
    format!("{verb} {length} at offset {offset}, but {name} has {size}")
}

/// Bytes of an element: as the access sees it, or as the object is declared.
fn element(subject: &Subject<'_>, object: &ObjectInfo) -> Option<u64> {
    let size = stride(subject).or_else(|| names::element_size(subject.program, object))?;
    (size > 0 && size <= i64::MAX as u64).then_some(size)
}

/// The size of an element of the array that the access indexes.
fn stride(subject: &Subject<'_>) -> Option<u64> {
    let violation = subject.violation;
    let body = subject.program.function(violation.at.function).body.as_ref()?;
    let id = violation.expr.or_else(|| places::stored_address(body, violation.at))?;
    let mut expr = body.exprs.get(id.index())?;
    if let ExprKind::Load(load) = &expr.kind {
        expr = body.expr(load.address);
    }
    match &expr.kind {
        ExprKind::Index(index) => Some(index.stride),
        _ => None,
    }
}

/// Where the object began and, if it has, ended.
fn life(program: &Program, object: &ObjectInfo) -> Vec<Mark> {
    let mut marks = Vec::new();
    marks.extend(birth(program, object));
    if object.ended != Site::NONE
        && let Some(place) = places::place(program, object.ended)
    {
        let label = match object.kind {
            ObjectKind::Heap => "freed here".to_owned(),
            _ => format!("{} ends its life here", names::object(program, object)),
        };
        marks.push(Mark { place, label });
    }
    marks
}

fn birth(program: &Program, object: &ObjectInfo) -> Option<Mark> {
    if let Some(literal) = names::literal(program, object) {
        // A literal that was shortened or has escapes in it is not found, and not shown.
        let span = program.sources.word_in_line(program.place(declared(program, object))?, &literal)?;
        return Some(Mark { place: Place { span }, label: "a string literal".to_owned() });
    }
    let place = match names::declared_name(program, object) {
        Some(name) => places::declaration(program, declared(program, object), name),
        None => places::place(program, object.allocated),
    };
    Some(Mark { place: place?, label: names::birth(program, object) })
}

/// The declaration, which is where an object is written down, wherever its life began.
fn declared(program: &Program, object: &ObjectInfo) -> Site {
    match object.kind {
        ObjectKind::Global(id) => program.global(id).site,
        ObjectKind::Local { function, local } => {
            let body = program.function(function).body.as_ref();
            body.and_then(|body| body.locals.get(local.index())).map_or(object.allocated, |local| local.site)
        }
        _ => object.allocated,
    }
}

/// A local's life ends with its function at no place that could be marked.
fn ended_without_place(program: &Program, fault: &MemoryFault, object: &ObjectInfo) -> Option<String> {
    let gone = fault.kind == FaultKind::OutOfScope && program.place(object.ended).is_none();
    let function = match object.kind {
        ObjectKind::Local { function, .. } | ObjectKind::Computed(function) => function,
        _ => return None,
    };
    let name = names::object(program, object);
    gone.then(|| {
        format!("{name} is local to `{}`: its life ends when its scope is left", names::function(program, function))
    })
}

pub fn unassigned(subject: &Subject<'_>, variable: VarId) -> Words {
    let program = subject.program;
    let function = subject.violation.at.function;
    let name = names::variable(program, function, variable);
    let mut words = Words::new(format!("{name} is read before it has a value"), "no value was assigned before");
    let body = program.function(function).body.as_ref();
    let declared = body.and_then(|body| body.variables.get(variable.index())).map(|variable| variable.site);
    let bare = name.trim_matches('`');
    if let Some(place) = declared.and_then(|site| places::declaration(program, site, bare)) {
        words.related.push(Mark { place, label: format!("{name} is declared here") });
    }
    words
}

pub fn index(subject: &Subject<'_>, index: i64, count: u64) -> Words {
    let array = match subject.located.and_then(|located| located.kind()) {
        Some(ExpressionKind::Subscript) => subject.operand(0),
        _ => None,
    };
    let array = array.map_or_else(|| "the array".to_owned(), |array| format!("`{array}`"));
    let elements = crate::numbers::count(count, "element");
    let mut words = Words::new(
        format!("index out of bounds in {}", subject.quoted_or("an expression")),
        format!("index {index}, but {array} has {elements}"),
    );
    if let Some(expression) = subject.operand(1)
        && expression.parse::<i64>().is_err()
    {
        words.values.push(NamedValue { expression, value: index.to_string() });
    }
    words
}

/// The place of a leak is where the first lost object was allocated.
pub fn leak(subject: &Subject<'_>, objects: &[ObjectInfo]) -> Words {
    let bytes: u64 = objects.iter().map(|object| object.size).sum();
    let many = count(objects.len() as u64, "heap object");
    let verb = if objects.len() == 1 { "is" } else { "are" };
    let mut words = Words::new(format!("{many} of {} {verb} never freed", count(bytes, "byte")), "");
    let mut marks: Vec<Mark> = Vec::new();
    for object in objects {
        let Some(place) = places::place(subject.program, object.allocated) else { continue };
        if marks.iter().all(|mark| mark.place != place) {
            marks.push(Mark { place, label: names::birth(subject.program, object) });
        }
    }
    let hidden = marks.len().saturating_sub(SHOWN_LEAKS);
    let mut marks = marks.into_iter().take(SHOWN_LEAKS);
    words.primary = marks.next();
    words.related = marks.collect();
    if hidden > 0 {
        words.notes.push(format!("{} of lost objects are not shown", count(hidden as u64, "more allocation")));
    }
    words
}
