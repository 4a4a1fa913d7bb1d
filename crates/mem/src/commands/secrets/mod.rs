//! `mem secrets`: the rules, and what is allowed.

mod allow;
mod explain;
mod list;

crate::table::noun! {
    /// The rules that secrets are found by, and what is allowed
    struct Args;
    "Commands" {
        list => "List the rules",
        explain => "Say what a rule finds",
        allow => "Allow one finding for good, with a reason",
    }
}
