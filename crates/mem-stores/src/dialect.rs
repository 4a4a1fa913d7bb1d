//! The two dialects of the contract. The header `anthropic-beta` tells which one a request speaks.

use mem_core::Diagnose;

/// Where a request says which features it is about.
pub const BETA_HEADER: &str = "anthropic-beta";
/// Names the current contract.
pub const CURRENT_BETA: &str = "agent-memory-2026-07-22";
/// Names the research preview, and sessions of any time.
pub const PREVIEW_BETA: &str = "managed-agents-2026-04-01";
/// Where a request names the workspace it is meant for.
pub const WORKSPACE_HEADER: &str = "anthropic-workspace-id";
/// Where a request says which version of the whole API it speaks.
pub const VERSION_HEADER: &str = "anthropic-version";
/// Where an answer says whether the same request may be sent again: `true` or `false`.
pub const SHOULD_RETRY_HEADER: &str = "x-should-retry";
/// Where an answer names its request.
pub const REQUEST_ID_HEADER: &str = "request-id";
/// Where the first generation of clients has its key.
pub const API_KEY_HEADER: &str = "x-api-key";

/// How a request is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ApiVersion {
    /// The contract as it is now, also where no beta is named.
    #[default]
    Current,
    /// The research preview: writes by path, `PATCH`, flat bounds of time, raw prefixes, and types of
    /// errors without `_error`.
    Preview,
}

/// A request names both dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(Invalid)]
#[error("`anthropic-beta` names both {CURRENT_BETA} and {PREVIEW_BETA}: name one of them")]
pub struct BothDialects;

impl ApiVersion {
    /// Reads the values of the header, each a list. Other betas are passed over.
    ///
    /// # Errors
    /// [`BothDialects`].
    pub fn of_betas<'h>(values: impl IntoIterator<Item = &'h str>) -> Result<Self, BothDialects> {
        let (mut current, mut preview) = (false, false);
        for value in values {
            for beta in value.split(',').map(str::trim) {
                current |= beta == CURRENT_BETA;
                preview |= beta == PREVIEW_BETA;
            }
        }
        match (current, preview) {
            (true, true) => Err(BothDialects),
            (false, true) => Ok(Self::Preview),
            _ => Ok(Self::Current),
        }
    }

    /// What a request says to be taken for this.
    pub fn beta(self) -> &'static str {
        match self {
            Self::Current => CURRENT_BETA,
            Self::Preview => PREVIEW_BETA,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_tells_the_dialect() {
        let of = |values: &[&str]| ApiVersion::of_betas(values.iter().copied());
        assert_eq!(of(&[]), Ok(ApiVersion::Current));
        assert_eq!(of(&["files-api-2025-04-14"]), Ok(ApiVersion::Current));
        assert_eq!(of(&["x, agent-memory-2026-07-22"]), Ok(ApiVersion::Current));
        assert_eq!(
            of(&["x,managed-agents-2026-04-01"]),
            Ok(ApiVersion::Preview)
        );
        assert_eq!(
            of(&["agent-memory-2026-07-22", "managed-agents-2026-04-01"]),
            Err(BothDialects)
        );
        for dialect in [ApiVersion::Current, ApiVersion::Preview] {
            assert_eq!(of(&[dialect.beta()]), Ok(dialect));
        }
    }
}
