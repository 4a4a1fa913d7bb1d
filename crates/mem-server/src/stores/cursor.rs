//! The names of pages: where a list goes on, signed, so that only what a server handed out counts, and
//! only for the list that it was handed out for.

use hmac::{Hmac, KeyInit as _, Mac as _};
use mem_stores::limits::CURSOR_BYTES_MAX;
use sha2::Sha256;
use tokio::sync::OnceCell;

use crate::http::problem::HttpProblem;
use crate::storage::Database;

/// How every name begins.
const PREFIX: &str = "page_";
/// Of the signature that goes into a name.
const TAG_BYTES: usize = 16;

/// What makes and reads the names of pages. The key is the database's, so every replica reads those of
/// all others.
#[derive(Default)]
pub(crate) struct Cursors(OnceCell<Hmac<Sha256>>);

/// A list's pages.
pub(super) struct ListPages {
    key: Hmac<Sha256>,
    /// Everything that makes the list the list that it is: its kind, its store, how it is narrowed.
    list: Vec<String>,
}

impl Cursors {
    /// The pages of a list.
    pub(super) async fn of(
        &self,
        database: &Database,
        list: Vec<String>,
    ) -> Result<ListPages, HttpProblem> {
        let key = self.0.get_or_try_init(async || {
            let secret = database.signing_key().await?;
            Hmac::new_from_slice(&secret).map_err(|_| HttpProblem::internal())
        });
        let key = key.await?.clone();
        Ok(ListPages { key, list })
    }
}

impl ListPages {
    /// The name of the page after a position.
    pub(super) fn name(&self, position: &str) -> String {
        let tag = self.signature(position).finalize().into_bytes();
        let bytes = [&tag[..TAG_BYTES], position.as_bytes()].concat();
        crate::hex::of(PREFIX, &bytes)
    }

    /// The position that a name stands for.
    ///
    /// # Errors
    /// 400: it is not the name of a page of this list.
    pub(super) fn position(&self, name: &str) -> Result<String, HttpProblem> {
        self.read(name)
            .ok_or_else(|| HttpProblem::invalid("`page` is not one that this list handed out"))
    }

    fn read(&self, name: &str) -> Option<String> {
        let digits = name.strip_prefix(PREFIX)?;
        if name.len() > CURSOR_BYTES_MAX {
            return None;
        }
        let bytes = crate::hex::read(digits)?;
        let (tag, position) = bytes.split_at_checked(TAG_BYTES)?;
        let position = std::str::from_utf8(position).ok()?;
        let signature = self.signature(position);
        signature.verify_truncated_left(tag).ok()?;
        Some(position.to_owned())
    }

    fn signature(&self, position: &str) -> Hmac<Sha256> {
        let mut signature = self.key.clone();
        let parts = self.list.iter().map(String::as_str);
        for part in parts.chain([position]) {
            // Lengths in between, so that no two lists sign the same bytes.
            signature.update(&(part.len() as u64).to_be_bytes());
            signature.update(part.as_bytes());
        }
        signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(secret: u8, list: &[&str]) -> ListPages {
        let key = Hmac::new_from_slice(&[secret; 32]).unwrap();
        ListPages {
            key,
            list: list.iter().map(|part| (*part).to_owned()).collect(),
        }
    }

    #[test]
    fn a_name_counts_for_its_list_and_with_its_key_only() {
        let list = pages(1, &["memories", "memstore_a", "/x/"]);
        let name = list.name("/x/é.md");
        assert_eq!(list.position(&name).unwrap(), "/x/é.md");
        assert_eq!(
            pages(1, &["memories", "memstore_a", "/x/"])
                .position(&name)
                .unwrap(),
            "/x/é.md"
        );
        for other in [
            pages(2, &["memories", "memstore_a", "/x/"]),
            pages(1, &["memories", "memstore_b", "/x/"]),
            pages(1, &["memories", "memstore_a/x/", ""]),
            pages(1, &["memories", "memstore_a"]),
        ] {
            assert!(other.position(&name).is_err());
        }
    }

    #[test]
    fn a_name_that_was_changed_or_made_up_is_none() {
        let list = pages(1, &["stores"]);
        let name = list.name("7:memstore_a");
        for at in PREFIX.len()..name.len() {
            let mut other = name.clone().into_bytes();
            other[at] = if other[at] == b'0' { b'1' } else { b'0' };
            let other = String::from_utf8(other).unwrap();
            assert!(list.position(&other).is_err(), "{at}");
        }
        for other in [
            "",
            "page_",
            "page_é0",
            &name[1..],
            &name[..name.len() - 2],
            &format!("{name}00"),
            &name.to_uppercase(),
            &format!("page_{}", "0".repeat(10_000)),
        ] {
            assert!(list.position(other).is_err(), "{other:.40}");
        }
    }
}
