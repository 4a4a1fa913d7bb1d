//! The gates that belong to the tiers themselves.

use crate::history::CitationSnapshot;
use crate::limits::TEAM_ENTRY_BYTES_MAX;
use crate::store::{GateRefusal, GatedFile, ProposedChange, WriteGate};
use crate::topic::TopicFile;
use crate::{MemoryType, Scope};

/// Keeps out of the team tier what does not belong there, whoever writes it.
#[derive(Clone, Copy, Debug)]
pub struct TierGate;

impl WriteGate for TierGate {
    fn check(&self, proposal: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        if proposal.scope != Scope::Team {
            return Ok(Vec::new());
        }
        if proposal.bytes.len() > TEAM_ENTRY_BYTES_MAX {
            return Err(GateRefusal {
                code: "team-entry-too-large",
                message: format!(
                    "`{}` is {} bytes, over the team tier's limit of {TEAM_ENTRY_BYTES_MAX}",
                    proposal.path,
                    proposal.bytes.len()
                ),
                hint: Some("split it, or keep it private".to_owned()),
            });
        }
        if TopicFile::parse(proposal.bytes).kind == Some(MemoryType::User) {
            return Err(GateRefusal {
                code: "user-in-team",
                message: format!(
                    "`{}` is about a person: not for the team tier",
                    proposal.path
                ),
                hint: Some(
                    "`mem save --type user` keeps it private, with `--scope global` for every repository"
                        .to_owned(),
                ),
            });
        }
        Ok(Vec::new())
    }
}

/// Several gates, asked in turn: all must agree.
pub struct Gates<'g>(pub Vec<&'g dyn WriteGate>);

impl WriteGate for Gates<'_> {
    fn check(&self, proposal: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        let mut warnings = Vec::new();
        for gate in &self.0 {
            warnings.extend(gate.check(proposal)?);
        }
        Ok(warnings)
    }

    fn consent(&self, change: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        self.0.iter().try_for_each(|gate| gate.consent(change))
    }

    fn cited(&self, proposal: &GatedFile<'_>) -> CitationSnapshot {
        let mut cited = self.0.iter().map(|gate| gate.cited(proposal));
        cited.find(|cited| !cited.is_empty()).unwrap_or_default()
    }
}
