//! Which tier a memory goes to.

use crate::error::{Diagnose, ErrorKind};
use crate::{MemoryType, Scope};

/// The tier that was asked for is not for this type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a memory about a person never goes to the team tier")]
pub struct RoutingError;

impl Diagnose for RoutingError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refused
    }

    fn hint(&self) -> Option<String> {
        Some("save it with `--scope private` or `--scope global`, or as `--type feedback`".into())
    }
}

/// The tier of a new memory: what was asked for, else what its type suggests. User and feedback
/// memories stay private; project and reference go to the team where there is one.
///
/// # Errors
/// A user memory for the team.
pub fn route(
    kind: MemoryType,
    requested: Option<Scope>,
    has_team: bool,
) -> Result<Scope, RoutingError> {
    match (kind, requested) {
        (MemoryType::User, Some(Scope::Team)) => Err(RoutingError),
        (_, Some(scope)) => Ok(scope),
        (MemoryType::Project | MemoryType::Reference, None) if has_team => Ok(Scope::Team),
        (_, None) => Ok(Scope::Private),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_choose_their_tier() {
        use MemoryType::{Feedback, Project, Reference, User};
        for (kind, with_team) in [
            (User, Scope::Private),
            (Feedback, Scope::Private),
            (Project, Scope::Team),
            (Reference, Scope::Team),
        ] {
            assert_eq!(route(kind, None, true), Ok(with_team));
            assert_eq!(route(kind, None, false), Ok(Scope::Private));
            assert_eq!(route(kind, Some(Scope::Global), true), Ok(Scope::Global));
        }
        assert_eq!(route(User, Some(Scope::Team), true), Err(RoutingError));
        assert_eq!(route(Feedback, Some(Scope::Team), true), Ok(Scope::Team));
    }
}
