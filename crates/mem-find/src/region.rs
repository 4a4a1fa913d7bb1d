//! The part of a file that is about to be read or changed, as the identifiers that stand in it: a memory that cites one
//! of them as a symbol speaks of the region (`by_file`).
//!
//! The line of a function seldom stands in the few lines that an edit replaces. So the lines above that are indented less
//! belong to a region too, in any language that is written with indentation:
//!
//! ```text
//! impl Till {                     <- indented less than the next one
//!     fn open(&self) { .. }
//!
//!     fn charge(&self) {          <- indented less than the edit
//!         let cents = ..;
//!         self.book(cents);       <- the edit
//! ```

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use mem_core::{Diagnose, regular_file};

/// Of a larger file only the text of the edit counts.
const FILE_BYTES_MAX: u64 = 4 << 20;
/// So many identifiers of a region count; one with more is no part of a file.
const WORDS_MAX: usize = 4_096;
/// So far above a region the lines that enclose it are looked for.
const LINES_ABOVE_MAX: usize = 2_000;

/// Numbers behind a path that are no lines of any file.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(
    Invalid,
    hint = "lines count from 1, the first before the last: `src/main.rs:2-9`"
)]
#[error("invalid lines `{0}`")]
pub struct InvalidLines(String);

/// A part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRegion {
    /// Lines of the file, from 1.
    pub lines: Option<RangeInclusive<usize>>,
    /// What stands in the file and is replaced.
    pub old_texts: Vec<String>,
    /// What is written to the file.
    pub new_texts: Vec<String>,
}

impl FileRegion {
    /// A path as people write it, with `:LINE` or `:FIRST-LAST` behind it; a file with such a name is itself.
    ///
    /// # Errors
    /// The numbers are no lines of any file.
    pub fn split_path(path: &Path, cwd: &Path) -> Result<(PathBuf, Self), InvalidLines> {
        let whole = || Ok((path.to_owned(), Self::default()));
        let Some((file, lines)) = path.to_str().and_then(|text| text.rsplit_once(':')) else {
            return whole();
        };
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if !cwd.join(path).exists() => {
                if first == 0 || first > last {
                    return Err(InvalidLines(lines.to_owned()));
                }
                let region = Self {
                    lines: Some(first..=last),
                    ..Self::default()
                };
                Ok((PathBuf::from(file), region))
            }
            _ => whole(),
        }
    }

    /// The identifiers of the region, and of the lines of the file that enclose it.
    pub(crate) fn words(&self, file: &Path) -> Vec<String> {
        let mut words = BTreeSet::new();
        let texts = self.old_texts.iter().chain(&self.new_texts);
        texts.for_each(|text| add_words(text, &mut words));
        let is_in_file = self.lines.is_some() || !self.old_texts.is_empty();
        let bytes = is_in_file.then(|| regular_file::read(file, FILE_BYTES_MAX).ok());
        let bytes = bytes.flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        let found = self
            .old_texts
            .iter()
            .filter_map(|old| line_range(&text, old));
        for range in self.lines.clone().into_iter().chain(found) {
            let first = range.start().saturating_sub(1).min(lines.len());
            let last = (*range.end()).clamp(first, lines.len());
            let enclosing = enclosing_lines(&lines, first);
            for line in lines[first..last].iter().copied().chain(enclosing) {
                add_words(line, &mut words);
            }
        }
        words.into_iter().take(WORDS_MAX).collect()
    }
}

/// The lines in which a text stands for the first time, from 1.
fn line_range(text: &str, part: &str) -> Option<RangeInclusive<usize>> {
    let at = text.find(part).filter(|_| !part.is_empty())?;
    let first = 1 + text[..at].matches('\n').count();
    Some(first..=first + part.trim_end().matches('\n').count())
}

