//! Numbers in as few bytes as they need: seven bits a byte, the lowest first.

/// Adds a number.
pub fn put(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; `None` when the bytes end before it does.
#[inline]
#[must_use]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes a number of 32 bits off the front.
#[inline]
#[must_use]
pub fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes).and_then(|number| u32::try_from(number).ok())
}
