//! Ways through a posting list.

use super::pace::Pace;
use super::{Member, Space, Spread};
use crate::postings::{Block, List};
use std::ops::Range;

/// Gives the postings of a list that lie in a range, as far as there is time.
pub(super) fn each_posting(
    list: &List<'_>,
    range: &Range<u32>,
    block: &mut Block,
    pace: &mut Pace,
    mut each: impl FnMut(u32, u32),
) {
    for number in list.seek(0, range.start)..list.num_blocks() {
        if pace.is_over() {
            break;
        }
        list.unpack(number, block);
        pace.block();
        let inside = inside(block, range);
        for place in inside.clone() {
            each(block.docs[place], block.frequencies[place]);
        }
        if inside.end < block.len || list.last_doc(number) >= range.end {
            break;
        }
    }
}

/// Which postings of a block lie in a range.
#[inline]
pub(super) fn inside(block: &Block, range: &Range<u32>) -> Range<usize> {
    let docs = &block.docs[..block.len];
    let start = match docs.first() {
        Some(&first) if first >= range.start => 0,
        _ => docs.partition_point(|doc| *doc < range.start),
    };
    let end = match docs.last() {
        Some(&last) if last < range.end => docs.len(),
        _ => docs.partition_point(|doc| *doc < range.end),
    };
    start..end
}

/// Looks documents up, which come in ascending order: gives the place of each among them that the member
/// counts for, and how often it has the key, the member's factor included.
pub(super) fn look_up(
    member: &Member<'_>,
    space: &Space<'_>,
    docs: impl Iterator<Item = u32>,
    block: &mut Block,
    pace: &mut Pace,
    mut each: impl FnMut(usize, f32),
) {
    let Member { list, factor, spread } = member;
    let (mut from, mut unpacked) = (0, usize::MAX);
    for (place, doc) in docs.enumerate() {
        let wanted = match spread {
            Spread::Own => doc,
            Spread::Answers => space.parent(doc),
        };
        // What answers nothing has no context.
        if wanted >= space.documents {
            continue;
        }
        from = list.seek(from, wanted);
        if from >= list.num_blocks() {
            break;
        }
        if from != unpacked {
            if pace.is_over() {
                break;
            }
            list.unpack(from, block);
            pace.block();
            unpacked = from;
        }
        if let Ok(at) = block.docs[..block.len].binary_search(&wanted) {
            each(place, block.frequencies[at] as f32 * factor);
        }
    }
}
