//! The contents of a first look, as they come: those that will be new files are foreseen at once.

use std::sync::Arc;

use mem_core::history::Sha256;

use super::{Local, Texts};
use crate::files::Files;
use crate::key::Key;
use crate::remote::Arrivals;

/// Takes contents for a round that found these files.
pub(super) struct Arriving<'c, F> {
    files: &'c mut F,
    local: &'c Local,
    /// What came.
    pub(super) texts: Texts,
}

impl<'c, F: Files> Arriving<'c, F> {
    pub(super) fn new(files: &'c mut F, local: &'c Local) -> Self {
        let texts = Texts::new();
        Self {
            files,
            local,
            texts,
        }
    }
}

impl<F: Files> Arrivals for Arriving<'_, F> {
    fn begin(&mut self) {
        self.texts.clear();
    }

    fn arrived(&mut self, name: &str, sha256: Sha256, content: String) {
        // A name that is no key is rejected with the answer.
        let Ok(key) = Key::parse(name) else {
            return;
        };
        let bytes = Arc::new(content.into_bytes());
        let local = self.local;
        let stands = local.binary_search_by(|(file, _)| file.as_str().cmp(key.as_str()));
        if stands.is_err() {
            self.files.foresee(&key, sha256, &bytes);
        }
        self.texts.insert(key, bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::files::{FileChange, FilesError};

    /// What was foreseen.
    #[derive(Default)]
    struct Foreseen(Vec<String>);

    impl Files for Foreseen {
        fn list(&mut self) -> Result<Vec<(String, Sha256)>, FilesError> {
            Ok(Vec::new())
        }

        fn read(&mut self, _: &Key) -> Result<Option<Vec<u8>>, FilesError> {
            Ok(None)
        }

        fn earlier(&mut self, _: &Key, _: Sha256) -> Option<Vec<u8>> {
            None
        }

        fn foresee(&mut self, key: &Key, _: Sha256, _: &Arc<Vec<u8>>) {
            self.0.push(key.to_string());
        }

        fn apply(&mut self, _: &[FileChange]) -> Result<BTreeSet<Key>, FilesError> {
            Ok(BTreeSet::new())
        }
    }

    #[test]
    fn only_what_will_be_a_new_file_is_foreseen_and_another_answer_begins_anew() {
        let text = "text".to_owned();
        let sha256 = Sha256::of(text.as_bytes());
        let local = [("b.md".to_owned(), sha256), ("d.md".to_owned(), sha256)];
        let mut files = Foreseen::default();
        let mut arriving = Arriving::new(&mut files, &local);
        arriving.begin();
        arriving.arrived("e.md", sha256, text.clone());
        arriving.begin();
        for name in ["a.md", "b.md", "../c.md", "d.md"] {
            arriving.arrived(name, sha256, text.clone());
        }
        let names: Vec<&str> = arriving.texts.keys().map(Key::as_str).collect();
        assert_eq!(names, ["a.md", "b.md", "d.md"]);
        assert_eq!(files.0, ["e.md", "a.md"]);
    }
}
