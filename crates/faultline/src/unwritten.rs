//! What memory holds before it is written, as `--unwritten` takes it.
//!
//! `2+8=ff00`: of the third object that begins without contents, the bytes at the offsets 8 and 9. Several of them
//! are separated by commas.

use anyhow::{Context, Result, bail};
use program::exec::Unwritten;

pub fn parse(text: &str) -> Result<Vec<Unwritten>> {
    let mut given = Vec::new();
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let bytes = bytes(item).with_context(|| format!("--unwritten {item}: expected OBJECT+OFFSET=BYTES"))?;
        given.push(bytes);
    }
    given.sort();
    Ok(given)
}

fn bytes(item: &str) -> Result<Unwritten> {
    let (place, digits) = item.split_once('=').context("there is no `=`")?;
    let (object, offset) = place.split_once('+').context("there is no `+`")?;
    if digits.is_empty() || digits.len() % 2 != 0 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        bail!("`{digits}` is not bytes with two hexadecimal digits each");
    }
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16);
    Ok(Unwritten {
        object: object.parse().with_context(|| format!("`{object}` is no number"))?,
        offset: offset.parse().with_context(|| format!("`{offset}` is no number"))?,
        bytes: (0..digits.len()).step_by(2).map(byte).collect::<Result<_, _>>()?,
    })
}

/// The text that [`parse`] reads.
pub fn text<'a>(given: impl Iterator<Item = &'a Unwritten>) -> String {
    let one = |it: &Unwritten| {
        let digits: String = it.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}+{}={digits}", it.object, it.offset)
    };
    given.map(one).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let given = parse("2+8=ff00, 0+0=41").unwrap();
        assert_eq!(text(given.iter()), "0+0=41,2+8=ff00");
        assert_eq!(given[1], Unwritten { object: 2, offset: 8, bytes: vec![0xff, 0] });
    }

    #[test]
    fn mistakes() {
        for wrong in ["2", "2+8", "2=ff", "+8=ff", "2+=ff", "2+8=", "2+8=f", "2+8=fg", "-1+0=00", "2+8=é"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
