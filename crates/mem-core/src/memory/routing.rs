//! Which tier a memory goes to.

use crate::error::Diagnose;
use crate::{MemoryType, Scope};

/// The tier that was asked for is not for this type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(
    Refused,
    hint = "save it with `--scope private` or `--scope global`, or as `--type feedback`"
)]
#[error("a memory about a person never goes to the team tier")]
pub struct RoutingError;

/// The tier of a new memory: what was asked for, else the private one. Nobody's words reach the team
/// because of the type that they were given.
///
/// # Errors
/// A user memory for the team.
pub fn route(kind: MemoryType, requested: Option<Scope>) -> Result<Scope, RoutingError> {
    match (kind, requested) {
        (MemoryType::User, Some(Scope::Team)) => Err(RoutingError),
        (_, requested) => Ok(requested.unwrap_or(Scope::Private)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_no_tier_is_private() {
        for kind in MemoryType::ALL {
            assert_eq!(route(kind, None), Ok(Scope::Private));
            assert_eq!(route(kind, Some(Scope::Global)), Ok(Scope::Global));
        }
        assert_eq!(
            route(MemoryType::User, Some(Scope::Team)),
            Err(RoutingError)
        );
        assert_eq!(
            route(MemoryType::Feedback, Some(Scope::Team)),
            Ok(Scope::Team)
        );
    }
}
