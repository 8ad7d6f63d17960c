//! Reads what sanitizers, `assert` and C++'s library print: the kind of failure and the stack, as far as it is told.
//!
//! Reports of AddressSanitizer, LeakSanitizer, MemorySanitizer, ThreadSanitizer and UndefinedBehaviorSanitizer, with
//! symbols or without; glibc's and musl's line of a failed assertion; what libstdc++ and libc++ say of an exception that nobody
//! catches. Other text is no report. Of several reports the first counts: what comes after undefined behaviour need not mean
//! anything.

use std::sync::LazyLock;

use regex::Regex;

use super::{Frame, Symptom};

static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    let names = "Address|Leak|Memory|Thread|HWAddress|UndefinedBehavior";
    pattern(&format!(r"(?m)^(?:==\d+==|)\s*(?:ERROR|WARNING): ({names})Sanitizer:? (.*)$"))
});
static UNDEFINED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(\S+?):(\d+):(\d+): runtime error: (.*)$"));
static ASSERTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^(?:[^\n]*?: )?([^:\s]+):(\d+): (?:([^\n]*?): )?Assertion [`']([^\n]*)' failed\.?$")
});
static MUSL_ASSERTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^Assertion failed: ([^\n]*) \(([^:\n]+): ([^:\n]*): (\d+)\)$"));
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^terminate called after throwing an instance of '([^'\n]+)'(?:\n  what\(\):  ([^\n]*))?$")
});
static LIBCXX_EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^libc\+\+abi: terminating due to uncaught exception of type ([^\n]*?)(?:: ([^\n]*))?$")
});
static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*#\d+ (?:0x[0-9a-f]+ )?(?:in )?(.*?)(?: ?\(([^()\s]+)\+0x([0-9a-f]+)\))?(?: \(BuildId: [0-9a-f]+\))?$")
});
static PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.*?) ?((?:/|\./|\.\./)?[^\s:()]+):(\d+)(?::(\d+))?$"));

static ACCESS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(READ|WRITE) of size (\d+) at "));
static NEAR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)is located (\d+) bytes (after|before|inside of) (?:a )?(\d+)-byte region"));
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^SUMMARY: [A-Za-z]+Sanitizer: ([a-z]+(?:-[a-z]+)+)"));

static LOCAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^\s*\[(\d+), (\d+)\) '([^'\n]+)' \(line (\d+)\)(?: <== Memory access at offset (\d+) (.*))?$")
});
static GLOBAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)is located [^\n]* global variable '([^'\n]+)' defined in '([^'\n]+?):(\d+)(?::\d+)?'")
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("patterns are tested: {error}"))
}

/// The first report in what a program printed.
pub fn read(stderr: &str) -> Option<Symptom> {
    let found = [address(stderr), undefined(stderr), assertion(stderr), exception(stderr)];
    found.into_iter().flatten().min_by_key(|(at, _)| *at).map(|(_, symptom)| symptom)
}

fn address(text: &str) -> Option<(usize, Symptom)> {
    let head = HEAD.captures(text)?;
    let (whole, said) = (head.get(0)?, head.get(2)?.as_str());
    let message = format!("{}Sanitizer: {said}", &head[1]);
    // What differs from run to run is no part of it.
    let cut = [" on address", " on 0x", " (pid=", " (pc "].iter().filter_map(|it| message.find(it)).min();
    let message = &message[..cut.unwrap_or(message.len())];
    let words = said.strip_prefix("attempting ").unwrap_or(said);
    let rest = &text[whole.end()..];
    let summary = || SUMMARY.captures(rest).map(|it| it[1].to_owned());
    let kind = match () {
        () if &head[1] == "Leak" => "leak".to_owned(),
        () if words.starts_with("data race") => "data-race".to_owned(),
        // The kind is only told at the end.
        () if words.starts_with("requested") => summary().unwrap_or_else(|| "allocation-size".to_owned()),
        () => words.split([' ', ':']).next().unwrap_or(words).to_lowercase(),
    };
    let message = format!("{message}{}", access(rest));
    Some((whole.start(), Symptom { kind, message, frames: frames(rest) }))
}

/// What was accessed, and what is near it, as far as it is told: `: writes 2 bytes, 0 bytes after 1 allocated`, `: reads 8 bytes of 24
/// that were freed`.
fn access(rest: &str) -> String {
    let bytes = |count: &str| if count == "1" { "1 byte".to_owned() } else { format!("{count} bytes") };
    let Some(access) = ACCESS.captures(rest) else { return String::new() };
    let does = if &access[1] == "READ" { "reads" } else { "writes" };
    let is_freed = rest.contains("freed by thread");
    let near = NEAR.captures(rest).map_or_else(String::new, |it| match is_freed {
        true => format!(" of {} that were freed", &it[3]),
        false => format!(", {} {} {} allocated", bytes(&it[1]), &it[2], &it[3]),
    });
    format!(": {does} {}{near}", bytes(&access[2]))
}

fn undefined(text: &str) -> Option<(usize, Symptom)> {
    let report = UNDEFINED.captures(text)?;
    let whole = report.get(0)?;
    let said = &report[4];
    let place = Frame {
        function: None,
        file: Some(report[1].to_owned()),
        line: report[2].parse().ok(),
        column: report[3].parse().ok(),
        module: None,
    };
    let symptom = Symptom { kind: kind_of(said), message: said.to_owned(), frames: vec![place] };
    Some((whole.start(), symptom))
}

/// What undefined behaviour is in few words, without the values and types in it.
fn kind_of(said: &str) -> String {
    for (begins, kind) in [
        ("negation of", "negation-overflow"),
        ("division of", "division-overflow"),
        ("left shift of", "left-shift-overflow"),
        ("load of value", "invalid-value"),
    ] {
        if said.starts_with(begins) {
            return kind.to_owned();
        }
    }
    if said.contains("outside the range of representable values") {
        return "float-cast-overflow".to_owned();
    }
    let ends = [":", ",", " for ", " of type", " within ", " which ", " through "];
    let cut = ends.iter().filter_map(|it| said.find(it)).min().unwrap_or(said.len());
    let is_plain = |word: &&str| word.chars().all(|it| it.is_ascii_lowercase() || it == '-');
    said[..cut].split(' ').filter(is_plain).collect::<Vec<_>>().join("-")
}

fn assertion(text: &str) -> Option<(usize, Symptom)> {
    let (whole, file, line, function, condition) = match ASSERTION.captures(text) {
        Some(found) => {
            let part = |at: usize| found.get(at).map(|it| it.as_str().to_owned());
            (found.get(0)?.start(), part(1)?, part(2)?, part(3), part(4)?)
        }
        None => {
            let found = MUSL_ASSERTION.captures(text)?;
            let part = |at: usize| found.get(at).map(|it| it.as_str().to_owned());
            (found.get(0)?.start(), part(2)?, part(4)?, part(3), part(1)?)
        }
    };
    let frame = Frame { function, file: Some(file), line: line.parse().ok(), column: None, module: None };
    let message = format!("assertion `{condition}` failed");
    Some((whole, Symptom { kind: "assertion".to_owned(), message, frames: vec![frame] }))
}

/// Those of different types are different failures.
fn exception(text: &str) -> Option<(usize, Symptom)> {
    let found = EXCEPTION.captures(text).or_else(|| LIBCXX_EXCEPTION.captures(text))?;
    let ty = &found[1];
    let what = found.get(2).map_or_else(String::new, |it| format!(": {}", it.as_str()));
    Some((found.get(0)?.start(), Symptom::plain(&format!("uncaught-{ty}"), format!("nobody catches `{ty}`{what}"))))
}

/// Where the memory was made that a report is about, the innermost first.
pub fn allocation(stderr: &str) -> Vec<Frame> {
    stack_behind(stderr, "allocated by thread")
}

/// Where it was freed, if it was.
pub fn freed(stderr: &str) -> Vec<Frame> {
    stack_behind(stderr, "freed by thread")
}

fn stack_behind(stderr: &str, words: &str) -> Vec<Frame> {
    let Some(head) = HEAD.find(stderr) else { return Vec::new() };
    let rest = &stderr[head.end()..];
    rest.find(words).map_or_else(Vec::new, |at| frames(&rest[at..]))
}

/// A variable of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub file: String,
    /// Where it is declared.
    pub line: u32,
}

