//! What a repository suggests: `.mem/team.toml`, which is shown and never obeyed before a person agrees.

use std::path::Path;

use mem_core::history::Sha256;
use mem_core::{MemoryPath, regular_file};
use toml_edit::{Document, Item, Value};

use super::address::Address;
use super::error::TeamError;
use super::settings::TeamShare;

/// From the top of a checkout.
const FILE: &str = ".mem/team.toml";
/// Such a file has two lines.
const BYTES_MAX: u64 = 16 * 1024;

/// A remote that the authors of a repository suggest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// `remote = "git:origin"`.
    pub remote: String,
    /// `repo = "owner/repo"`; empty where the remote's address says it.
    pub repo: String,
    /// Of the file: another content is another suggestion.
    pub sha256: Sha256,
}

/// The file by which a repository suggests to share as this person does.
pub fn suggestion_text(share: &TeamShare) -> String {
    let (remote, repo) = (share.address.to_string(), share.repository.name());
    format!(
        "remote = {}\nrepo = {}\n",
        Value::from(remote),
        Value::from(repo)
    )
}

impl Suggestion {
    /// What a checkout suggests; `None` where it suggests nothing.
    ///
    /// # Errors
    /// The file cannot be read, or is no such file.
    pub fn from_workdir(workdir: &Path) -> Result<Option<Self>, TeamError> {
        let wrong = |why: &str| TeamError::Suggestion(why.to_owned());
        let file = MemoryPath::parse(FILE).map_err(|_| wrong("has no name"))?;
        let bytes = match regular_file::read_below(workdir, &file, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => return Ok(None),
            Err(error) => return Err(TeamError::Suggestion(format!("cannot be read: {error}"))),
        };
        let sha256 = Sha256::digest(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| wrong("is not UTF-8"))?;
        let document = Document::parse(&text).map_err(|_| wrong("is not TOML"))?;
        let value = |name: &str| {
            document
                .get(name)
                .and_then(Item::as_str)
                .unwrap_or("")
                .to_owned()
        };
        let (remote, repo) = (value("remote"), value("repo"));
        // Nothing of what it says is quoted: it may hold a password.
        Address::parse_address(&remote)
            .map_err(|why| TeamError::Suggestion(format!("cannot be followed: {why}")))?;
        Ok(Some(Self {
            remote,
            repo,
            sha256,
        }))
    }
}
