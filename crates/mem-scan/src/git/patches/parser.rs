//! Reads `git log -p -U0 --cc --format=%x00%H%x00%an <%ae>%x00%cn <%ce>%x00%B%x00`. Lines of a hunk are
//! counted, so that no content can be taken for a header.

use std::collections::HashSet;

use super::section::PatchSection;
use crate::git::blobs::BlobJob;
use crate::git::cache::Clean;
use crate::git::id::ObjectId;
use crate::git::messages::{COMMIT_AUTHOR, COMMITTER};
use crate::scan_origin::ContentKind;

/// What the next line belongs to.
#[derive(Debug, Default)]
pub(super) struct Parser {
    /// Sections that are complete.
    pub sections: Vec<PatchSection>,
    /// Bytes of text in them.
    pub waiting_bytes: usize,
    /// Blobs that git shows no lines of.
    pub binary: Vec<BlobJob>,
    commit: String,
    order: usize,
    /// Authors and committers that have a section: most histories have few people, and each is scanned once.
    people: HashSet<(&'static str, Vec<u8>)>,
    current: Option<PatchSection>,
    in_message: bool,
    /// Of the file's header: the new blob.
    blob: Option<ObjectId>,
    /// Lines of the hunk that are still to come: of each parent, and of the new file.
    olds: Vec<u64>,
    news: u64,
    lines: u64,
}

impl Parser {
    /// Takes a line with its newline.
    pub(super) fn take_line(&mut self, line: &[u8]) {
        if self.news > 0 || self.olds.iter().any(|old| *old > 0) {
            self.hunk_line(line);
        } else if self.in_message {
            self.message_line(line);
        } else if let Some(rest) = line.strip_prefix(b"\0") {
            self.begin_commit(rest);
        } else {
            self.take_header(line);
        }
    }

    /// The last section is complete.
    pub(super) fn end_section(&mut self) {
        if let Some(section) = self.current.take()
            && (!section.text.is_empty() || section.is_new_name)
        {
            self.waiting_bytes += section.text.len() + 64;
            self.sections.push(section);
        }
        self.blob = None;
        self.lines = 0;
    }

    fn begin_section(&mut self, path: Option<String>) {
        self.end_section();
        let (commit, order) = (self.commit.clone(), self.order);
        self.current = Some(PatchSection {
            commit,
            order,
            path,
            ..PatchSection::default()
        });
    }

    /// `<commit>\0<author>\0<committer>\0<message>`: nothing but the message has lines.
    fn begin_commit(&mut self, line: &[u8]) {
        let mut fields = line.splitn(4, |byte| *byte == 0);
        let mut field = || fields.next().unwrap_or_default();
        let (commit, author, committer, message) = (field(), field(), field(), field());
        self.end_section();
        self.commit = String::from_utf8_lossy(commit).into_owned();
        self.order += 1;
        self.take_person(COMMIT_AUTHOR, author);
        if committer != author {
            self.take_person(COMMITTER, committer);
        }
        self.begin_section(None);
        self.in_message = true;
        self.message_line(message);
    }

    fn take_person(&mut self, what: &'static str, person: &[u8]) {
        if !self.people.insert((what, person.to_vec())) {
            return;
        }
        self.begin_section(None);
        if let Some(section) = &mut self.current {
            section.person = Some(what);
            section.text.extend_from_slice(person);
        }
    }

    fn message_line(&mut self, line: &[u8]) {
        let end = line.iter().position(|byte| *byte == 0);
        self.in_message = end.is_none();
        if let Some(section) = &mut self.current {
            section
                .text
                .extend_from_slice(&line[..end.unwrap_or(line.len())]);
        }
    }

