//! Library functions whose result and effects come from their arguments and the memory behind them alone.
//!
//! All others may keep something from one call to the next (the position in a file, a random seed), so each
//! of them depends on the one before. What a program prints is nothing that it could read again.

/// Names, and with a final `*` beginnings of names.
const WITHOUT_STATE: &[&str] = &[
    "__VERIFIER_*",
    "__assert*",
    "__builtin_*",
    "__ctype_*",
    "abort",
    "abs",
    "acos*",
    "asin*",
    "assert*",
    "atan*",
    "ato*",
    "bcmp",
    "bcopy",
    "bsearch",
    "bzero",
    "calloc",
    "cbrt*",
    "ceil*",
    "cos*",
    "div",
    "exit",
    "exp*",
    "fabs*",
    "fdim*",
    "fflush",
    "floor*",
    "fmax*",
    "fmin*",
    "fmod*",
    "fprintf",
    "fputc",
    "fputs",
    "free",
    "fwrite",
    "hypot*",
    "index",
    "is*",
    "labs",
    "ldiv",
    "llabs",
    "lldiv",
    "log*",
    "lround*",
    "lrint*",
    "malloc",
    "mem*",
    "modf*",
    "perror",
    "pow*",
    "printf",
    "putc",
    "putchar",
    "puts",
    "qsort",
    "reach_error",
    "realloc",
    "reallocarray",
    "remainder*",
    "rindex",
    "rint*",
    "round*",
    "sin*",
    "snprintf",
    "sprintf",
    "sqrt*",
    "str*",
    "tan*",
    "to*",
    "trunc*",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
    "wcs*",
    "wmem*",
];

/// Whether calls of this function depend on earlier calls of the library.
pub fn keeps_state(name: &str) -> bool {
    if name.starts_with("strtok") || name.starts_with("wcstok") || name == "strerror" {
        return true;
    }
    !WITHOUT_STATE.iter().any(|pattern| fits(name, pattern))
}

fn fits(name: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state() {
        for name in ["rand", "getchar", "fgets", "strtok", "strtok_r", "time", "some_function"] {
            assert!(keeps_state(name), "{name}");
        }
        for name in ["malloc", "memcpy", "strlen", "strtol", "printf", "isdigit", "sqrtf", "__VERIFIER_nondet_int"] {
            assert!(!keeps_state(name), "{name}");
        }
    }
}
