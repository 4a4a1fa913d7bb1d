//! Taking a text, or what an index says of a file, out of bytes and names.

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;
use memchr::memmem;

use crate::MemoryPath;
use crate::spellings::TextSpellings;

/// What stands where a text was removed.
pub(super) const MARK: &str = "[redacted]";
/// The same where `[` has a meaning of its own: it would begin a list where a value of a note's head begins, and in
/// Markdown a wikilink behind another `[` and a link in front of `(`.
pub(super) const MARK_OF_VALUE: &str = "(redacted)";

/// What a text is looked for by, where the marks stand for it.
pub fn spellings(text: &str) -> TextSpellings {
    TextSpellings::from_text(text, &[MARK, MARK_OF_VALUE])
}

/// The bytes with every spelling of a text replaced by a mark; `None` where there is none.
pub fn without_text(bytes: &[u8], text: &TextSpellings) -> Option<Vec<u8>> {
    let places = text.places(bytes);
    if places.is_empty() {
        return None;
    }
    let head_end = head_end(bytes);
    let mut replaced = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for place in places {
        replaced.extend_from_slice(&bytes[from..place.start]);
        let is_value = place.start < head_end && begins_value(&replaced);
        let mark = match is_value || is_linked(&replaced, &bytes[place.end..]) {
            true => MARK_OF_VALUE,
            false => MARK,
        };
        replaced.extend_from_slice(mark.as_bytes());
        from = place.end;
    }
    replaced.extend_from_slice(&bytes[from..]);
    Some(replaced)
}

/// Where the YAML at the beginning of a note ends; 0 where there is none.
fn head_end(bytes: &[u8]) -> usize {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let begins = text.starts_with(b"---\n") || text.starts_with(b"---\r\n");
    let end = begins.then(|| memmem::find(&text[3..], b"\n---")).flatten();
    end.map_or(0, |end| bytes.len() - text.len() + 3 + end)
}

/// Whether a value of YAML would begin behind these bytes: after a key, in a list, or on a line of its own.
fn begins_value(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    matches!(before.last(), Some(b':' | b'-' | b'[' | b',' | b'>' | b'|'))
}

/// Whether brackets between these bytes would read as a wikilink or as the text of a link.
pub(super) fn is_linked(before: &[u8], after: &[u8]) -> bool {
    before.ends_with(b"[") || after.starts_with(b"(")
}

/// A text with every spelling of another replaced by the mark.
pub(super) fn text_without(text: &str, what: &TextSpellings) -> String {
    what.replaced(text, MARK)
}

/// A name of a file or folder without a text; `None` where it does not hold it, or cannot be
/// changed alone.
pub(crate) fn name_without(name: &str, text: &TextSpellings) -> Option<String> {
    let new = text.replaced_in_name(name, MARK)?;
    MemoryPath::parse(&new).is_ok().then_some(new)
}

/// A path with other names for its segments; `None` where none has another one.
pub(super) fn renamed(
    path: &MemoryPath,
    name: &dyn Fn(&str) -> Option<String>,
) -> Option<MemoryPath> {
    let segments = path.as_str().split('/');
    let new = segments.map(|segment| name(segment).unwrap_or_else(|| segment.to_owned()));
    let new = MemoryPath::parse(&new.collect::<Vec<_>>().join("/")).ok()?;
    (new != *path).then_some(new)
}

/// Whether nothing was left of a content.
pub(super) fn is_emptied(bytes: &[u8]) -> bool {
    bytes.trim_ascii() == MARK.as_bytes()
}

/// Whether a file lists others: `MEMORY.md`, and `MEMORY.archive.md` with what did not fit.
pub(super) fn is_index(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == "MEMORY.md" || name == "MEMORY.archive.md"
}

/// The index at `index` without the lines that name one of `files`; `None` where none does.
pub(super) fn index_without<'p>(
    index: &str,
    bytes: &[u8],
    files: impl Iterator<Item = &'p str>,
) -> Option<Vec<u8>> {
    let folder = &index[..index.rfind('/').map_or(0, |slash| slash + 1)];
    let links: Vec<&str> = files.filter_map(|file| file.strip_prefix(folder)).collect();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let kept: Vec<&[u8]> = lines
        .iter()
        .copied()
        .filter(|line| !links.iter().any(|link| names(line, link)))
        .collect();
    (kept.len() < lines.len()).then(|| kept.concat())
}

