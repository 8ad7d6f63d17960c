//! Words of a trace from the few bytes that the runtime makes of them (`words.c`, where the idea is told).
//!
//! ```text
//! chunk   = { part } foreseen<<2|3
//! part    = foreseen<<2|name [name:u64] classes distances
//! ```
//! Before each part come so many that were foreseen whole. A name is 0 or 1, one of the two that followed the record before
//! most recently, or 2 and spelled out; a record of more than four words behind its name has several parts, of which only the
//! first has one. The classes are one byte, if there are words. A class, two bits, says how many bytes a word's distance from the last one in its place has: none if
//! it is the same distance as last time, else 1, 3 or 8, zigzag. The first number is LEB128.

use super::cursor::{Cursor, unzigzag};

const NEXT: usize = 2048;
const PLACES: usize = 2048;
const AT_ONCE: usize = 4;
/// From the place of a part to that of the next.
const STEP: u32 = 389;

/// How many words a record has, with its name.
pub fn words_of(name: u64) -> usize {
    (name & 0x7ff) as usize
}

/// How many words are kept for it in a window.
pub fn reserved_of(name: u64) -> usize {
    (name >> 11 & 0x7ff) as usize
}

/// The path's number in its unit.
pub fn path_of(name: u64) -> u32 {
    (name >> 22) as u32 & 0x3ff_ffff
}

/// The unit's number in its process.
pub fn unit_of(name: u64) -> usize {
    (name >> 48 & 0x7fff) as usize
}

/// Where four words were last, and how far they came. Words that a part did not have are zero.
#[derive(Clone, Copy, Default)]
struct Place {
    last: [u64; AT_ONCE],
    distance: [u64; AT_ONCE],
}

struct Decoder<'a> {
    cursor: Cursor<'a>,
    words: Vec<u64>,
    count: usize,
    next: Vec<[u64; 2]>,
    places: Vec<Place>,
    name: u64,
    /// Words that the record still has, and the place of the next part.
    left: usize,
    place: u32,
}

/// So many words from these bytes.
pub fn decode(bytes: &[u8], count: usize) -> Result<Vec<u64>, String> {
    let mut decoder = Decoder {
        cursor: Cursor::new(bytes),
        words: Vec::with_capacity(count + AT_ONCE),
        count,
        next: vec![[0; 2]; NEXT],
        places: vec![Place::default(); PLACES],
        name: 0,
        left: 0,
        place: 0,
    };
    loop {
        let head = decoder.cursor.number()?;
        for _ in 0..head >> 2 {
            decoder.begin(0)?;
            decoder.foreseen();
        }
        if head & 3 == 3 {
            break;
        }
        decoder.begin(head & 3)?;
        decoder.part()?;
    }
    match decoder.words.len() == count && decoder.left == 0 {
        true => Ok(decoder.words),
        false => Err(format!("{} words instead of {count}", decoder.words.len())),
    }
}

impl Decoder<'_> {
    /// The name of the next record, unless one is not complete.
    fn begin(&mut self, code: u64) -> Result<(), String> {
        if self.left > 0 {
            return Ok(());
        }
        if self.words.len() == self.count {
            return Err("there are more words than were promised".into());
        }
        let seen = &mut self.next[path_of(self.name) as usize % NEXT];
        let name = match code {
            0 => seen[0],
            1 => seen[1],
            _ => self.cursor.word()?,
        };
        if code != 0 {
            *seen = [name, seen[0]];
        }
        self.name = name;
        self.words.push(name);
        self.left = words_of(name).saturating_sub(1).min(self.count - self.words.len());
        self.place = path_of(name);
        Ok(())
    }

    /// The place of the next part, and how many words it has.
    fn take_part(&mut self) -> (usize, usize) {
        let part = self.left.min(AT_ONCE);
        let place = self.place as usize % PLACES;
        self.left -= part;
        self.place = self.place.wrapping_add(STEP);
        (place, part)
    }

    /// The first ones of four words.
    fn push(&mut self, last: [u64; AT_ONCE], part: usize) {
        let end = self.words.len() + part;
        // A copy of four words is no call.
        self.words.extend_from_slice(&last);
        self.words.truncate(end);
    }

    fn foreseen(&mut self) {
        let (place, part) = self.take_part();
        if part == 0 {
            return;
        }
        let place = &mut self.places[place];
        for index in 0..AT_ONCE {
            let counts = index < part;
            place.last[index] = if counts { place.last[index].wrapping_add(place.distance[index]) } else { 0 };
            place.distance[index] = if counts { place.distance[index] } else { 0 };
        }
        let last = place.last;
        self.push(last, part);
    }

    fn part(&mut self) -> Result<(), String> {
        let (place, part) = self.take_part();
        if part == 0 {
            return Ok(());
        }
        let mut classes = self.cursor.bytes(1)?[0];
        let place = &mut self.places[place];
        for index in 0..AT_ONCE {
            let bytes = [0, 1, 3, 8][usize::from(classes & 3)];
            classes >>= 2;
            if index >= part {
                (place.last[index], place.distance[index]) = (0, 0);
                continue;
            }
            if bytes > 0 {
                let mut folded = [0; 8];
                folded[..bytes].copy_from_slice(self.cursor.bytes(bytes)?);
                place.distance[index] = unzigzag(u64::from_le_bytes(folded)) as u64;
            }
            place.last[index] = place.last[index].wrapping_add(place.distance[index]);
        }
        let last = place.last;
        self.push(last, part);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_distances() {
        let name = 1u64 << 63 | 3 << 48 | 5 << 22 | 4 << 11 | 2;
        let mut bytes = vec![2];
        bytes.extend(name.to_le_bytes());
        // 100; then the name anew behind itself and 8 more; then twice as foreseen, and 1000 more, and one as foreseen.
        bytes.extend([1, 200, 2]);
        bytes.extend(name.to_le_bytes());
        bytes.extend([1, 16, 2 << 2, 2, 0xd0, 0x07, 0, 1 << 2 | 3]);
        let words = [100, 108, 116, 124, 1124, 2124].into_iter().flat_map(|word| [name, word]);
        assert_eq!(decode(&bytes, 12), Ok(words.collect()));
        assert!(decode(&bytes, 13).is_err());
        assert!(decode(&bytes, 8).is_err());
        assert!(decode(&bytes[..10], 12).is_err());
        // Foreseen where nothing was: no segment has this name, which its reader will say.
        assert_eq!(decode(&[1 << 2 | 3], 1), Ok(vec![0]));
        assert!(decode(&[0xff, 0xff, 0xff, 0xff, 0x7f], 4).is_err());
    }
}