/// The variable whose memory a report is about, if it is one.
pub fn variable(stderr: &str) -> Option<Variable> {
    let rest = &stderr[HEAD.find(stderr)?.end()..];
    if let Some(found) = GLOBAL.captures(rest) {
        // A string without a name.
        if found[1].starts_with('.') {
            return None;
        }
        return Some(Variable { name: found[1].to_owned(), file: found[2].to_owned(), line: found[3].parse().ok()? });
    }
    let local = &rest[rest.find("is located in stack of thread")?..];
    let file = frames(local).into_iter().next()?.file?;
    let variables: Vec<_> = LOCAL.captures_iter(local).collect();
    let marked = variables.iter().find(|it| it.get(5).is_some())?;
    let number = |it: &regex::Captures<'_>, group: usize| it[group].parse::<u64>().ok();
    let at = number(marked, 5)?;
    // An access that begins in one variable and ends in the next one has run out of the first.
    let begins_in =
        |it: &&regex::Captures<'_>| number(it, 1).zip(number(it, 2)).is_some_and(|it| it.0 <= at && at < it.1);
    let other = variables.iter().find(begins_in).filter(|_| marked[6].starts_with("partially underflows"));
    let found = other.unwrap_or(marked);
    // What the optimizer calls a part of a variable when others became registers.
    let name = found[3].split(".sroa.").next()?;
    // Or of one that it has put where it is called.
    let name = name.trim_end_matches(|it: char| it.is_ascii_digit()).strip_suffix(".i").unwrap_or(name).to_owned();
    Some(Variable { name, file, line: found[4].parse().ok()? })
}