/// The lines above a line that enclose it. One that begins with a closing bracket ends what another above it began: the
/// parameters of a function, each on a line of its own.
fn enclosing_lines<'t>(lines: &[&'t str], first: usize) -> impl Iterator<Item = &'t str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let here = lines[first..].iter().find(|line| !line.trim().is_empty());
    let mut least = here.map_or(0, |line| indent(line));
    let above = lines[..first].iter().rev().take(LINES_ABOVE_MAX);
    above.copied().filter(move |line| {
        let text = line.trim();
        let encloses = !text.is_empty() && indent(line) < least;
        if encloses {
            let is_end = text.starts_with([')', ']', '}']);
            least = indent(line) + usize::from(is_end);
        }
        encloses
    })
}

/// Adds the identifiers of a text, and what may be a flag (`keep-going`) beside its parts.
fn add_words(text: &str, words: &mut BTreeSet<String>) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let pieces = text.split(|c: char| !is_part(c) && c != '-');
    for piece in pieces.map(|piece| piece.trim_matches('-')) {
        let parts = piece.split('-').filter(|_| piece.contains('-'));
        for word in parts.chain([piece]) {
            // Shorter ones are cited by nobody, and a number is no identifier.
            let is_word = word.len() > 2 && word.contains(char::is_alphabetic);
            if is_word && !words.contains(word) {
                words.insert(word.to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "use std::fmt;\n\nimpl Till {\n    fn open(&self) {\n        lift_lid();\n    }\n\n    \
        fn charge(\n        &self,\n        cents: Cents,\n    ) -> Receipt {\n        let sum = cents;\n        \
        book_sum(sum);\n    }\n}\n";

    fn enclosing(line: usize) -> Vec<&'static str> {
        let lines: Vec<&str> = CODE.lines().collect();
        enclosing_lines(&lines, line - 1).map(str::trim).collect()
    }

    #[test]
    fn a_region_has_the_lines_that_enclose_it() {
        assert_eq!(enclosing(5), ["fn open(&self) {", "impl Till {"]);
        let method = [") -> Receipt {", "fn charge(", "impl Till {"];
        assert_eq!(enclosing(13), method);
        assert_eq!(enclosing(1), [] as [&str; 0]);
    }

    #[test]
    fn the_words_of_an_edit_are_those_of_its_place_too() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("till.rs");
        std::fs::write(&file, CODE).unwrap();
        let words = |region: FileRegion| region.words(&file);
        let edit = FileRegion {
            old_texts: vec!["book_sum(sum);".to_owned()],
            new_texts: vec!["x --keep-going 12 ab".to_owned()],
            ..FileRegion::default()
        };
        let found = words(edit);
        for word in [
            "book_sum",
            "charge",
            "Receipt",
            "Till",
            "keep-going",
            "going",
        ] {
            assert!(found.iter().any(|one| one == word), "{word}: {found:?}");
        }
        for word in ["lift_lid", "open", "12", "ab"] {
            assert!(!found.iter().any(|one| one == word), "{word}: {found:?}");
        }
        let lines = |lines| FileRegion {
            lines: Some(lines),
            ..FileRegion::default()
        };
        assert!(words(lines(5..=5)).contains(&"lift_lid".to_owned()));
        assert_eq!(words(lines(90..=99)), [] as [&str; 0]);
        assert_eq!(words(FileRegion::default()), [] as [&str; 0]);
    }

    #[test]
    fn lines_stand_behind_a_path() {
        let cwd = Path::new("/nowhere");
        let split = |path: &str| {
            let (file, region) = FileRegion::split_path(Path::new(path), cwd).unwrap();
            (file.display().to_string(), region.lines)
        };
        assert_eq!(split("a.rs"), ("a.rs".to_owned(), None));
        assert_eq!(split("a.rs:7"), ("a.rs".to_owned(), Some(7..=7)));
        assert_eq!(split("a.rs:7-9"), ("a.rs".to_owned(), Some(7..=9)));
        assert_eq!(split("C:/a.rs"), ("C:/a.rs".to_owned(), None));
        for lines in ["9-2", "0", "0-3"] {
            let path = format!("a.rs:{lines}");
            let refused = FileRegion::split_path(Path::new(&path), cwd);
            assert_eq!(refused, Err(InvalidLines(lines.to_owned())));
        }
    }
}
