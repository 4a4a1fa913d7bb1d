//! Opening the remote of a share.

use anyhow::Result;
use mem_core::location::Place;
use mem_sync::remote::Remote;

use super::settings::Share;
use crate::context::Context;

pub(crate) fn open(share: &Share, place: &Place, context: &Context) -> Result<Box<dyn Remote>> {
    let _ = (share, place, context);
    anyhow::bail!("not yet")
}

pub(crate) fn refuse_public(share: &Share, place: &Place, context: &Context) -> Result<()> {
    let _ = (share, place, context);
    Ok(())
}
