//! One subcommand, one file; a noun with verbs of its own is a file too, and a folder where that would be long.
//!
//! To add one: its file, its `mod` line and its line in the table.

/// Declares a noun whose verbs stand in its file, as [`crate::table::noun!`] or [`crate::table::commands!`] do:
/// `show(ShowArgs)` is the verb `show`, which the function of that name carries out. A verb alone is a module of its
/// own.
macro_rules! verbs {
    ($(#[$($about:tt)+])+ struct Args; $($table:tt)+) => {
        $crate::commands::verbs! { noun [$(#[$($about)+])+ struct Args;] $($table)+ }
    };
    ($level:ident [$($args:tt)*] $($heading:literal {
        $($verb:ident $(($of:ident))? $(as $name:literal)? $(or $alias:literal)? => $about:literal,)+
    })+) => {
        $($($(mod $verb {
            pub(super) use super::$of as Args;

            pub(super) fn run(
                args: &Args,
                context: &$crate::context::Context,
            ) -> anyhow::Result<$crate::exit::Exit> {
                super::$verb(args, context)
            }
        })?)+)+

        $crate::table::$level! {
            $($args)*
            $($heading { $($verb $(as $name)? $(or $alias)? => $about,)+ })+
        }
    };
    ($($table:tt)+) => {
        $crate::commands::verbs! { commands [] $($table)+ }
    };
}
pub(crate) use verbs;

pub(crate) mod adopt;
pub(crate) mod attach;
pub(crate) mod attachments;
pub(crate) mod audit;
#[cfg(feature = "browse")]
pub(crate) mod browse;
pub(crate) mod check;
pub(crate) mod client;
pub(crate) mod completions;
pub(crate) mod config;
#[cfg(feature = "console")]
pub(crate) mod console;
pub(crate) mod cost;
pub(crate) mod daemon;
pub(crate) mod detach;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod dream;
pub(crate) mod edit;
pub(crate) mod encrypt;
pub(crate) mod erase;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod gc;
pub(crate) mod help;
pub(crate) mod history;
pub(crate) mod hook;
pub(crate) mod import;
pub(crate) mod inbox;
pub(crate) mod index;
pub(crate) mod init;
pub(crate) mod install;
pub(crate) mod kinds;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod log_audit;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod man;
pub(crate) mod manifest;
pub(crate) mod mcp;
pub(crate) mod model;
pub(crate) mod path;
pub(crate) mod preview;
pub(crate) mod prompt;
pub(crate) mod prune;
pub(crate) mod purge;
pub(crate) mod recall;
pub(crate) mod record;
pub(crate) mod redact;
pub(crate) mod remove;
pub(crate) mod rename;
pub(crate) mod restore;
pub(crate) mod save;
pub(crate) mod scan;
pub(crate) mod search;
pub(crate) mod secrets;
#[cfg(feature = "server")]
pub(crate) mod serve;
#[cfg(feature = "server")]
pub(crate) mod server;
pub(crate) mod session;
pub(crate) mod show;
pub(crate) mod similar;
pub(crate) mod status;
pub(crate) mod store;
pub(crate) mod sync;
pub(crate) mod team;
pub(crate) mod tool;
pub(crate) mod tour;
pub(crate) mod trust;
pub(crate) mod undo;
pub(crate) mod uninstall;
pub(crate) mod verify;
pub(crate) mod warm;

crate::table::groups! {
    "Write" {
        init => "Set memory up for this repository",
        save => "Save a memory",
        edit => "Edit a memory in your editor",
        rename => "Rename a memory",
        remove => "Remove a memory",
        undo => "Take changes back",
        restore => "Bring a note, or an older version of it, back",
        inbox => "Decide on what agents want to write",
    }
    "Find" {
        status => "Show how the memory of this repository is",
        #[cfg(feature = "browse")]
        browse => "Browse memories in the terminal",
        list => "List memories",
        show => "Show a memory",
        search => "Search the memories",
        recall => "Recall the few memories that help with a prompt",
        preview => "Show what an agent would be given for a prompt",
        history => "List what happened, newest first",
        diff => "Show what changed",
        #[cfg(feature = "console")]
        console => "See and change memories in the web browser",
    }
    "Share" {
        team => "Share the team tier with everybody who works on this repository",
        sync => "Keep your own notes in step between your own machines",
        store => "Work with stores of versioned memories, at any server",
        import => "Take in memories from elsewhere",
        export => "Copy all memories into a directory, or print them as JSON",
    }
    "Agents" {
        install => "Make a host use mem: hooks, MCP server",
        uninstall => "Take out what mem installed",
        dream => "Distil logs, session notes and the inbox into memories",
        cost => "Show what memory costs in tokens",
    }
    "Care" {
        verify => "Check memories against the code they speak of",
        check => "Check the memories of this repository",
        audit => "Audit every project of this machine",
        prune => "Take out what counts least",
        scan => "Find secrets in files, commits and memories",
        redact => "Remove content from the files and every version, for good",
        erase => "Erase memories everywhere, and prove it",
        encrypt => "Encrypt what a server, or this machine, keeps of memories",
        daemon => "Look after the memory in the background",
        doctor => "Check the environment and the state of mem",
        config => "Read and change settings",
    }
    "Server" {
        #[cfg(feature = "server")]
        serve => "Serve the memory of a team over HTTP",
        #[cfg(feature = "server")]
        server => "Manage a server: tokens, backups",
    }
    "More" {
        adopt => "Take over memories that were kept elsewhere",
        attach => "Give the agents of this repository a store",
        attachments => "List the attached stores, and how their copies are",
        client => "Print an adapter of the memory tool for an SDK",
        completions => "Print a completion script for a shell",
        detach => "Take a store away again",
        extract => "Keep what a session suggests to remember",
        gc => "Pack the history, and drop what is not kept",
        help => "Explain a command",
        hook => "Scan before git pushes or commits, answer a host's events",
        index => "Show, check and mend MEMORY.md",
        log => "Append to the daily log, or show it",
        log_audit as "log-audit" => "Tell what was deleted, by whom and why",
        login => "Sign in to a server with its identity provider",
        logout => "Sign out of a server",
        man => "Write the manual pages into a directory",
        manifest => "Print one line a memory, for a model that chooses",
        mcp => "Serve the memories to a client of the Model Context Protocol",
        model => "Install a larger encoder for recall, or show which is used",
        path => "Print where memory lives",
        prompt => "Print what a model is to be told about memory",
        purge => "Erase memories with their history",
        record => "Store, retrieve and delete structured memories",
        secrets => "List and explain the rules, allow a finding",
        session => "Keep notes of a session",
        similar => "List the memories that are most like one",
        tool => "Serve the memory tool to a model",
        tour => "See what mem does, for real, in a throw-away home",
        trust => "Let this repository say where its memory is kept",
        kinds as "types" => "Say what each type of memory is for",
        warm => "Bring the index of recall up to date",
    }
}

/// The heading of the commands that `mem help --all` lists: for programs, and for what is seldom wanted.
pub(crate) const MORE: &str = "More";

/// Words that people try, and the commands that they mean.
pub(crate) const SYNONYMS: [(&str, &str); 10] = [
    ("add", "save"),
    ("cat", "show"),
    ("delete", "remove"),
    ("find", "search"),
    ("get", "show"),
    ("grep", "search"),
    ("ls", "list"),
    ("mv", "rename"),
    ("new", "save"),
    ("rm", "remove"),
];
