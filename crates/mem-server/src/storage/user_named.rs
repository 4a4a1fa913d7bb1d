//! Stores that say something of a user outside of their memories: in a name, a description or pairs of metadata. These
//! are nobody's in particular, so an erasure of the user leaves them, and says which they are.

use super::sql::Query;
use super::{Database, StorageError};

impl Database {
    /// The ids of the stores of a workspace whose name, description or metadata has this user's name as a word.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn stores_naming(
        &self,
        workspace: &str,
        user: &str,
    ) -> Result<Vec<String>, StorageError> {
        let sql = "SELECT id, name, description, metadata FROM memory_store WHERE workspace_id = $1 ORDER BY id";
        let mut naming = Vec::new();
        for row in self.0.engine.all(Query::new(sql).bind(workspace)).await? {
            let said: [String; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
            if said.iter().any(|text| has_word(text, user)) {
                naming.push(row.get(0)?);
            }
        }
        Ok(naming)
    }
}

/// Whether a text has a word, in whatever case, that is not a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let is_apart = |end: Option<char>| !end.is_some_and(char::is_alphanumeric);
    !word.is_empty()
        && text.match_indices(&word).any(|(at, found)| {
            is_apart(text[..at].chars().next_back())
                && is_apart(text[at + found.len()..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_as_a_word_in_any_case_and_not_within_another() {
        for text in [
            "Notes of Alice",
            "alice's",
            "{\"owner\":\"ALICE\"}",
            "é alice",
        ] {
            assert!(has_word(text, "alice"), "{text}");
        }
        for text in ["the malice of it", "alicetta", "", "ali ce"] {
            assert!(!has_word(text, "alice"), "{text}");
        }
        assert!(!has_word("anything", ""));
    }
}
