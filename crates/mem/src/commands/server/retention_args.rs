//! How long versions are kept, as a command line says it.

use mem_server::storage::VersionRetention;

/// How long versions are kept.
#[derive(clap::Args, Debug)]
pub(crate) struct RetentionArgs {
    /// Days that every version of a memory is kept
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    keep_versions_days: u32,
    /// Versions of a live memory that are kept however old they are
    #[arg(long, value_name = "N", default_value_t = 20)]
    keep_versions: u32,
}

impl RetentionArgs {
    /// The same for the server.
    pub(crate) fn version_retention(&self) -> VersionRetention {
        VersionRetention {
            days: self.keep_versions_days,
            versions: self.keep_versions,
            ..VersionRetention::default()
        }
    }
}
