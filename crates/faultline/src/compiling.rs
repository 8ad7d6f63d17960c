//! `faultline cc` and `faultline c++`: nothing but the way to `observe::compiler`.
//!
//! The exit status is the compiler's, as build systems expect it: 1 for a refused program, not a fault found.

use std::ffi::OsString;

use observe::compiler::{self, Language};

use crate::Ending;

/// Whether we were started as a compiler, and with which arguments.
pub fn asked_for(arguments: impl IntoIterator<Item = OsString>) -> Option<(Language, Vec<OsString>)> {
    let mut arguments = arguments.into_iter().skip(1);
    let language = match arguments.next()?.to_str()? {
        "cc" => Language::C,
        "c++" => Language::Cxx,
        _ => return None,
    };
    Some((language, arguments.collect()))
}

pub fn run(language: Language, arguments: Vec<OsString>) -> Ending {
    match compiler::run(language, arguments) {
        Ok(status) => Ending::Program(status),
        Err(error) => {
            eprintln!("faultline: error: {error}");
            Ending::Failed
        }
    }
}