/// The first stack in a text, up to the line that ends it.
fn frames(text: &str) -> Vec<Frame> {
    let lines = text.lines().skip_while(|line| !line.trim_start().starts_with('#'));
    lines.take_while(|line| line.trim_start().starts_with('#')).filter_map(frame).collect()
}

/// A function under the name that the user knows, whichever of its bodies ran.
fn plain(function: &str) -> String {
    let bodies = [".own", ".quick", ".exact", ".faultline"];
    let demangled = |name: &str, body: &str| name.strip_suffix(&format!(" ({body})")).map(str::to_owned);
    bodies.iter().rev().fold(function.to_owned(), |name, body| {
        demangled(&name, body).or_else(|| Some(name.strip_suffix(body)?.to_owned())).unwrap_or(name)
    })
}

fn frame(line: &str) -> Option<Frame> {
    let found = FRAME.captures(line.trim_end())?;
    let said = found[1].trim();
    let module = found.get(2).zip(found.get(3));
    let module = module.map(|(name, offset)| {
        let name = name.as_str().rsplit('/').next().unwrap_or_default();
        format!("{name}+0x{}", offset.as_str())
    });
    let empty = Frame { function: None, file: None, line: None, column: None, module };
    if said.is_empty() {
        return Some(empty);
    }
    let Some(place) = PLACE.captures(said) else {
        return Some(Frame { function: Some(plain(said)), ..empty });
    };
    Some(Frame {
        function: Some(plain(place[1].trim())).filter(|it| !it.is_empty()),
        file: Some(place[2].to_owned()),
        line: place[3].parse().ok(),
        column: place.get(4).and_then(|it| it.as_str().parse().ok()),
        ..empty
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: &str, message: &str, frames: &[&str]) {
        let symptom = read(text).expect("it is a report");
        assert_eq!((symptom.kind.as_str(), symptom.message.as_str()), (kind, message));
        let found: Vec<String> = symptom.frames.iter().map(Frame::to_string).collect();
        assert_eq!(found, frames);
    }

    #[test]
    fn address_sanitizer() {
        let text = "noise\n=================================================================\n\
            ==17==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000031 at pc 0x55 bp 0x7 sp 0x7\n\
            WRITE of size 2 at 0x602000000031 thread T0\n\
            \x20   #0 0x4c2 in strcpy (/usr/bin/x+0x4c2) (BuildId: 0a1b)\n\
            \x20   #1 0x4f1 in copy /src/a dir/x.c:12:3\n\
            \x20   #2 0x4f2 in main x.c:20:5\n\n\
            0x602000000031 is located 0 bytes after 1-byte region [0x602000000030,0x602000000031)\n\
            allocated by thread T0 here:\n\
            \x20   #0 0x111 in malloc (/usr/bin/x+0x111)\n\
            \x20   #1 0x4f0 in make x.c:7:9\n";
        let made: Vec<String> = allocation(text).iter().map(Frame::to_string).collect();
        assert_eq!(made, ["malloc", "make x.c:7:9"]);
        let message = "AddressSanitizer: heap-buffer-overflow: writes 2 bytes, 0 bytes after 1 allocated";
        check(text, "heap-buffer-overflow", message, &["strcpy", "copy /src/a dir/x.c:12:3", "main x.c:20:5"]);
        let text = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x5\n\
            READ of size 8 at 0x60 thread T0\n    #0 0x5 in look x.c:3:1\n\n\
            0x60 is located 4 bytes inside of 24-byte region [0x60,0x78)\n\
            freed by thread T0 here:\n    #0 0x5 in free (/p/x+0x5)\n    #1 0x5 in drop x.c:5:2\n\n\
            previously allocated by thread T0 here:\n    #0 0x5 in make x.c:9:9\n";
        check(
            text,
            "heap-use-after-free",
            "AddressSanitizer: heap-use-after-free: reads 8 bytes of 24 that were freed",
            &["look x.c:3:1"],
        );
        let [freed, made] =
            [freed(text), allocation(text)].map(|it| it.iter().map(Frame::to_string).collect::<Vec<_>>());
        assert_eq!(
            (freed, made),
            (vec!["free".to_owned(), "drop x.c:5:2".to_owned()], vec!["make x.c:9:9".to_owned()])
        );
        let text = "==1==ERROR: AddressSanitizer: attempting double-free on 0x60 in thread T0:\n    #0 0x5 (/p/x+0x5a) (BuildId: a)\n";
        check(text, "double-free", "AddressSanitizer: attempting double-free", &["x+0x5a"]);
        let text = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x5 bp 0x7 sp 0x7 T0)\n    #0 0x5 in f x.c:1\n";
        check(text, "segv", "AddressSanitizer: SEGV on unknown address 0x000000000000", &["f x.c:1"]);
    }

    #[test]
    fn an_allocation_that_cannot_be_made() {
        let text = "==1==ERROR: AddressSanitizer: requested allocation size 0xff exceeds maximum supported size of 0x10\n    \
            #0 0x5 in f x.c:1\nSUMMARY: AddressSanitizer: allocation-size-too-big x.c:1 in f\n";
        let message = "AddressSanitizer: requested allocation size 0xff exceeds maximum supported size of 0x10";
        check(text, "allocation-size-too-big", message, &["f x.c:1"]);
    }

    #[test]
    fn variables() {
        let local = "==1==ERROR: AddressSanitizer: stack-use-after-scope on address 0x7 at pc 0x5\n\
            READ of size 4 at 0x7 thread T0\n    #0 0x5 in show b.c:25:16\n\n\
            Address 0x7 is located in stack of thread T0 at offset 112 in frame\n    #0 0x5 in all /src/a.c:50\n\n  \
            This frame has 2 object(s):\n    [32, 64) 'det' (line 57)\n    \
            [112, 120) 'sizes.sroa.0' (line 58) <== Memory access at offset 112 is inside this variable\n";
        let named = |name: &str, file: &str, line| Some(Variable { name: name.into(), file: file.into(), line });
        assert_eq!(variable(local), named("sizes", "/src/a.c", 58));
        let next = local.replace("at offset 112 is inside", "at offset 60 partially underflows");
        assert_eq!(variable(&next), named("det", "/src/a.c", 57));
        let global = "==1==ERROR: AddressSanitizer: global-buffer-overflow on address 0x5\n    #0 0x5 in f x.c:9:3\n\n\
            0x55 is located 0 bytes after global variable 'table' defined in 'x.c:4:5' (0x5500) of size 40\n";
        assert_eq!(variable(global), named("table", "x.c", 4));
        assert_eq!(variable("==1==ERROR: AddressSanitizer: SEGV on unknown address\n"), None);
    }

    #[test]
    fn a_crash_under_undefined_behaviour_sanitizer() {
        let text = "UndefinedBehaviorSanitizer:DEADLYSIGNAL\n\
            ==7==ERROR: UndefinedBehaviorSanitizer: SEGV on unknown address\n    #0 0x5 in f x.c:1\n";
        check(text, "segv", "UndefinedBehaviorSanitizer: SEGV on unknown address", &["f x.c:1"]);
    }

    #[test]
    fn kinds_of_undefined_behaviour() {
        for (said, kind) in [
            (
                "shift exponent 35 is too large for 32-bit type 'u32' (aka 'unsigned int')",
                "shift-exponent-is-too-large",
            ),
            ("negation of -2147483648 cannot be represented in type 'Int' (aka 'int'); cast", "negation-overflow"),
            ("division of -2147483648 by -1 cannot be represented in type 'int'", "division-overflow"),
            ("division by zero", "division-by-zero"),
            ("left shift of negative value -3", "left-shift-overflow"),
            ("member access within null pointer of type 'struct s'", "member-access"),
            ("load of null pointer of type 'int'", "load-of-null-pointer"),
            ("load of value 7, which is not a valid value for type 'bool'", "invalid-value"),
            ("1e+30 is outside the range of representable values of type 'int'", "float-cast-overflow"),
            (
                "null pointer passed as argument 1, which is declared to never be null",
                "null-pointer-passed-as-argument",
            ),
        ] {
            assert_eq!(kind_of(said), kind);
        }
    }

    #[test]
    fn other_sanitizers() {
        let text = "WARNING: ThreadSanitizer: data race (pid=3)\n  Write of size 4 at 0x7 by thread T1:\n    #0 worker x.c:7:3 (x+0xd1)\n";
        check(text, "data-race", "ThreadSanitizer: data race", &["worker x.c:7:3"]);
        let text = "==9==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x49 in main x.c:4:7\n";
        check(text, "use-of-uninitialized-value", "MemorySanitizer: use-of-uninitialized-value", &["main x.c:4:7"]);
        let text =
            "x.c:3:14: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n";
        let message = "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
        check(text, "signed-integer-overflow", message, &["x.c:3:14"]);
        let text = "x.c:9:2: runtime error: index 12 out of bounds for type 'int[8]'\n";
        check(text, "index-out-of-bounds", "index 12 out of bounds for type 'int[8]'", &["x.c:9:2"]);
        let text = "==5==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 8 byte(s):\n    #0 0x4 in malloc (x+0x4)\n";
        check(text, "leak", "LeakSanitizer: detected memory leaks", &["malloc"]);
    }

    #[test]
    fn assertions() {
        let text = "x: lib/x.c:12: int f(int): Assertion `n > 0' failed.\n";
        check(text, "assertion", "assertion `n > 0` failed", &["int f(int) lib/x.c:12"]);
        check("Assertion failed: n > 0 (x.c: f: 3)\n", "assertion", "assertion `n > 0` failed", &["f x.c:3"]);
        assert!(read("all is well: 3:4\n").is_none());
    }

    #[test]
    fn names_are_the_users() {
        for (said, name) in [
            ("error.quick", "error"),
            ("push.own.exact", "push"),
            ("at(int) const (.own)", "at(int) const"),
            ("main", "main"),
        ] {
            assert_eq!(frame(&format!("    #0 0x4c2 in {said} x.c:3:1")).unwrap().function.as_deref(), Some(name));
        }
    }

    #[test]
    fn exceptions() {
        let text = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  at: 2 of 2\n";
        check(text, "uncaught-std::out_of_range", "nobody catches `std::out_of_range`: at: 2 of 2", &[]);
        check("terminate called after throwing an instance of 'int'\n", "uncaught-int", "nobody catches `int`", &[]);
        let text = "libc++abi: terminating due to uncaught exception of type my::Error: no: such\n";
        check(text, "uncaught-my::Error", "nobody catches `my::Error`: no: such", &[]);
    }
}
