//! Which program a witness is for: by the hashes of its files.

use sha2::{Digest, Sha256};

use super::error::WitnessError;
use super::lines::base;
use super::model::Witness;

/// A file of the program that was given.
pub struct Identity {
    pub name: String,
    /// In hexadecimal.
    pub sha256: String,
}

/// The SHA-256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A UUID (version 8) that depends on the text alone, so that the same witness has the same one.
pub fn uuid(text: &str) -> String {
    let digest = sha256(text.as_bytes());
    format!("{}-{}-8{}-a{}-{}", &digest[..8], &digest[8..12], &digest[13..16], &digest[17..20], &digest[20..32])
}

/// Refuses a witness whose hash is that of another file. Hashes of other kinds (old verifiers used SHA-1) say
/// nothing; lines and functions are compared later.
pub fn same_program(witness: &Witness, given: &[Identity]) -> Result<(), WitnessError> {
    let named: Vec<_> = witness.metadata.files.iter().filter(|file| is_sha256(&file.hash)).collect();
    let known = |hash: &str| given.iter().any(|it| it.sha256.eq_ignore_ascii_case(hash));
    if named.is_empty() || named.iter().any(|file| known(&file.hash)) {
        return Ok(());
    }
    let Some(file) = named.first() else { return Ok(()) };
    let ours = given.first().map_or("", |it| it.sha256.as_str());
    let name = given.first().map_or("the program", |it| it.name.as_str());
    let message = format!(
        "it is for `{}` with hash {}…, but `{}` has hash {}…; give the program that was verified, or \
         --witness-any-program to try it nonetheless",
        base(&file.name),
        &file.hash[..12],
        base(name),
        ours.get(..12).unwrap_or(ours),
    );
    Err(WitnessError::OtherProgram { message })
}

fn is_sha256(hash: &str) -> bool {
    hash.len() == 64 && hash.bytes().all(|it| it.is_ascii_hexdigit())
}
