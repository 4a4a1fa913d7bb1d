//! `view`: a file with line numbers, or what stands in a folder.

use std::fmt::Write as _;

use mem_core::plain::{DirListing, Links, ListedFile, PathEnd, PlainError, PlainRoot, SpotKind};

use super::write::Done;
use super::{MemoryTool, ToolDialect, ToolFailure, path};

/// The most lines that a view numbers.
const LINES_MAX: usize = 999_999;
/// How many levels a view of a folder shows.
const LEVELS: usize = 2;
/// The largest file that is read at all.
const FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Kept free for the words that say how to page on.
const NOTICE_CHARS: usize = 160;

impl MemoryTool<'_> {
    /// A file or a folder as the model sees it, and which file it was.
    pub(super) fn view_path(
        &self,
        root: &PlainRoot,
        path: &str,
        range: Option<(i64, i64)>,
    ) -> Done {
        let names = path::path_names(path, self.dialect)?;
        let spot = match root.reach(&names, Links::Follow) {
            Err(PlainError::NotAFolder(_)) => return Err(ToolFailure::Missing(path.to_owned())),
            reached => reached.map_err(ToolFailure::for_path(path))?,
        };
        match spot.kind {
            SpotKind::Folder => Ok((self.view_folder(root, path, &spot)?, None)),
            SpotKind::File => {
                let text = read_text(root, path, &spot)?;
                Ok((self.view_file(path, &text, range)?, Some(spot.path())))
            }
            SpotKind::Missing
                if self.dialect != ToolDialect::Python && is_dangling_link(root, &names) =>
            {
                Err(ToolFailure::Unsupported(path.to_owned()))
            }
            SpotKind::Missing => Err(ToolFailure::Missing(path.to_owned())),
            SpotKind::Link | SpotKind::Special => Err(ToolFailure::Unsupported(path.to_owned())),
        }
    }

    fn view_folder(
        &self,
        root: &PlainRoot,
        path: &str,
        spot: &PathEnd,
    ) -> Result<String, ToolFailure> {
        // The SDKs show the path as it was given, and their dialects do, too.
        let path = match self.dialect {
            ToolDialect::Docs => path.trim_end_matches('/'),
            ToolDialect::Python | ToolDialect::TypeScript => path,
        };
        let listing = DirListing {
            levels: LEVELS,
            skips: &|name| self.dialect.skips_name(name),
            order: self.dialect.name_order(),
        };
        let items = root.list(spot, &listing);
        let items = items.map_err(ToolFailure::for_path(path))?;
        let header = format!(
            "Here're the files and directories up to 2 levels deep in {path}, excluding {}:",
            self.dialect.left_out()
        );
        let line = |item: &ListedFile| {
            let end = if item.is_folder { "/" } else { "" };
            let size = format_size(item.bytes, self.dialect);
            format!("{size}\t{path}/{}{end}", item.path)
        };
        let own = format!("{}\t{path}", format_size(spot.bytes, self.dialect));
        let lines: Vec<String> = std::iter::once(own).chain(items.iter().map(line)).collect();
        let shown = self.fitting_count(&header, &lines);
        let mut text = format!("{header}\n{}", lines[..shown].join("\n"));
        if shown < lines.len() {
            let left = lines.len() - shown;
            let _ = write!(
                text,
                "\n[... {left} more; view a folder in it to see the rest ...]"
            );
        }
        Ok(text)
    }

    fn view_file(
        &self,
        path: &str,
        text: &str,
        range: Option<(i64, i64)>,
    ) -> Result<String, ToolFailure> {
        let count = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        if count > LINES_MAX {
            return Err(ToolFailure::TooManyLines(path.to_owned(), count));
        }
        let lines: Vec<&str> = text.split('\n').collect();
        let (first, end) = range.map_or((0, lines.len()), |range| clamp_range(range, lines.len()));
        let chosen = lines.get(first..end).unwrap_or_default();
        let chosen = (first + 1..).zip(chosen);
        let chosen: Vec<String> = chosen
            .map(|(number, line)| numbered_line(number, line))
            .collect();
        let header = format!("Here's the content of {path} with line numbers:");
        let shown = self.fitting_count(&header, &chosen);
        if shown == chosen.len() {
            return Ok(format!("{header}\n{}", chosen.join("\n")));
        }
        let body = match shown {
            // Not even one line: its beginning.
            0 => {
                let room = self.view_room(&header);
                chosen[0].chars().take(room).collect::<String>()
            }
            _ => chosen[..shown].join("\n"),
        };
        let last = first + shown.max(1);
        let cut = if shown == 0 { ", this one cut" } else { "" };
        Ok(format!(
            "{header}\n{body}\n[... lines {} to {last} of {count}{cut}; go on with view_range [{}, -1] ...]",
            first + 1,
            last + 1
        ))
    }

    /// How many of the lines fit into one view.
    fn fitting_count(&self, header: &str, lines: &[String]) -> usize {
        let Some(max) = self.limits.view_chars_max else {
            return lines.len();
        };
        let sizes = lines.iter().map(|line| line.chars().count() + 1);
        if header.chars().count() + sizes.clone().sum::<usize>() <= max {
            return lines.len();
        }
        let room = self.view_room(header);
        let mut used = 0;
        let fits = sizes.take_while(|size| {
            used += size;
            used <= room
        });
        fits.count()
    }

    /// The characters that a view that is cut has for its lines.
    fn view_room(&self, header: &str) -> usize {
        let max = self.limits.view_chars_max.unwrap_or(usize::MAX);
        max.saturating_sub(header.chars().count() + NOTICE_CHARS)
    }
}

