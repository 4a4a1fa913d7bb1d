//! Objects as git stores them, taken apart: the same for every source that they are read from.

use std::cmp::Ordering;

use super::id::ObjectId;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    /// A commit.
    Commit,
    /// A directory.
    Tree,
    /// A file.
    Blob,
    /// An annotated tag.
    Tag,
}

/// An object and its bytes.
#[derive(Debug)]
pub(crate) struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its content, without git's header.
    pub bytes: Vec<u8>,
}

/// An object cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// It is not here.
    #[error("it is not there")]
    Missing,
    /// Nobody inflates so much.
    #[error("it is larger than {0} bytes")]
    TooLarge(usize),
    /// Its bytes are not what its kind says.
    #[error("it is no {0}")]
    Malformed(&'static str),
    /// libgit2's words.
    #[error("{}", .0.message())]
    Library(#[from] git2::Error),
    /// git itself failed.
    #[error("git: {0}")]
    Program(#[from] std::io::Error),
}

/// What a scan needs of a commit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    /// Its root directory.
    pub tree: ObjectId,
    /// The commits before it.
    pub parents: Vec<ObjectId>,
    /// When it was made, in seconds since 1970.
    pub seconds: i64,
    /// `Name <e-mail>` of the author.
    pub author: Vec<u8>,
    /// `Name <e-mail>` of the committer.
    pub committer: Vec<u8>,
    /// All other headers but signatures: a merged tag stands there whole.
    pub headers: Vec<u8>,
    /// What it says.
    pub message: Vec<u8>,
}

/// What a scan needs of an annotated tag.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GitTag {
    /// What it names: any object, another tag too.
    pub target: ObjectId,
    /// `Name <e-mail>` of the tagger; old tags have none.
    pub tagger: Vec<u8>,
    /// What it says.
    pub message: Vec<u8>,
}

/// One name of a directory.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TreeEntry {
    /// The name's bytes.
    pub name: Vec<u8>,
    /// What it is; `None` for a submodule, whose commit is pushed from its own repository.
    pub kind: Option<ObjectKind>,
    /// The object.
    pub id: ObjectId,
}

impl TreeEntry {
    /// The order of the entries of a tree: git sorts the name of a directory as if it ended in `/`.
    pub(crate) fn git_order(&self, other: &Self) -> Ordering {
        let shared = self.name.len().min(other.name.len());
        let next = |entry: &Self| {
            let slash = (entry.kind == Some(ObjectKind::Tree)).then_some(b'/');
            entry.name.get(shared).copied().or(slash)
        };
        let starts = self.name[..shared].cmp(&other.name[..shared]);
        starts.then_with(|| next(self).cmp(&next(other)))
    }
}

impl ObjectKind {
    /// git's word.
    pub(crate) fn parse_kind(word: &str) -> Option<Self> {
        Some(match word {
            "commit" => Self::Commit,
            "tree" => Self::Tree,
            "blob" => Self::Blob,
            "tag" => Self::Tag,
            _ => return None,
        })
    }
}

impl Object {
    /// Reads a commit.
    ///
    /// # Errors
    /// It is none.
    pub(crate) fn commit(&self) -> Result<Commit, ObjectError> {
        let (head, message) = self.parts();
        let commit = || {
            let seconds = header_field(head, "committer ").and_then(|text| {
                let (_, time) = text.rsplit_once("> ")?;
                time.split(' ').next()?.parse().ok()
            });
            Some(Commit {
                tree: header_field(head, "tree ").and_then(ObjectId::parse)?,
                parents: header_fields(head, "parent ")
                    .filter_map(ObjectId::parse)
                    .collect(),
                seconds: seconds.unwrap_or_default(),
                author: header_identities(head, b"author "),
                committer: header_identities(head, b"committer "),
                headers: other_headers(head),
                message: message.to_vec(),
            })
        };
        let commit = (self.kind == ObjectKind::Commit).then(commit).flatten();
        commit.ok_or(ObjectError::Malformed("commit"))
    }

    /// Reads an annotated tag.
    ///
    /// # Errors
    /// It is none.
    pub(crate) fn tag(&self) -> Result<GitTag, ObjectError> {
        let (head, message) = self.parts();
        let target = header_field(head, "object ").and_then(ObjectId::parse);
        let target = target.filter(|_| self.kind == ObjectKind::Tag);
        Ok(GitTag {
            target: target.ok_or(ObjectError::Malformed("tag"))?,
            tagger: header_identities(head, b"tagger "),
            message: message.to_vec(),
        })
    }

    /// Reads a directory whose objects have names of so many bytes.
    ///
    /// # Errors
    /// It is none.
    pub(crate) fn tree_entries(&self, name_bytes: usize) -> Result<Vec<TreeEntry>, ObjectError> {
        let mut entries = Vec::new();
        let mut rest = self.bytes.as_slice();
        while !rest.is_empty() && self.kind == ObjectKind::Tree {
            let entry = tree_entry(rest, name_bytes).ok_or(ObjectError::Malformed("tree"))?;
            entries.push(entry.0);
            rest = entry.1;
        }
        match self.kind {
            ObjectKind::Tree => Ok(entries),
            _ => Err(ObjectError::Malformed("tree")),
        }
    }

    /// The lines of the head, and the message.
    fn parts(&self) -> (&[u8], &[u8]) {
        match memchr::memmem::find(&self.bytes, b"\n\n") {
            Some(at) => (&self.bytes[..at], &self.bytes[at + 2..]),
            None => (&self.bytes, &[]),
        }
    }
}

