//! The names that the files of a tier have as keys: in one form of Unicode, whatever the file system keeps.

use std::collections::BTreeMap;

use mem_core::MemoryPath;
use mem_core::history::Sha256;
use mem_core::store::Digests;
use mem_sync::EntryKey;

use super::StoreFiles;
use crate::outbound_scan::shown_name;

impl StoreFiles {
    /// Keeps the files of this tier, under the names that they have as keys.
    pub(super) fn name_digests(&mut self, mut digests: Digests) -> Vec<(String, Sha256)> {
        let files = std::mem::take(&mut digests.files);
        let mut listed: Vec<(String, Sha256)> = Vec::with_capacity(files.len());
        let mut odd = Vec::new();
        for (path, sha256) in files {
            match self.tier.file(&path).map(str::is_ascii) {
                Some(true) => {
                    // Thousands of names: cut where they stand, not copied.
                    let mut name = String::from(path);
                    name.drain(..self.tier.prefix().len());
                    listed.push((name, sha256));
                }
                Some(false) => odd.push((path, sha256)),
                None => {}
            }
        }
        if !odd.is_empty() {
            listed = self.spelled_too(listed, odd);
        }
        self.unread_of(&digests);
        listed
    }

    /// Adds the files whose names may be spelled in several ways.
    fn spelled_too(
        &mut self,
        plain: Vec<(String, Sha256)>,
        odd: Vec<(MemoryPath, Sha256)>,
    ) -> Vec<(String, Sha256)> {
        let mut listed: BTreeMap<String, Sha256> = plain.into_iter().collect();
        for (path, sha256) in odd {
            let file = path.as_str();
            let file = file.get(self.tier.prefix().len()..).unwrap_or(file);
            let name = EntryKey::spelled(file);
            if name == file {
                // The file that is spelled like the key is the key's.
                self.spelled.remove(&*name);
            } else if listed.contains_key(&*name) {
                self.set_twin(file);
                continue;
            } else {
                self.spelled.insert(name.to_string(), path.clone());
            }
            if listed.insert(name.into_owned(), sha256).is_some() {
                self.set_twin(file);
            }
        }
        listed.into_iter().collect()
    }

    /// Notes what cannot be shared as it is.
    fn unread_of(&mut self, digests: &Digests) {
        for path in &digests.unread {
            if let Some(file) = self.tier.file(path) {
                let why = "it cannot be read, or is too large for a memory";
                self.unread.insert(file.to_owned(), why.to_owned());
            }
        }
        for one in &digests.skipped {
            // The folder itself may be a link.
            if let Some(file) = self.tier.within_or_own(&one.path) {
                self.unread
                    .insert(shown_name(file), format!("it {}", one.why));
            }
        }
    }

    fn set_twin(&mut self, file: &str) {
        let why = "another file has the same name in another form of Unicode";
        self.unread.insert(file.to_owned(), why.to_owned());
    }
}
