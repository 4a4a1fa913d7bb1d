//! Sharing a tier, told: `mem-team` shares it, and what a person sees of that is printed and asked here.
//!
//! - `report`: a run. `sync_progress`: that somebody is waited for. `consent`, `sending_choice`: setting it up.
//! - `inspection`: what a check finds of it. `remarks`: what commands that write say of it.

pub(crate) mod consent;
pub(crate) mod inspection;
pub(crate) mod remarks;
pub(crate) mod report;
pub(crate) mod sending_choice;
pub(crate) mod sync_progress;
