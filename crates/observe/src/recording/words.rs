//! Words of a trace from the few bytes that the runtime makes of them (`words.c`, where the idea is told).
//!
//! A segment's name is a zero if it is the one that followed its predecessor last time, else its number plus one, its
//! unit and how many words it has. Other words are zigzag distances from the word that was last in that place.

use super::cursor::{Cursor, unzigzag};

const BITS: u32 = 11;

fn slot(name: u64, index: u64) -> usize {
    (u64::from((name as u32).wrapping_mul(5)) + index) as usize % (1 << BITS)
}

/// So many words from these bytes.
pub fn decode(bytes: &[u8], count: usize) -> Result<Vec<u64>, String> {
    let mut cursor = Cursor::new(bytes);
    let mut words = Vec::with_capacity(count);
    let (mut next, mut last) = (vec![0u64; 1 << BITS], vec![0u64; 1 << BITS]);
    let mut name = 0;
    while words.len() < count {
        let foreseen = &mut next[slot(name, 0)];
        name = match cursor.number()?.checked_sub(1) {
            None => *foreseen,
            Some(segment) => {
                let (unit, length) = (cursor.number()?, cursor.number()?);
                if segment > u64::from(u32::MAX) || unit > 0xffff || length > 0x7fff {
                    return Err("a segment's name has too many bits".into());
                }
                1 << 63 | length << 48 | unit << 32 | segment
            }
        };
        *foreseen = name;
        words.push(name);
        for index in 1..(name >> 48) & 0x7fff {
            if words.len() == count {
                break;
            }
            let before = &mut last[slot(name, index)];
            *before = before.wrapping_add(unzigzag(cursor.number()?) as u64);
            words.push(*before);
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_distances() {
        let name = 1u64 << 63 | 2 << 48 | 3 << 32 | 5;
        // The segment with an address, three times: the second name is new behind itself, the third is foreseen.
        let bytes = [6, 3, 2, 200, 1, 6, 3, 2, 16, 0, 15];
        assert_eq!(decode(&bytes, 6), Ok(vec![name, 100, name, 108, name, 100]));
        assert!(decode(&bytes, 7).is_err());
        assert!(decode(&[0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0], 1).is_err());
        // Foreseen where nothing was: no segment has this name, which its reader will say.
        assert_eq!(decode(&[0], 1), Ok(vec![0]));
    }
}
