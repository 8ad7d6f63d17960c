//! Reading numbers from bytes that may end or lie anywhere.

/// A place in bytes. Every reading fails with words at the end of them.
pub struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { rest: bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], String> {
        if count > self.rest.len() {
            return Err(format!("it ends {} bytes early", count - self.rest.len()));
        }
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        Ok(taken)
    }

    /// Eight bytes, little end first.
    pub fn word(&mut self) -> Result<u64, String> {
        let bytes = self.bytes(8)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes were taken")))
    }

    /// LEB128.
    pub fn number(&mut self) -> Result<u64, String> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.bytes(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err("a number has more than 64 bits".into())
    }

    /// A number that must be below a limit.
    pub fn index(&mut self, limit: usize, what: &str) -> Result<usize, String> {
        let number = self.number()?;
        match usize::try_from(number) {
            Ok(index) if index < limit => Ok(index),
            _ => Err(format!("{what} {number} is not below {limit}")),
        }
    }

    /// A count of things that take at least a byte each, so that no list is longer than the rest.
    pub fn count(&mut self, what: &str) -> Result<usize, String> {
        let limit = self.rest.len() + 1;
        self.index(limit, what)
    }

    pub fn small(&mut self, what: &str) -> Result<u32, String> {
        let number = self.number()?;
        u32::try_from(number).map_err(|_| format!("{what} {number} is too large"))
    }

    /// Zigzag: small numbers of both signs.
    pub fn signed(&mut self) -> Result<i64, String> {
        self.number().map(unzigzag)
    }
}

pub fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let mut cursor = Cursor::new(&[0x05, 0xe5, 0x8e, 0x26, 0x03]);
        assert_eq!(cursor.number(), Ok(5));
        assert_eq!(cursor.number(), Ok(624_485));
        assert_eq!(cursor.signed(), Ok(-2));
        assert!(cursor.number().is_err());
        assert!(Cursor::new(&[0xff; 20]).number().is_err());
        assert!(Cursor::new(&[0x7f]).count("names").is_err());
    }
}
