//! Everything that an answer can rest on.

use super::working::Working;
use crate::checkout::{Checkout, Listing};
use crate::history::{Past, Wanted};

/// The state of the repository, now and before.
pub(crate) struct Context<'a> {
    pub(crate) checkout: &'a Checkout,
    pub(crate) listing: &'a Listing,
    pub(crate) working: &'a Working<'a>,
    pub(crate) wanted: &'a Wanted,
    pub(crate) past: &'a Past,
}
