//! Frames with right checksums around wrong bytes.
//!
//! A checksum that does not match ends the reading of a mutated file before it begins. Whoever makes a file to
//! do harm computes the checksums, so the targets of stored files do the same.

use xxhash_rust::xxh3::xxh3_64;

const HEAD: usize = 16;
const FOOT: usize = 32;

/// The bytes as a frame whose first and last bytes are those of `whole` and whose checksums are right, and the
/// fingerprint it then has. Section ranges stay as the bytes have them. `None`: there is no room for a frame.
#[must_use]
pub fn seal(bytes: &[u8], whole: &[u8]) -> Option<(Vec<u8>, u64)> {
    let end = bytes.len().checked_sub(FOOT).filter(|end| *end >= HEAD)?;
    let whole_foot = whole.len().checked_sub(8)?;
    let mut sealed = bytes.to_vec();
    sealed[..12].copy_from_slice(whole.get(..12)?);
    sealed[end + 24..].copy_from_slice(&whole[whole_foot..]);
    let number = |at: usize, sealed: &[u8]| {
        let eight = sealed.get(at..at + 8).and_then(|eight| eight.try_into().ok());
        usize::try_from(eight.map_or(0, u64::from_le_bytes)).unwrap_or(usize::MAX)
    };
    let table = number(end, &sealed).clamp(HEAD, end);
    sealed[end..end + 8].copy_from_slice(&(table as u64).to_le_bytes());
    sealed[end + 8..end + 16].copy_from_slice(&((end - table) as u64).to_le_bytes());
    let mut at = table;
    while at < end {
        let entry = at + 1 + usize::from(sealed[at]);
        if entry + 24 > end {
            break;
        }
        let start = number(entry, &sealed);
        let range = start..start.saturating_add(number(entry + 8, &sealed));
        if let Some(section) = sealed.get(range) {
            let checksum = xxh3_64(section);
            sealed[entry + 16..entry + 24].copy_from_slice(&checksum.to_le_bytes());
        }
        at = entry + 24;
    }
    let fingerprint = xxh3_64(&sealed[table..end]);
    sealed[end + 16..end + 24].copy_from_slice(&fingerprint.to_le_bytes());
    Some((sealed, fingerprint))
}

/// The text of an index's manifest with a right last line.
#[must_use]
pub fn seal_manifest(body: &str) -> String {
    format!("{body}\nchecksum {:016x}\n", xxh3_64(body.as_bytes()))
}
