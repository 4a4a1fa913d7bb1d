//! The name of an entry: a [`MemoryPath`] that means the same file on every machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use mem_core::Diagnose;
use mem_core::memory_path::{InvalidPath, MemoryPath, printable};
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

/// A relative path with `/` between its segments: at most 1,024 bytes and 20 segments, in NFC, without
/// control and format characters, and with everything that [`MemoryPath`] asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EntryKey(MemoryPath);

/// Why a text is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(
    Invalid,
    hint = "rename the file, to a plain name such as `project_release.md`"
)]
pub enum InvalidKey {
    /// It is no path inside a memory.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// Two spellings of one name would be two keys.
    #[error("`{}` is not a key: it is not in NFC", printable(.0))]
    NotNfc(String),
    /// People would not see the difference from another name.
    #[error("`{}` is not a key: it contains an invisible character", visible(.0))]
    Invisible(String),
    /// Every tier has its index there.
    #[error("`{}` is not a key: a folder would stand where the index belongs", printable(.0))]
    BelowIndex(String),
}

impl EntryKey {
    /// Parses a key.
    ///
    /// # Errors
    /// See [`InvalidKey`].
    pub fn parse(text: &str) -> Result<Self, InvalidKey> {
        let path = MemoryPath::parse(text)?;
        let mut folders = path.as_str().split('/').rev().skip(1);
        if folders.any(|folder| folder.eq_ignore_ascii_case(INDEX_FILE)) {
            return Err(InvalidKey::BelowIndex(text.to_owned()));
        }
        if text.chars().any(is_invisible) {
            return Err(InvalidKey::Invisible(text.to_owned()));
        }
        if !text.is_ascii() && !text.nfc().eq(text.chars()) {
            return Err(InvalidKey::NotNfc(text.to_owned()));
        }
        Ok(Self(path))
    }

    /// The name of a file as its key would be spelled, where file systems keep names in other forms.
    pub fn spelled(name: &str) -> std::borrow::Cow<'_, str> {
        match name.is_ascii() || name.nfc().eq(name.chars()) {
            true => name.into(),
            false => name.nfc().collect::<String>().into(),
        }
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The path below the tier's directory.
    pub fn path(&self) -> &MemoryPath {
        &self.0
    }

    /// Whether this is an index or its archive, whose entries are a set.
    pub fn is_index(&self) -> bool {
        mem_core::notes::is_index(&self.0)
    }

    /// Whether it is the log of a day, which entries are only added to.
    pub fn is_log(&self) -> bool {
        mem_core::daily_log::date_of(&self.0).is_some()
    }

    /// The key of a file that this index links to; `None` for what can be no key.
    pub fn linked(&self, file: &str) -> Option<Self> {
        let folder = self.as_str().rsplit_once('/').map(|(folder, _)| folder);
        let name = folder.map_or_else(|| file.to_owned(), |folder| format!("{folder}/{file}"));
        Self::parse(&Self::spelled(&name)).ok()
    }

    /// The archive of an index, or the index of an archive; `None` for other keys.
    pub fn sibling_index(&self) -> Option<Self> {
        let name = self.as_str();
        let other = match name.strip_suffix(ARCHIVE_FILE) {
            Some(folder) => format!("{folder}{INDEX_FILE}"),
            None => format!("{}{ARCHIVE_FILE}", name.strip_suffix(INDEX_FILE)?),
        };
        Self::parse(&other).ok()
    }

    /// One form for all spellings that a file system may take for the same name.
    pub fn folded(&self) -> String {
        fold(self.as_str())
    }
}

impl fmt::Display for EntryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<String> for EntryKey {
    type Error = InvalidKey;

    fn try_from(text: String) -> Result<Self, InvalidKey> {
        Self::parse(&text)
    }
}

impl From<EntryKey> for String {
    fn from(key: EntryKey) -> Self {
        key.0.into()
    }
}

/// Keys that can stand beside each other on every file system.
#[derive(Clone, Debug, Default)]
pub struct KeySet {
    /// By their folded form.
    names: BTreeMap<String, EntryKey>,
    /// The folded folders of all keys, and how many keys stand below each.
    folders: BTreeMap<String, usize>,
}

/// Why a key cannot stand beside those that are there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Clash {
    /// Another key differs in case only.
    #[error("`{0}` differs from it in case only")]
    Twin(EntryKey),
    /// Another key is a folder of this one.
    #[error("`{0}` is an entry, so nothing can stand below it")]
    Below(EntryKey),
    /// This one is a folder of other keys.
    #[error("it is the folder of other entries")]
    Folder,
}

