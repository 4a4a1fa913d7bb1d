//! What a check finds of sharing, beside what it finds in each tier.

use mem_core::location::ProjectContext;
use mem_core::memory::Inspection;
use mem_team::findings::share_findings;
use mem_team::personal_sync;
use mem_team::share_status::ShareStatus;

use crate::context::Context;
use crate::error::ErrorShape;

/// Adds what is known without asking anybody to the findings of each tier. Where that cannot be told it is
/// a warning: the rest of the check stands.
pub(crate) fn add_findings(
    inspections: &mut [Inspection],
    place: &ProjectContext,
    context: &Context,
) {
    for shares in personal_sync::all_shares(place, context) {
        let shares = match shares {
            Ok(shares) => shares,
            Err(error) => {
                let why = ErrorShape::from_error(&error.into()).message;
                context.print_warning(format_args!("not shared: {why}"));
                continue;
            }
        };
        for share in &shares {
            let inspection = inspections.iter_mut().find(|one| one.scope == share.tier.0);
            let Some(inspection) = inspection else {
                continue;
            };
            match ShareStatus::for_share(share, place, context) {
                Ok(standing) => inspection.findings.extend(share_findings(share, &standing)),
                Err(error) => {
                    context.print_warning(ErrorShape::from_error(&error.into()).message);
                }
            }
        }
    }
}
