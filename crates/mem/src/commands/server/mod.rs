//! `mem server`: what an administrator of a server does.

pub(crate) mod backup;
pub(crate) mod place;
pub(crate) mod prune;
pub(crate) mod restore;
pub(crate) mod token;
pub(crate) mod webhook;
pub(crate) mod workspace;

crate::table::noun! {
    /// Manage a server
    ///
    /// These commands work on the data of a server on this machine, or on its database, whether it runs or
    /// not (all but restore). Name the same place as with `mem serve`.
    ///
    /// Example: mem server token create --name ci --grant team:acme/app:read
    struct Args;
    "Commands" {
        token => "Make, list and revoke tokens",
        workspace => "Make and list workspaces",
        webhook => "Make, list, test and delete webhooks",
        backup => "Copy a server's data while it runs",
        restore => "Put a backup in the place of a server's data",
        prune => "End the versions that are kept no longer",
    }
}
