//! What may come in: the rules of the tier and the secret scanner, asked about each content.

use std::sync::Arc;

use mem_core::history::{Author, AuthorKind};
use mem_core::memory::{ScopeDir, TierGate};
use mem_core::store::{GatedFile, WriteGate};
use mem_core::{MemoryPath, Scope};

use super::MemoryGate;

/// The gates of a tier, for what comes from elsewhere.
#[derive(Debug)]
pub(super) struct IncomingGates {
    pub(super) tier: ScopeDir,
    pub(super) gate: Arc<dyn MemoryGate>,
}

impl IncomingGates {
    /// Who wrote what comes: colleagues, or this person elsewhere.
    pub(super) fn actor(&self) -> AuthorKind {
        match self.tier.0 {
            Scope::Team => AuthorKind::Team,
            Scope::Private | Scope::Global => AuthorKind::Import,
        }
    }

    /// Why a content may not come in; of a new file the name is looked at too.
    pub(super) fn unfit_reason(
        &self,
        path: &MemoryPath,
        bytes: &[u8],
        is_new: bool,
    ) -> Option<String> {
        let author = Author::from_actor(self.actor());
        let proposal = GatedFile {
            scope: self.tier.0,
            path,
            bytes,
            old: (!is_new).then_some(&b""[..]),
            author: &author,
        };
        let refused = TierGate
            .check(&proposal)
            .and_then(|_| self.gate.check(&proposal));
        refused.err().map(|why| why.message)
    }
}