    /// A line between the hunks.
    fn take_header(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if line.starts_with(b"@@") {
            self.take_hunk(line);
        } else if let Some(pair) = line.strip_prefix(b"diff --git ") {
            self.begin_section(Some(name_of_pair(pair)));
        } else if let Some(name) = line.strip_prefix(b"diff --cc ") {
            self.begin_section(Some(unquote_name(name)));
        } else if let Some(ids) = line.strip_prefix(b"index ") {
            let ids = String::from_utf8_lossy(ids);
            let new = ids
                .rsplit("..")
                .next()
                .and_then(|rest| rest.split(' ').next());
            self.blob = new.and_then(ObjectId::parse).filter(|id| !id.is_zero());
        } else if line.starts_with(b"Binary files ") {
            self.binary_file();
        } else if let Some(section) = &mut self.current {
            let named = line
                .strip_prefix(b"rename to ")
                .or(line.strip_prefix(b"copy to "));
            if let Some(name) = named {
                section.path = Some(unquote_name(name));
                section.is_new_name = true;
            } else if let Some(name) = line.strip_prefix(b"+++ ").filter(|n| *n != b"/dev/null") {
                section.path = Some(without_prefix(&unquote_name(name)));
            } else if line.starts_with(b"new file mode ") {
                section.is_new_name = true;
            }
        }
    }

    fn binary_file(&mut self) {
        let path = self
            .current
            .as_ref()
            .and_then(|section| section.path.clone());
        if let (Some(oid), Some(path)) = (self.blob, path.filter(|path| !is_packed(path))) {
            self.binary.push(BlobJob {
                oid,
                olds: Vec::new(),
                commit: ObjectId::parse(&self.commit),
                kind: ContentKind::Blob,
                order: self.order,
                mark: Clean::mark(oid, &path),
                path,
            });
        }
    }

    /// `@@ -1,2 +3,4 @@`, with one more `@` and range for each further parent.
    fn take_hunk(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let ranges = text
            .split(' ')
            .skip(1)
            .take_while(|word| word.starts_with(['-', '+']));
        self.olds.clear();
        for range in ranges {
            let (first, count) = parse_numbers(&range[1..]);
            if range.starts_with('-') {
                self.olds.push(count);
            } else {
                self.news = count;
                if let Some(section) = &mut self.current {
                    section.rows.push((self.lines + 1, first));
                }
            }
        }
    }

