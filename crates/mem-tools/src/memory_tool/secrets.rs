//! Secrets are kept out of everything that a model writes, not only of what the team sees.

use mem_core::history::{Author, AuthorKind};
use mem_core::store::{GatedFile, WriteGate as _};
use mem_core::{MemoryPath, Scope};
use mem_team::write_gates::SecretGate;

/// Says no to secrets that a file did not hold before.
#[derive(Debug)]
pub(super) struct Secrets(SecretGate);

impl Secrets {
    /// By the rules of a project, which its repository may allow exceptions from where it is trusted.
    pub(super) fn from_gate(gate: SecretGate) -> Self {
        Self(gate)
    }

    /// By the rules alone.
    pub(super) fn anywhere() -> Self {
        Self(SecretGate::without_project())
    }

    /// What speaks against new bytes, if anything; never the secret itself.
    pub(super) fn objection(&self, path: &str, new: &[u8], old: Option<&[u8]>) -> Option<String> {
        let name = path.strip_prefix("/memories/").unwrap_or(path);
        let path = MemoryPath::parse(name).or_else(|_| MemoryPath::parse("file"));
        let author = Author::from_actor(AuthorKind::Agent);
        let proposal = GatedFile {
            scope: Scope::Private,
            path: &path.ok()?,
            bytes: new,
            old,
            author: &author,
        };
        // In the private tier the gate only warns, and only of what is new.
        let found = self.0.check(&proposal).ok()?;
        found.first()?;
        let strict = GatedFile {
            scope: Scope::Team,
            ..proposal
        };
        let refusal = self.0.check(&strict).err()?;
        let hint = refusal.hint.map(|hint| format!(": {hint}"));
        Some(format!("{}{}", refusal.message, hint.unwrap_or_default()))
    }
}
