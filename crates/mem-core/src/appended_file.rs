//! A file that is read whole and changed at its end: where a few of thousands of lines differ, those few
//! are added, and everything is written anew only once they have become many.
//!
//! A line with the format's name, a checksum and a length stands before the first part, and one like it
//! before each piece that was added. A piece that is not whole, as a crash leaves it, was never added; a
//! first part that is not whole makes the file none.
//!
//! ```text
//!  FORMAT   MAGIC crc32 length \n first part ..    written by a rename, whole
//!           +     crc32 length \n piece ..         appended in one write
//!           +     crc32 length \n piec             torn by a crash: cut off before the next piece is added
//! ```
//!
//! **Invariant:** what a reader takes is a state that was written, the newest or an earlier one, and never a mixture.
//! Writers take turns under a lock of the file's owner. **Cost:** an append grows with the change; a rewrite comes after a
//! sixteenth of the file was appended, so that each appended byte pays for sixteen written again.
//!
//! Tests: `appended_file::tests::whatever_is_cut_off_or_changed_leaves_an_earlier_state_or_none`,
//! `appended_file::tests::what_a_crash_left_is_cut_off_and_another_file_is_not_added_to`.

use std::fs::File;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;

use flate2::Crc;

use crate::regular_file;
/// How the line before an added piece begins.
const PIECE: &str = "+";
/// Pieces may come to this part of the first part ..
const PIECES_SHARE: u64 = 16;
/// .. and to this much in any case.
const PIECES_BYTES_MIN: u64 = 16 * 1024;

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub struct AppendedFile {
    text: String,
    first: Range<usize>,
    pieces: Vec<Range<usize>>,
}

/// How far a file goes, as whoever adds to it has read or written it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileEnd {
    /// Bytes of the first part, with its line.
    first: u64,
    /// Bytes of everything that is whole.
    whole: u64,
}

impl AppendedFile {
    /// Reads a file of the format `magic`; `None` where it is of another one, or damaged.
    ///
    /// # Errors
    /// It cannot be read, or is not there.
    pub fn read(path: &Path, magic: &str) -> io::Result<Option<Self>> {
        Ok(Self::of_bytes(regular_file::read_whole(path)?, magic))
    }

    fn of_bytes(bytes: Vec<u8>, magic: &str) -> Option<Self> {
        let text = String::from_utf8(bytes);
        // The end of a piece that was torn may be no text; what stands before it still counts.
        let text = text.or_else(|error| {
            let whole = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(whole);
            String::from_utf8(bytes)
        });
        text.ok().and_then(|text| Self::parse(text, magic))
    }

    fn parse(text: String, magic: &str) -> Option<Self> {
        let first = part(&text, 0, magic)?;
        let (mut pieces, mut end) = (Vec::new(), first.end);
        while let Some(piece) = part(&text, end, PIECE) {
            end = piece.end;
            pieces.push(piece);
        }
        Some(Self {
            text,
            first,
            pieces,
        })
    }

    /// The first part.
    pub fn first(&self) -> &str {
        self.text.get(self.first.clone()).unwrap_or_default()
    }

    /// The text of the file, and where in it the first part stands.
    pub fn into_text(self) -> (String, Range<usize>) {
        (self.text, self.first)
    }

    /// What was added, the oldest piece first.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        let pieces = self.pieces.iter();
        pieces.map(|piece| self.text.get(piece.clone()).unwrap_or_default())
    }

    /// How far it goes.
    pub fn end(&self) -> FileEnd {
        let whole = self.pieces.last().map_or(self.first.end, |last| last.end);
        FileEnd {
            first: self.first.end as u64,
            whole: whole as u64,
        }
    }
}

/// The bytes of a file that has a first part only, and how far it goes.
pub fn whole(magic: &str, first: &str) -> (Vec<u8>, FileEnd) {
    let bytes = with_line(magic, first);
    let length = bytes.len() as u64;
    let end = FileEnd {
        first: length,
        whole: length,
    };
    (bytes, end)
}

impl FileEnd {
    /// Whether so many bytes more are better added than everything written anew.
    pub fn has_room(&self, bytes: usize) -> bool {
        let added = self.whole - self.first + bytes as u64;
        added <= (self.first / PIECES_SHARE).max(PIECES_BYTES_MIN)
    }

