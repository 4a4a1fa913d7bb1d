//! From a note's file to the document that is ranked. Secrets are left out: what is never cached
//! is never found there.

use std::borrow::Cow;

use mem_core::memory::ScopeDir;
use mem_core::store::Snapshot;
use mem_core::text_detection::is_plain_text;
use mem_core::topic::TopicFile;
use mem_core::{MemoryPath, MemoryType, Scope};
use mem_recall::{Document, Facets};
use mem_records::Category;
use mem_secrets::{InputOrigin, Scanner};

/// Of a longer file only so much is read: more than the longest frontmatter and the part of a body
/// that is indexed.
const NOTE_BYTES_MAX: usize = 2 << 20;
const _: () =
    assert!(NOTE_BYTES_MAX > mem_recall::BODY_BYTES_MAX + mem_core::limits::FRONTMATTER_BYTES_MAX);

/// The key of a note in the index: its tier and its file within the tier.
pub fn document_key(scope: Scope, file: &str) -> String {
    let mut key = String::new();
    write_key(scope, file, &mut key);
    key
}

/// The same, into a text that is used again and again.
pub(super) fn write_key(scope: Scope, file: &str, key: &mut String) {
    key.clear();
    key.push_str(scope.as_str());
    key.push(':');
    key.push_str(file);
}

/// The key of a note that is named as lists name it: with its tier where it is not the private one.
pub fn key_of_label(label: &str) -> String {
    match of_key(label) {
        Some(_) => label.to_owned(),
        None => document_key(Scope::Private, label),
    }
}

/// The tier and the file of a key.
pub(crate) fn of_key(key: &str) -> Option<(Scope, &str)> {
    let (scope, file) = key.split_once(':')?;
    Some((scope.parse().ok()?, file))
}

/// A note as it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceDocument<'a> {
    /// The tier.
    pub scope: Scope,
    /// The path within the tier.
    pub file: &'a str,
    /// The path within the store.
    pub path: &'a MemoryPath,
    /// The content.
    pub bytes: &'a [u8],
    /// When the content came to be, seconds since 1970, unless the file says so itself.
    pub time: Option<i64>,
}

/// Makes the document; its stamp is left empty. Frontmatter that is broken, a missing
/// name: whatever can be read of it is ranked. A file that is no text has only the name of its file.
pub(crate) fn make_document(source: &SourceDocument<'_>, scanner: &Scanner) -> Document {
    let bytes = match is_plain_text(source.bytes) {
        true => &source.bytes[..source.bytes.len().min(NOTE_BYTES_MAX)],
        false => &b""[..],
    };
    let bytes = without_secrets(bytes, source.path, scanner);
    let topic = TopicFile::parse(&bytes);
    let body = topic.text(&bytes);
    Document {
        key: document_key(source.scope, source.file),
        name: topic.title(source.path.stem()).to_owned(),
        description: topic.description.clone().unwrap_or_default(),
        body: match is_plain_text(topic.body(&bytes)) {
            true => body[..body.floor_char_boundary(mem_recall::BODY_BYTES_MAX)].to_owned(),
            false => String::new(),
        },
        facets: document_facets(&topic, source),
        stamp: Vec::new(),
    }
}

/// Reads the note of a key again, for its text, of which an index has none; `None` where it is gone.
pub(crate) fn read_document(
    key: &str,
    snapshot: &Snapshot<'_>,
    scanner: &Scanner,
) -> Option<Document> {
    let (scope, file) = of_key(key)?;
    let path = ScopeDir(scope).path(file).ok()?;
    let (bytes, _) = snapshot.read(&path).ok()??;
    let source = SourceDocument {
        scope,
        file,
        path: &path,
        bytes: &bytes,
        time: None,
    };
    Some(make_document(&source, scanner))
}

fn document_facets(topic: &TopicFile, source: &SourceDocument<'_>) -> Facets {
    let kind = topic.kind.map(MemoryType::as_str);
    let time = topic.modified.map(jiff::Timestamp::as_second);
    Facets {
        kind: kind
            .or(topic.type_word.as_deref())
            .unwrap_or_default()
            .to_owned(),
        scope: source.scope.as_str().to_owned(),
        category: Category::from_topic(topic).as_str().to_owned(),
        tags: topic.tags.clone(),
        importance: topic.importance.map(|level| f32::from(level - 1) / 4.0),
        expires: topic.expires.map(|expires| expires.end().as_second()),
        time: time.or(source.time),
        pinned: topic.pinned,
        used: 0,
    }
}

/// The same bytes with every secret blanked.
pub(super) fn without_secrets<'a>(
    bytes: &'a [u8],
    path: &MemoryPath,
    scanner: &Scanner,
) -> Cow<'a, [u8]> {
    let found = scanner.scan(bytes, &InputOrigin::path(path.as_str()));
    if found.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut bytes = bytes.to_vec();
    for finding in found {
        let at = |place: u64| {
            usize::try_from(place)
                .unwrap_or(usize::MAX)
                .min(bytes.len())
        };
        let span = at(finding.span.start)..at(finding.span.end);
        bytes[span].fill(b' ');
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &[u8]) -> Document {
        let path = MemoryPath::parse("team/feedback_x.md").unwrap();
        let source = SourceDocument {
            scope: Scope::Team,
            file: "feedback_x.md",
            path: &path,
            bytes: text,
            time: Some(5),
        };
        make_document(&source, &Scanner::new())
    }

    #[test]
    fn fields_and_key_are_those_of_the_file() {
        let text = b"---\nname: No mocks\ndescription: real db\ntype: feedback\nimportance: 5\n\
            expires: 2026-12-31\ntags: [tests]\n---\n\nUse it.\n";
        let made = made(text);
        assert_eq!(made.key, "team:feedback_x.md");
        assert_eq!(of_key(&made.key), Some((Scope::Team, "feedback_x.md")));
        assert_eq!((&*made.name, &*made.body), ("No mocks", "Use it.\n"));
        assert_eq!(made.facets.importance, Some(1.0));
        assert_eq!(
            (made.facets.expires, made.facets.time),
            (Some(1_798_761_600), Some(5))
        );
    }

    #[test]
    fn broken_notes_are_ranked_by_what_can_be_read() {
        let made = made(b"---\nname: [\n---\nbody \xff here");
        assert!(made.body.contains("here"), "{made:?}");
        assert!(!made.name.is_empty());
    }

    #[test]
    fn secrets_do_not_get_into_the_index() {
        let token = ["gh", "p_", "4kQz81LmWv7TnXc02RbJdYhG5sEaUp9fKo3i"].concat();
        let made = made(format!("---\nname: n\n---\ntoken: {token} for CI\n").as_bytes());
        assert!(
            !made.body.contains(&token) && made.body.contains("for CI"),
            "{made:?}"
        );
    }
}
