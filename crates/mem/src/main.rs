//! `mem`: the memory of coding agents. Everything a person or a host program sees.

#![cfg_attr(all(target_os = "linux", target_env = "gnu", not(test)), no_main)]

mod age;
mod audience;
mod body;
mod changes;
mod cli;
mod commands;
mod confirm;
mod context;
mod dirs;
mod editor;
#[cfg(all(target_os = "linux", target_env = "gnu", not(test)))]
mod entry;
mod error;
mod exit;
mod field_edits;
mod findings;
mod freshness;
mod globals;
mod help;
mod import_report;
mod math;
mod new_memory;
mod note_json;
mod panic;
mod person;
mod printer;
mod progress;
mod question;
mod reason;
mod recalled_json;
mod recalled_text;
mod removal;
mod sanitize;
mod scan;
mod select;
mod stores;
mod style;
mod table;
mod team;
mod transcripts;
mod unified;
mod untrusted_variables;
mod usage;
mod user_errors;
mod word_parser;

#[cfg(any(not(all(target_os = "linux", target_env = "gnu")), test))]
fn main() -> std::process::ExitCode {
    run().into()
}

/// Runs the command that the arguments name.
fn run() -> exit::Exit {
    panic::install_hook();
    let args: Vec<_> = std::env::args_os().collect();
    let exit = panic::contain_panic(|| cli::run(&args));
    match commands::hook::is_of_host(&args) {
        // A host takes other codes for a word of ours on what it is about to do.
        true => exit::Exit::Ok,
        false => exit,
    }
}
