//! A page of SQLite's file: which of its bytes belong to nothing. The format is
//! <https://www.sqlite.org/fileformat2.html#b_tree_pages>.
//!
//! `secure_delete` overwrites what is freed, but when rows move between pages, what is between the list of a
//! page's cells and the first of them keeps what stood there.

/// From this page on the first byte of a page that is no tree's may look like one of a tree's.
pub(crate) const PAGES_MAX: i64 = 0x0200_0000;

/// The first byte of a page of a tree: an inner or outer page of an index or a table.
const INNER_INDEX: u8 = 2;
const INNER_TABLE: u8 = 5;
const LEAF_INDEX: u8 = 10;
const LEAF_TABLE: u8 = 13;

/// Empties what belongs to nothing, and says whether anything was there. Not for the first page, which begins
/// with something else. What is no page of a tree stays as it is.
pub(crate) fn clean(page: &mut [u8], reserved: usize) -> bool {
    match spare(page, reserved) {
        Some(spare) => spare.into_iter().fold(false, |found, (from, to)| {
            let Some(bytes) = page.get_mut(from..to) else {
                return found;
            };
            let is_dirty = bytes.iter().any(|byte| *byte != 0);
            bytes.fill(0);
            found || is_dirty
        }),
        None => false,
    }
}

/// The ranges that belong to nothing; `None` for what is no page of a tree, or a damaged one.
fn spare(page: &[u8], reserved: usize) -> Option<Vec<(usize, usize)>> {
    let usable = page.len().checked_sub(reserved)?;
    let head = match *page.first()? {
        INNER_INDEX | INNER_TABLE => 12,
        LEAF_INDEX | LEAF_TABLE => 8,
        _ => return None,
    };
    let cells = number(page, 3)?;
    let content = match number(page, 5)? {
        0 => 65_536,
        at => at,
    };
    let end_of_list = head + 2 * cells;
    if end_of_list > content || content > usable {
        return None;
    }
    let mut spare = vec![(end_of_list, content)];
    // Blocks within the content: where the next one is, how long this is, and nothing. In ascending order.
    let (mut block, mut before) = (number(page, 1)?, content);
    while block != 0 {
        let (next, length) = (number(page, block)?, number(page, block + 2)?);
        if block < before || length < 4 || block + length > usable {
            return None;
        }
        spare.push((block + 4, block + length));
        (before, block) = (block + length, next);
    }
    Some(spare)
}

/// Two bytes, the greater first.
fn number(page: &[u8], at: usize) -> Option<usize> {
    let bytes = page.get(at..at + 2)?;
    Some(usize::from(bytes[0]) << 8 | usize::from(bytes[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leaf with one cell of four bytes at the end, a free block before it and other people's bytes between.
    fn leaf() -> Vec<u8> {
        let mut page = vec![0xAA; 64];
        page[..10].copy_from_slice(&[LEAF_TABLE, 0, 50, 0, 1, 0, 50, 0, 0, 60]);
        page[50..54].copy_from_slice(&[0, 0, 0, 10]);
        page
    }

    #[test]
    fn what_belongs_to_nothing_is_emptied_and_nothing_else() {
        let (mut page, before) = (leaf(), leaf());
        assert!(clean(&mut page, 0));
        assert_eq!(page[..10], before[..10]);
        assert!(page[10..50].iter().all(|byte| *byte == 0));
        assert_eq!(page[50..54], before[50..54]);
        assert!(page[54..60].iter().all(|byte| *byte == 0));
        assert_eq!(page[60..], before[60..]);
        assert!(!clean(&mut page, 0), "it is clean now");
    }

    #[test]
    fn what_is_no_page_of_a_tree_is_left_alone() {
        let damaged: [fn(&mut Vec<u8>); 6] = [
            |page| page[0] = 0,
            |page| page[3] = 1,
            |page| page[5] = 1,
            |page| page[53] = 200,
            |page| page[53] = 3,
            |page| page[51] = 50,
        ];
        for damage in damaged {
            let mut page = leaf();
            damage(&mut page);
            let before = page.clone();
            assert!(!clean(&mut page, 0));
            assert_eq!(page, before);
        }
        assert!(!clean(&mut [], 0) && !clean(&mut [13], 0) && !clean(&mut leaf(), 100));
    }
}