impl KeySet {
    /// Adds a key.
    ///
    /// # Errors
    /// The key clashes with one that is there; the set is as it was.
    pub fn insert(&mut self, key: &EntryKey) -> Result<(), Clash> {
        let folded = key.folded();
        match self.names.get(&folded) {
            Some(other) if other == key => return Ok(()),
            Some(other) => return Err(Clash::Twin(other.clone())),
            None => {}
        }
        if self.folders.contains_key(&folded) {
            return Err(Clash::Folder);
        }
        if let Some(other) = folders(&folded).find_map(|folder| self.names.get(folder)) {
            return Err(Clash::Below(other.clone()));
        }
        for folder in folders(&folded) {
            *self.folders.entry(folder.to_owned()).or_default() += 1;
        }
        self.names.insert(folded, key.clone());
        Ok(())
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: &EntryKey) {
        let folded = key.folded();
        if self.names.get(&folded) != Some(key) {
            return;
        }
        self.names.remove(&folded);
        for folder in folders(&folded) {
            if let Some(count) = self.folders.get_mut(folder) {
                *count -= 1;
            }
        }
        self.folders.retain(|_, count| *count > 0);
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The keys.
    pub fn keys(&self) -> BTreeSet<&EntryKey> {
        self.names.values().collect()
    }
}

/// Every folder above a path, the outermost first.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Lower case in NFC, as file systems that ignore case compare names, near enough.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let upper: String = text.nfc().flat_map(char::to_uppercase).collect();
    upper.chars().flat_map(char::to_lowercase).nfc().collect()
}

/// Unicode's format characters (category Cf), and the separators of lines and paragraphs.
fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0xAD | 0x600..=0x605 | 0x61C | 0x6DD | 0x70F | 0x890..=0x891 | 0x8E2 | 0x180E
        | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xFFF9..=0xFFFB
        | 0x110BD | 0x110CD | 0x13430..=0x1343F | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A
        | 0xE0001 | 0xE0020..=0xE007F)
}

/// A text with its invisible characters as escapes.
fn visible(text: &str) -> String {
    let escaped = |c: char| match is_invisible(c) {
        true => c.escape_unicode().collect::<Vec<_>>(),
        false => vec![c],
    };
    printable(&text.chars().flat_map(escaped).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> EntryKey {
        EntryKey::parse(text).unwrap()
    }

    #[test]
    fn hostile_keys_are_refused() {
        for text in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "a\\..\\b",
            "con.md",
            "C:/x.md",
            "LPT1",
            ".git/config",
            "a\u{0}",
            "a\u{1b}[2J",
            "a\u{202e}dm.md",
            "a\u{200b}.md",
            "a\u{2028}",
            "\u{feff}a",
            "e\u{301}.md",
            "a.",
            "dir /x",
            "MEMORY.md/x",
            "a/memory.MD/x",
        ] {
            assert!(EntryKey::parse(text).is_err(), "{text:?} was accepted");
        }
        assert!(EntryKey::parse(&vec!["a"; 21].join("/")).is_err());
        assert!(EntryKey::parse(&vec!["ab"; 20].join("/")).is_ok());
        assert!(
            EntryKey::parse(
                &[
                    "a".repeat(250),
                    "b".repeat(250),
                    "c".repeat(250),
                    "d".repeat(250),
                    "e".repeat(21)
                ]
                .join("/")
            )
            .is_err()
        );
        let shown = EntryKey::parse("a\u{202e}dm").unwrap_err().to_string();
        assert!(!shown.contains('\u{202e}'), "{shown:?}");
    }

    #[test]
    fn ordinary_keys_pass_and_round_trip() {
        for text in ["MEMORY.md", "logs/2026/11/21.md", "é.md", "한글/メモ.md"] {
            let json = serde_json::to_string(&key(text)).unwrap();
            assert_eq!(
                serde_json::from_str::<EntryKey>(&json).unwrap().as_str(),
                text
            );
        }
        assert!(serde_json::from_str::<EntryKey>("\"../x\"").is_err());
    }

    #[test]
    fn a_set_refuses_twins_and_folders() {
        let mut set = KeySet::default();
        set.insert(&key("a/b.md")).unwrap();
        assert_eq!(set.insert(&key("a/b.md")), Ok(()));
        assert_eq!(set.insert(&key("A/B.md")), Err(Clash::Twin(key("a/b.md"))));
        assert_eq!(set.insert(&key("a")), Err(Clash::Folder));
        assert_eq!(set.insert(&key("A")), Err(Clash::Folder));
        assert_eq!(
            set.insert(&key("a/b.md/c")),
            Err(Clash::Below(key("a/b.md")))
        );
        set.insert(&key("a/c.md")).unwrap();
        set.remove(&key("a/b.md"));
        assert_eq!(set.insert(&key("a")), Err(Clash::Folder));
        set.remove(&key("a/c.md"));
        assert_eq!((set.insert(&key("a")), set.len()), (Ok(()), 1));
        set.insert(&key("É.md")).unwrap();
        assert!(matches!(set.insert(&key("é.md")), Err(Clash::Twin(_))));
    }
}
