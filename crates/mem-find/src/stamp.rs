//! What stands beside a document in the index: by what it is known whether the note's file is still the one it was made
//! from, which paths and symbols the note cites and of which files its `when` speaks (`by_file`).
//!
//! ```text
//! size, mtime, inode, change time | SHA-256 | flags      | paths, each behind a line end
//! 4 x u64, little endian            32        u8           UTF-8
//! ```
//!
//! Flags: 1 the stamp is settled, 2 the file is no text.

use mem_core::history::Sha256;
use mem_core::store::Stat;

/// File systems stamp times in ticks of a few milliseconds: a file that was read within this of
/// its last change may have changed again without showing it.
const RACY_NS: i64 = 20_000_000;
const STAMP_BYTES: usize = 4 * 8 + 32 + 1;
/// Ends the fixed part: bytes of an earlier version of `mem`, which had no paths, are no stamp.
const PATHS: u8 = b'\n';
const SETTLED: u8 = 1;
const NO_TEXT: u8 = 2;

/// The state of a file that a document was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DocumentStamp {
    stat: Stat,
    sha256: Sha256,
    /// Whether the file had been left alone for long enough when it was read.
    is_settled: bool,
    /// Whether the file is a text; of one that is none the index has the name alone.
    pub(crate) is_text: bool,
}

impl DocumentStamp {
    /// The stamp of a file that was read. `begun_ns` is a time of the file system's clock before
    /// the reading.
    pub(crate) fn new(stat: Stat, sha256: Sha256, begun_ns: i64) -> Self {
        let newest = stat.mtime_ns.max(stat.changed_ns);
        Self {
            stat,
            sha256,
            is_settled: newest.saturating_add(RACY_NS) < begun_ns,
            is_text: true,
        }
    }

    /// Whether a file is certainly the same, without reading it.
    pub(crate) fn is_current(&self, stat: &Stat) -> bool {
        self.is_settled && self.stat == *stat
    }

    /// When the file was last written, nanoseconds since 1970.
    pub(super) fn mtime_ns(&self) -> i64 {
        self.stat.mtime_ns
    }

    /// The digest of the content.
    pub(crate) fn sha256(&self) -> &Sha256 {
        &self.sha256
    }

    /// For the index to keep, with the paths that the note cites.
    pub(crate) fn to_bytes<'p>(self, cited: impl Iterator<Item = &'p str>) -> Vec<u8> {
        let Stat {
            size,
            mtime_ns,
            inode,
            changed_ns,
        } = self.stat;
        let mut bytes = Vec::with_capacity(STAMP_BYTES);
        for number in [
            size,
            mtime_ns.cast_unsigned(),
            inode,
            changed_ns.cast_unsigned(),
        ] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(self.sha256.as_bytes());
        let settled = if self.is_settled { SETTLED } else { 0 };
        let no_text = if self.is_text { 0 } else { NO_TEXT };
        bytes.push(settled | no_text);
        bytes.push(PATHS);
        for path in cited.filter(|path| !path.contains('\n')) {
            bytes.extend_from_slice(path.as_bytes());
            bytes.push(b'\n');
        }
        bytes
    }

    /// What the index kept; `None` for what is no stamp.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (bytes, rest) = bytes.split_at_checked(STAMP_BYTES)?;
        if rest.first() != Some(&PATHS) {
            return None;
        }
        let (numbers, rest) = bytes.split_at_checked(4 * 8)?;
        let (digest, flags) = rest.split_at_checked(32)?;
        let flags = *flags.first()?;
        let (numbers, _) = numbers.as_chunks::<8>();
        let number = |at: usize| u64::from_le_bytes(numbers[at]);
        Some(Self {
            stat: Stat {
                size: number(0),
                mtime_ns: number(1).cast_signed(),
                inode: number(2),
                changed_ns: number(3).cast_signed(),
            },
            sha256: Sha256::from_bytes(digest.try_into().ok()?),
            is_settled: flags & SETTLED != 0,
            is_text: flags & NO_TEXT == 0,
        })
    }
}

/// The paths that the note cites, of what the index kept.
pub(super) fn cited_paths(stamp: &[u8]) -> impl Iterator<Item = &str> {
    let paths = stamp.get(STAMP_BYTES..).unwrap_or_default();
    let paths = std::str::from_utf8(paths).unwrap_or_default();
    paths.lines().filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_holds_for_the_very_same_file_once_it_has_settled() {
        let stat = Stat {
            size: 3,
            mtime_ns: 1_000_000_000,
            inode: 7,
            changed_ns: 1_100_000_000,
        };
        let stamp = DocumentStamp::new(stat, Sha256::digest(b"abc"), 2_000_000_000);
        assert!(stamp.is_current(&stat));
        assert!(!stamp.is_current(&Stat { inode: 8, ..stat }));
        assert!(!stamp.is_current(&Stat {
            changed_ns: 1_100_000_001,
            ..stat
        }));
        let bytes = stamp.to_bytes(["src/a.rs", "docs"].into_iter());
        assert_eq!(DocumentStamp::from_bytes(&bytes), Some(stamp));
        assert!(cited_paths(&bytes).eq(["src/a.rs", "docs"]));
        let bytes = stamp.to_bytes(std::iter::empty());
        assert_eq!(DocumentStamp::from_bytes(&bytes), Some(stamp));
        assert_eq!(cited_paths(&bytes).count(), 0);
        let no_text = DocumentStamp {
            is_text: false,
            ..stamp
        };
        let kept = no_text.to_bytes(std::iter::empty());
        assert_eq!(DocumentStamp::from_bytes(&kept), Some(no_text));
        let earlier = &bytes[..STAMP_BYTES];
        assert_eq!(DocumentStamp::from_bytes(earlier), None, "without paths");
        let racy = DocumentStamp::new(stat, Sha256::digest(b"abc"), 1_110_000_000);
        assert!(!racy.is_current(&stat));
        assert_eq!(DocumentStamp::from_bytes(b"short"), None);
    }
}
