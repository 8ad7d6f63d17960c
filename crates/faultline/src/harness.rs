//! `--harness out.c`: a C file that makes the program fail natively.
//!
//! The values of one failure → C text to be compiled together with the program: it defines the functions
//! that gave the program its values, so that they return the recorded ones in order, and the error functions
//! that the program calls but does not define. What has no function, such as the value of a variable before
//! its first assignment, cannot be given to native code; the file says so.

use std::fmt::Write;

use program::exec::memory::ObjectKind;
use program::exec::{Consumed, ViolationKind};
use program::{Float, Program, Type};
use verify::bmc::Failure;

/// Functions that say that something failed.
const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// The text of the file.
pub fn text(program: &Program, failure: &Failure, title: &str, files: &str, name: &str) -> String {
    let is_function = |input: &&Consumed| program.find_function(&input.source).is_some();
    let given: Vec<&Consumed> = failure.inputs.iter().filter(is_function).collect();
    let missing: Vec<&Consumed> = failure.inputs.iter().filter(|input| !is_function(input)).collect();
    let mut text = String::new();
    let line = |text: &mut String, words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    line(&mut text, &format!("/* Makes the program fail: {}.", title.replace("*/", "* /")));
    line(&mut text, &format!(" *   {}", command(failure.violation.kind, files, name)));
    for input in &missing {
        line(&mut text, &format!(" * Not given: `{}` has no value yet and has to be {:#x}.", input.source, input.bits));
    }
    for given in &failure.run.unwritten {
        let name = match given.object.kind {
            ObjectKind::Heap => "a heap object".to_owned(),
            _ => report::object_name(program, &given.object),
        };
        let bytes: Vec<String> = given.bytes.bytes.iter().map(|byte| format!("{byte:#x}")).collect();
        let words = format!("{name} has to begin with {} at offset {}.", bytes.join(" "), given.bytes.offset);
        line(&mut text, &format!(" * Not given: {words}"));
    }
    line(&mut text, " */\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    line(&mut text, "/* The values in the order in which the program asks for them: low and high 64 bits. */");
    line(&mut text, "static const unsigned long long values[][2] = {");
    for input in &given {
        let (low, high) = (input.bits as u64, (input.bits >> 64) as u64);
        line(&mut text, &format!("    {{{low:#x}ULL, {high:#x}ULL}}, /* {} */", input.source));
    }
    line(&mut text, "    {0, 0},\n};\n");
    line(&mut text, "static void next_value(void *result, size_t size)\n{");
    line(&mut text, "    static size_t position;");
    line(&mut text, "    memcpy(result, values[position], size);");
    line(&mut text, "    if (position + 1 < sizeof values / sizeof *values)\n        position++;\n}");
    for (function, ty) in sources(program, &given) {
        let _ = write!(
            text,
            "\n{ty} {function}(void)\n{{\n    {ty} value;\n    memset(&value, 0, sizeof value);\n    \
             next_value(&value, {});\n    return value;\n}}\n",
            if ty == "long double" { "10".to_owned() } else { "sizeof value".to_owned() }
        );
    }
    ends(program, &mut text);
    text
}

/// How to compile and run it.
pub fn command(kind: ViolationKind, files: &str, name: &str) -> String {
    let sanitizer = match kind {
        ViolationKind::Assert | ViolationKind::ErrorCall => "",
        ViolationKind::Uninitialized => " -fsanitize=memory",
        _ => " -fsanitize=address,undefined -fno-sanitize-recover=all",
    };
    let compiler = if kind == ViolationKind::Uninitialized { "clang" } else { "cc" };
    format!("{compiler} -g{sanitizer} {files} {name} -o failing && ./failing < /dev/null")
}

/// The functions to define: all that give values and have no body, whether they were asked or not.
fn sources<'a>(program: &'a Program, given: &[&'a Consumed]) -> Vec<(&'a str, &'static str)> {
    let mut functions: Vec<(&str, &'static str)> = Vec::new();
    for function in program.functions.iter().filter(|it| it.body.is_none()) {
        let asked = given.iter().find(|input| *input.source == function.name);
        let conventional = function.name.starts_with("__VERIFIER_nondet_");
        let ty = asked.map(|input| input.ty).or(function.returns.first().copied().filter(|_| conventional));
        if let Some(ty) = ty {
            functions.push((&function.name, c_type(ty)));
        }
    }
    functions
}

/// A C type with this representation.
fn c_type(ty: Type) -> &'static str {
    match ty {
        Type::Int(1) => "_Bool",
        Type::Int(..=8) => "unsigned char",
        Type::Int(..=16) => "unsigned short",
        Type::Int(..=32) => "unsigned int",
        Type::Int(..=64) => "unsigned long long",
        Type::Int(_) => "unsigned __int128",
        Type::Float(Float::F16) => "_Float16",
        Type::Float(Float::F32) => "float",
        Type::Float(Float::F64) => "double",
        Type::Float(Float::X87) => "long double",
        Type::Float(Float::F128) => "__float128",
        Type::Pointer => "void *",
    }
}

/// What the program calls to say that it failed, or that a run does not count.
fn ends(program: &Program, text: &mut String) {
    let undefined = |name: &str| program.functions.iter().any(|it| it.name == name && it.body.is_none());
    for name in ERROR_FUNCTIONS.into_iter().filter(|name| undefined(name)) {
        let _ =
            write!(text, "\nvoid {name}(void)\n{{\n    fprintf(stderr, \"{name} is called\\n\");\n    abort();\n}}\n");
    }
    if undefined("__VERIFIER_assume") {
        text.push_str(
            "\nvoid __VERIFIER_assume(int condition)\n{\n    if (!condition) {\n        \
             fprintf(stderr, \"an assumption does not hold\\n\");\n        exit(3);\n    }\n}\n",
        );
    }
}