/// A line with its number, as every view and snippet shows it.
pub(super) fn numbered_line(number: usize, line: &str) -> String {
    format!("{number:>6}\t{line}")
}

/// The text of a file. What is not UTF-8 is refused: writing it back would change it.
pub(super) fn read_text(
    root: &PlainRoot,
    path: &str,
    spot: &PathEnd,
) -> Result<String, ToolFailure> {
    let bytes = root.read(spot, FILE_BYTES_MAX);
    as_text(path, bytes.map_err(ToolFailure::for_path(path))?)
}

/// The bytes of a file, `None` where nothing stands.
pub(super) fn read_bytes(
    root: &PlainRoot,
    path: &str,
    spot: &PathEnd,
) -> Result<Option<Vec<u8>>, ToolFailure> {
    if spot.kind == SpotKind::Missing {
        return Ok(None);
    }
    let read = root.read(spot, FILE_BYTES_MAX);
    read.map(Some).map_err(ToolFailure::for_path(path))
}

/// Bytes as text.
pub(super) fn as_text(path: &str, bytes: Vec<u8>) -> Result<String, ToolFailure> {
    String::from_utf8(bytes).map_err(|_| {
        ToolFailure::Said(format!(
            "File {path} is not UTF-8 text; it was left as it is."
        ))
    })
}

/// Whether the path ends in a symbolic link; one that leads nowhere, if nothing was found there.
fn is_dangling_link(root: &PlainRoot, names: &[String]) -> bool {
    let kept = root.reach(names, Links::Keep);
    kept.is_ok_and(|spot| spot.kind == SpotKind::Link)
}

/// The slice of lines that both SDKs show: the first line is 1 at least, the last is counted from
/// the end where it is negative, but -1 means all.
fn clamp_range((first, last): (i64, i64), count: usize) -> (usize, usize) {
    let at = |line: i64| usize::try_from(line).unwrap_or(usize::MAX);
    let begin = at(first.max(1) - 1);
    let end = match last {
        -1 => count,
        last if last < 0 => count.saturating_sub(at(last.saturating_neg())),
        last => at(last).min(count),
    };
    (begin.min(end), end)
}

/// A size: integers as they are, else one decimal; the page prints one decimal from a kilobyte on.
fn format_size(bytes: u64, dialect: ToolDialect) -> String {
    let mut unit = 0;
    while unit < 3 && bytes >> (10 * (unit + 1)) > 0 {
        unit += 1;
    }
    let letter = ["B", "K", "M", "G"][unit];
    let one = 1_u64 << (10 * unit);
    if bytes.is_multiple_of(one) && (dialect != ToolDialect::Docs || unit == 0) {
        return format!("{}{letter}", bytes / one);
    }
    let value = bytes as f64 / one as f64;
    format!("{value:.1}{letter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_slices() {
        for (range, expected) in [
            ((1, -1), (0, 5)),
            ((2, 4), (1, 4)),
            ((2, -2), (1, 3)),
            ((0, 2), (0, 2)),
            ((-7, 1), (0, 1)),
            ((4, 2), (2, 2)),
            ((9, 12), (5, 5)),
            ((i64::MIN, i64::MIN), (0, 0)),
            ((i64::MAX, i64::MAX), (5, 5)),
        ] {
            assert_eq!(clamp_range(range, 5), expected, "{range:?}");
        }
    }

    #[test]
    fn sizes_have_the_forms_of_the_sdks_and_of_the_page() {
        for (bytes, sdk, docs) in [
            (0, "0B", "0B"),
            (1, "1B", "1B"),
            (1023, "1023B", "1023B"),
            (1024, "1K", "1.0K"),
            (1025, "1.0K", "1.0K"),
            (1536, "1.5K", "1.5K"),
            (4096, "4K", "4.0K"),
            (1_048_575, "1024.0K", "1024.0K"),
            (1_048_576, "1M", "1.0M"),
            (1 << 30, "1G", "1.0G"),
            (3 << 40, "3072G", "3072.0G"),
        ] {
            assert_eq!(format_size(bytes, ToolDialect::Python), sdk);
            assert_eq!(format_size(bytes, ToolDialect::TypeScript), sdk);
            assert_eq!(format_size(bytes, ToolDialect::Docs), docs);
        }
    }
}