    fn hunk_line(&mut self, line: &[u8]) {
        let columns = self.olds.len();
        if line.starts_with(b"\\") {
            return;
        }
        let signs = &line[..columns.min(line.len())];
        let removed = signs.contains(&b'-');
        for (old, sign) in self.olds.iter_mut().zip(signs) {
            let theirs = if removed {
                *sign == b'-'
            } else {
                *sign == b' '
            };
            *old = old.saturating_sub(u64::from(theirs));
        }
        if removed {
            return;
        }
        self.news = self.news.saturating_sub(1);
        self.lines += 1;
        if let Some(section) = &mut self.current {
            // A line that some parent has is no news, but counts as a line.
            let added = signs.iter().all(|sign| *sign == b'+');
            let content = if added { &line[columns..] } else { b"\n" };
            section.text.extend_from_slice(content);
            if !content.ends_with(b"\n") {
                section.text.push(b'\n');
            }
        }
    }
}

/// `3,4` or `3`.
fn parse_numbers(text: &str) -> (u64, u64) {
    let (first, count) = text.split_once(',').unwrap_or((text, "1"));
    (first.parse().unwrap_or(1), count.parse().unwrap_or(0))
}

/// `a/x b/x`: the name, where both are the same, as they are unless `rename to` follows.
fn name_of_pair(pair: &[u8]) -> String {
    if pair.starts_with(b"\"") {
        let half = pair.len() / 2;
        return without_prefix(&unquote_name(&pair[half + 1..]));
    }
    let length = pair.len().saturating_sub(5) / 2;
    String::from_utf8_lossy(pair.get(2..2 + length).unwrap_or_default()).into_owned()
}

fn without_prefix(name: &str) -> String {
    name.strip_prefix("b/").unwrap_or(name).to_owned()
}

/// A name as git writes it: in quotes with C's escapes where it has odd bytes, with a tab after
/// it where it has spaces.
fn unquote_name(name: &[u8]) -> String {
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let Some(inner) = name
        .strip_prefix(b"\"")
        .and_then(|name| name.strip_suffix(b"\""))
    else {
        return String::from_utf8_lossy(name).into_owned();
    };
    let mut bytes = Vec::new();
    let mut rest = inner;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let (true, Some((escape, after))) = (*first == b'\\', after.split_first()) else {
            bytes.push(*first);
            continue;
        };
        rest = after;
        bytes.push(match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'0'..=b'3' => {
                let digits: Vec<u8> = rest.iter().take(2).copied().collect();
                rest = rest.get(2..).unwrap_or_default();
                digits.iter().fold(escape - b'0', |value, digit| {
                    value.wrapping_mul(8).wrapping_add(digit.wrapping_sub(b'0'))
                })
            }
            other => *other,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether a file of this name is compressed, so that nothing can be seen in it.
fn is_packed(path: &str) -> bool {
    const PACKED: &[&str] = &[
        "7z", "avi", "bz2", "eot", "gif", "gz", "ico", "jar", "jpeg", "jpg", "mov", "mp3", "mp4",
        "ogg", "otf", "pdf", "png", "rar", "tgz", "ttf", "war", "webm", "webp", "woff", "woff2",
        "xz", "zip", "zst",
    ];
    let extension = path
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    PACKED.contains(&extension.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Vec<PatchSection> {
        let mut parser = Parser::default();
        text.split_inclusive('\n')
            .for_each(|line| parser.take_line(line.as_bytes()));
        parser.end_section();
        parser.sections
    }

    #[test]
    fn lines_of_hunks_keep_their_places_and_content_is_no_header() {
        let sections = parse(
            "\0aa\0A <a@x>\0B <b@x>\0message\nmore\n\0\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n\
             @@ -3 +3,2 @@ fn\n-old\n+++ b/no header\n+two\n@@ -9,0 +11 @@\n+three\n\\ No newline\n",
        );
        let people: Vec<_> = sections[..2]
            .iter()
            .map(|one| (one.person, &*one.text))
            .collect();
        assert_eq!(
            people,
            [
                (Some("commit author"), &b"A <a@x>"[..]),
                (Some("committer"), b"B <b@x>")
            ]
        );
        assert_eq!((&sections[2].path, sections[2].person), (&None, None));
        assert_eq!(sections[2].text, b"message\nmore\n");
        assert_eq!(sections[3].path.as_deref(), Some("x"));
        assert_eq!(sections[3].text, b"++ b/no header\ntwo\nthree\n");
        assert_eq!(sections[3].rows, [(1, 3), (3, 11)]);
    }

    #[test]
    fn a_person_of_many_commits_is_scanned_once() {
        let sections = parse("\0aa\0A <a>\0A <a>\0m\0\n\0bb\0A <a>\0B <b>\0n\0\n");
        let texts: Vec<_> = sections.iter().map(|one| &*one.text).collect();
        assert_eq!(texts, [&b"A <a>"[..], b"m", b"B <b>", b"n"]);
    }

    #[test]
    fn a_merge_shows_what_no_parent_has() {
        let sections = parse(
            "\0aa\0A\0A\0m\0\n\ndiff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,2 +1,3 @@@\n  both\n\
             + mine\n++new\ndiff --git a/\"o b/\"o\n",
        );
        assert_eq!(sections[2].text, b"\n\nnew\n");
    }

    #[test]
    fn odd_names_are_read() {
        assert_eq!(unquote_name(br#""b/\303\244 \"q\"""#), "b/ä \"q\"");
        assert_eq!(unquote_name(b"b/with space\t"), "b/with space");
        assert_eq!(name_of_pair(b"a/new.txt b/new.txt"), "new.txt");
    }

    /// What begins a line of a patch, and what may follow.
    const LINE: &str = "(\\x00|diff --git |diff --cc |index |@@ |@@@ |\\+\\+\\+ |rename to |Binary files |[-+ \\\\])?\
                        [-+@ab/0-9,. \"\\\\\\x00é]{0,40}";

    proptest::proptest! {
        #[test]
        fn no_patch_is_too_odd(lines in proptest::collection::vec(LINE, 0..40)) {
            parse(&lines.join("\n"));
        }
    }
}