    /// Adds a piece in one write, which is on the disk afterwards where that is wanted (`sync`). What a
    /// crash left behind the end is cut off first. `false` where the file does not go as far as it did:
    /// then it is somebody else's, and nothing was written.
    ///
    /// # Errors
    /// It cannot be opened or written.
    pub fn add(&mut self, path: &Path, piece: &str, sync: bool) -> io::Result<bool> {
        let file = regular_file::writing().append(true).open(path)?;
        let length = file.metadata()?.len();
        if length < self.whole {
            return Ok(false);
        }
        // A piece behind a torn one would never be read: reading ends at the first that is not whole.
        if length > self.whole {
            file.set_len(self.whole)?;
        }
        let bytes = with_line(PIECE, piece);
        append(file, &bytes, sync)?;
        self.whole += bytes.len() as u64;
        Ok(true)
    }
}

fn append(mut file: File, bytes: &[u8], sync: bool) -> io::Result<()> {
    file.write_all(bytes)?;
    if sync {
        file.sync_data()?;
    }
    Ok(())
}

/// A part with its line in front.
fn with_line(word: &str, text: &str) -> Vec<u8> {
    let line = format!("{word} {:08x} {}\n", checksum(text), text.len());
    [line.as_bytes(), text.as_bytes()].concat()
}

/// Where the part stands whose line begins at `at`; `None` where it is not whole.
fn part(text: &str, at: usize, word: &str) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let (line, after) = rest.split_once('\n')?;
    let (sum, length) = line
        .strip_prefix(word)?
        .strip_prefix(' ')?
        .split_once(' ')?;
    let length = length.parse::<usize>().ok()?;
    let is_it = u32::from_str_radix(sum, 16).ok()? == checksum(after.get(..length)?);
    let start = at + line.len() + 1;
    is_it.then(|| start..start + length)
}

fn checksum(text: &str) -> u32 {
    let mut sum = Crc::new();
    sum.update(text.as_bytes());
    sum.sum()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn whatever_is_cut_off_or_changed_leaves_an_earlier_state_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let (bytes, mut end) = whole("form-1", "a\tone\nb\ttwo\n");
        crate::atomic::replace_file(&path, &bytes).unwrap();
        for piece in ["b\tthree\n", "", "ü\n"] {
            assert!(end.add(&path, piece, true).unwrap());
        }
        let all = fs::read(&path).unwrap();
        let states: Vec<Vec<String>> = (0..=all.len())
            .filter_map(|length| {
                let grown = AppendedFile::of_bytes(all[..length].to_vec(), "form-1")?;
                assert_eq!(grown.first(), "a\tone\nb\ttwo\n");
                Some(grown.pieces().map(str::to_owned).collect())
            })
            .collect();
        let whole = ["b\tthree\n", "", "ü\n"];
        for state in &states {
            assert_eq!(state[..], whole[..state.len()]);
        }
        assert!(states.is_sorted_by_key(Vec::len));
        assert_eq!(states.last().map(Vec::len), Some(3));
        for at in 0..bytes.len() {
            let mut damaged = all.clone();
            damaged[at] ^= 1;
            assert!(AppendedFile::of_bytes(damaged, "form-1").is_none(), "{at}");
        }
        assert!(AppendedFile::read(&path, "form-2").unwrap().is_none());
    }

    #[test]
    fn what_a_crash_left_is_cut_off_and_another_file_is_not_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let (bytes, mut end) = whole("form-1", "a\n");
        crate::atomic::replace_file(&path, &[&bytes[..], b"+ 0000"].concat()).unwrap();
        assert_eq!(
            AppendedFile::read(&path, "form-1").unwrap().unwrap().end(),
            end
        );
        assert!(end.add(&path, "b\n", false).unwrap());
        let grown = AppendedFile::read(&path, "form-1").unwrap().unwrap();
        assert_eq!((grown.pieces().collect(), grown.end()), (vec!["b\n"], end));
        crate::atomic::replace_file(&path, &bytes).unwrap();
        assert!(!end.add(&path, "c\n", false).unwrap());
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert!(end.has_room(1_000) && !end.has_room(PIECES_BYTES_MIN as usize));
    }
}
