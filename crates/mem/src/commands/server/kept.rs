//! How long versions are kept, as a command line says it.

use mem_server::storage::Retention;

/// How long versions are kept.
#[derive(clap::Args, Debug)]
pub(crate) struct Kept {
    /// Days that every version of a memory is kept
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    keep_versions_days: u32,
    /// Versions of a live memory that are kept however old they are
    #[arg(long, value_name = "N", default_value_t = 20)]
    keep_versions: u32,
}

impl Kept {
    /// The same for the server.
    pub(crate) fn retention(&self) -> Retention {
        Retention {
            days: self.keep_versions_days,
            versions: self.keep_versions,
            ..Retention::default()
        }
    }
}
