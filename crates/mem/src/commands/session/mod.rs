//! `mem session`: the notes that keep the thread of a session.

pub(crate) mod background;
pub(crate) mod compact;
pub(crate) mod due;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod path;
pub(crate) mod prompt;
pub(crate) mod prompts;
pub(crate) mod prune;
pub(crate) mod session_args;
pub(crate) mod show;
pub(crate) mod update;
pub(crate) mod wrote_memory;

pub(crate) use session_args::SessionArgs;

crate::table::noun! {
    /// Keep notes of a session
    ///
    /// One file of notes for each session of an agent, gathered from its transcript: what it is about,
    /// how the work stands, files, commands, errors and corrections. After a compaction of the context
    /// they tell how to go on. Works without a model; with `model.command` or `model.api` set, that rewrites them.
    struct Args;
    "Commands" {
        show => "Print the notes",
        update => "Bring the notes up to date",
        due => "Say whether it is time for an update",
        compact => "Print the notes for a compacted context",
        list => "List sessions with notes",
        path => "Print where the notes are",
        init => "Make the file of the notes",
        prompt => "Print what a model is asked to rewrite the notes",
        prompts => "List your last prompts, with what each would be given",
        prune => "Remove notes of old sessions",
        wrote_memory as "wrote-memory" => "Say whether the agent itself wrote memory",
    }
}