/// The newest line of an index that names a file, if one does.
pub(super) fn line_naming<'b>(index: &MemoryPath, bytes: &'b [u8], file: &str) -> Option<&'b [u8]> {
    let folder = index
        .parent()
        .map_or(String::new(), |name| format!("{name}/"));
    let link = file.strip_prefix(&folder)?;
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .find(|line| names(line, link))
}

/// Whether a line names a file: its whole relative path, not a part of a longer one.
fn names(line: &[u8], link: &str) -> bool {
    let encoded = link.replace(' ', "%20");
    [link, &encoded].into_iter().any(|link| {
        let mut from = 0;
        while let Some(at) = memmem::find(&line[from..], link.as_bytes()) {
            let (start, end) = (from + at, from + at + link.len());
            let before = &line[..start];
            let before = before.strip_suffix(b"./").unwrap_or(before);
            let continues = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
            let begins = before
                .last()
                .is_none_or(|byte| !continues(byte) && byte.is_ascii() && !b"./%".contains(byte));
            if begins && !line.get(end).is_some_and(continues) {
                return true;
            }
            from = start + 1;
        }
        false
    })
}

/// Removes empty folders below one whose names hold a text, the deepest first. What is in use, or no folder, stays.
pub(super) fn clear_folders_named(folder: &Dir, text: &TextSpellings) {
    let entries = folder.entries().into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    for name in folders.map(|entry| entry.file_name()) {
        if let Ok(inner) = folder.open_dir_nofollow(&name) {
            clear_folders_named(&inner, text);
        }
        if text.is_in_name(&name.to_string_lossy()) {
            let _ = folder.remove_dir(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_stays_yaml_where_a_value_begins_with_what_goes() {
        let note = b"---\nname: zebra plan\ndescription: \"zebra, and a zebra\"\ntags: [zebra, x]\n---\n\nnote: zebra\n";
        let clean = without_text(note, &spellings("zebra")).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&clean),
            "---\nname: (redacted) plan\ndescription: \"[redacted], and a [redacted]\"\ntags: [(redacted), x]\n---\n\nnote: [redacted]\n"
        );
        let topic = crate::topic::TopicFile::parse(&clean);
        assert_eq!(topic.name.as_deref(), Some("(redacted) plan"));
    }

    #[test]
    fn no_mark_becomes_a_link() {
        let index = "- [Zebra Quartz](x.md) \u{2014} see [[other]]\n- [A Zebra Quartz](y.md)\nZebra Quartz(z.md)\n";
        let clean = without_text(index.as_bytes(), &spellings("Zebra Quartz")).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&clean),
            "- [(redacted)](x.md) \u{2014} see [[other]]\n- [A [redacted]](y.md)\n(redacted)(z.md)\n"
        );
    }

    #[test]
    fn only_lines_that_name_the_very_file_go() {
        let index = b"# Notes\n- [A](a.md) - x\n- [D](data.md)\n- [S](sub/a.md)\n- see ./a.md.\n";
        let kept = index_without("MEMORY.md", index, ["a.md"].into_iter()).unwrap();
        let text = String::from_utf8(kept).unwrap();
        assert_eq!(text, "# Notes\n- [D](data.md)\n- [S](sub/a.md)\n");
        assert!(index_without("team/MEMORY.md", index, ["a.md"].into_iter()).is_none());
        assert!(index_without("team/MEMORY.md", index, ["team/a.md"].into_iter()).is_some());
        let spaced = b"- [B](my%20note.md)\n";
        assert!(index_without("MEMORY.md", spaced, ["my note.md"].into_iter()).is_some());
    }

    #[test]
    fn every_occurrence_of_a_text_goes() {
        let clean = without_text(b"abcabc d abc", &spellings("abc")).unwrap();
        assert_eq!(clean, b"[redacted][redacted] d [redacted]");
        assert!(without_text(b"abd", &spellings("abc")).is_none());
        let path = MemoryPath::parse("abc/x-abc.md").unwrap();
        let path_without =
            |text: &str| renamed(&path, &|name| name_without(name, &spellings(text)));
        let clean = path_without("abc").unwrap();
        assert_eq!(clean.as_str(), "[redacted]/x-[redacted].md");
        assert!(path_without("abd").is_none());
        assert!(path_without("abc/x").is_none());
    }
}
