//! `mem server workspace`: what keeps the stores of some from the tokens of others.

mod create;
mod list;

crate::table::noun! {
    /// Make and list workspaces
    ///
    /// Every memory store and every token belongs to one workspace, and a token sees nothing of another.
    /// The one called `default` is always there; the memory of repositories is in it.
    struct Args;
    "Commands" {
        create => "Make a workspace",
        list => "List the workspaces",
    }
}