/// Headers of commits that are read by themselves, and signatures.
const READ_HEADERS: [&[u8]; 6] = [
    b"tree",
    b"parent",
    b"author",
    b"committer",
    b"gpgsig",
    b"gpgsig-sha256",
];

/// The lines of all headers but those; a line that begins with a blank goes on with the header before it.
fn other_headers(head: &[u8]) -> Vec<u8> {
    let (mut others, mut is_read) = (Vec::new(), true);
    for line in head.split(|byte| *byte == b'\n') {
        let text = match line.strip_prefix(b" ") {
            Some(rest) => rest,
            None => {
                let name = line.split(|byte| *byte == b' ').next().unwrap_or_default();
                is_read = READ_HEADERS.contains(&name);
                line
            }
        };
        if !is_read && !text.is_empty() {
            others.extend_from_slice(text);
            others.push(b'\n');
        }
    }
    others
}

/// The people of all lines of a name, a line each, without the time that follows them. The lines are bytes: a name may
/// have any encoding.
fn header_identities(head: &[u8], name: &[u8]) -> Vec<u8> {
    let lines = head.split(|byte| *byte == b'\n');
    let people = lines.filter_map(|line| {
        let person = line.strip_prefix(name)?;
        let end = memchr::memrchr(b'>', person).map_or(person.len(), |at| at + 1);
        Some(&person[..end])
    });
    people.collect::<Vec<_>>().join(&b'\n')
}

fn header_fields<'a>(head: &'a [u8], name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = head.split(|byte| *byte == b'\n');
    lines.filter_map(move |line| std::str::from_utf8(line.strip_prefix(name.as_bytes())?).ok())
}

/// The first line of a name, whatever its encoding says behind what is read of it.
fn header_field<'a>(head: &'a [u8], name: &'a str) -> Option<&'a str> {
    header_fields(head, name).next()
}

/// `<mode> <name>\0<object>`, and what comes after it.
fn tree_entry(bytes: &[u8], name_bytes: usize) -> Option<(TreeEntry, &[u8])> {
    let space = memchr::memchr(b' ', bytes)?;
    let end = memchr::memchr(0, bytes)?;
    let (mode, name) = (bytes.get(..space)?, bytes.get(space + 1..end)?);
    let id = ObjectId::from_bytes(bytes.get(end + 1..end + 1 + name_bytes)?)?;
    let kind = match mode {
        b"40000" | b"040000" => Some(ObjectKind::Tree),
        b"160000" => None,
        _ => Some(ObjectKind::Blob),
    };
    let name = name.to_vec();
    Some((TreeEntry { name, kind, id }, &bytes[end + 1 + name_bytes..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_tags_and_trees_of_both_formats() {
        for digits in [40, 64] {
            let name = |digit: &str| digit.repeat(digits);
            let id = |digit: &str| ObjectId::parse(&name(digit)).unwrap();
            let text = format!(
                "tree {}\nparent {}\nparent {}\nauthor A <a@x> 5 +0000\ncommitter B <b@x> 7 +0100\n\nm\n\nn\n",
                name("1"),
                name("2"),
                name("3")
            );
            let commit = Object {
                kind: ObjectKind::Commit,
                bytes: text.into_bytes(),
            };
            let read = commit.commit().unwrap();
            assert_eq!((read.tree, read.seconds), (id("1"), 7));
            assert_eq!(read.parents, [id("2"), id("3")]);
            assert_eq!(read.message, b"m\n\nn\n");
            assert_eq!(
                (&*read.author, &*read.committer),
                (&b"A <a@x>"[..], &b"B <b@x>"[..])
            );
            assert!(commit.tag().is_err() && commit.tree_entries(digits / 2).is_err());
            let mut bytes = b"100644 a b\0".to_vec();
            bytes.extend(id("4").as_bytes());
            bytes.extend(b"40000 d\0");
            bytes.extend(id("5").as_bytes());
            bytes.extend(b"160000 s\0");
            bytes.extend(id("6").as_bytes());
            let tree = Object {
                kind: ObjectKind::Tree,
                bytes,
            };
            let entries = tree.tree_entries(digits / 2).unwrap();
            let kinds: Vec<_> = entries.iter().map(|one| one.kind).collect();
            assert_eq!(
                kinds,
                [Some(ObjectKind::Blob), Some(ObjectKind::Tree), None]
            );
            assert_eq!(
                (entries[0].name.as_slice(), entries[0].id),
                (&b"a b"[..], id("4"))
            );
        }
    }

    #[test]
    fn entries_are_in_the_order_of_git() {
        let entry = |name: &str, kind| TreeEntry {
            name: name.into(),
            kind: Some(kind),
            id: ObjectId::parse(&"1".repeat(40)).unwrap(),
        };
        let entries = [
            entry("lib", ObjectKind::Blob),
            entry("lib-old", ObjectKind::Blob),
            entry("lib.txt", ObjectKind::Blob),
            entry("lib", ObjectKind::Tree),
            entry("lib0", ObjectKind::Blob),
            entry("lib0", ObjectKind::Tree),
        ];
        for (at, one) in entries.iter().enumerate() {
            for (other_at, other) in entries.iter().enumerate() {
                assert_eq!(one.git_order(other), at.cmp(&other_at), "{one:?} {other:?}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_are_too_odd(bytes in proptest::collection::vec(0_u8..=255, 0..200)) {
            for kind in [ObjectKind::Commit, ObjectKind::Tree, ObjectKind::Tag] {
                let object = Object { kind, bytes: bytes.clone() };
                let _ = (object.commit(), object.tag(), object.tree_entries(20), object.tree_entries(32));
            }
        }
    }
}
