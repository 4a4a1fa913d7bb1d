//! `mem`: the memory of coding agents. Everything a person or a host program sees.

mod cli;
mod commands;
#[expect(dead_code, reason = "commands that need all of it come next")]
mod context;
mod dirs;
mod error;
mod exit;
mod globals;
mod help;
mod opened;
mod panic;
#[expect(dead_code, reason = "commands that need all of it come next")]
mod printer;
mod sanitize;
mod style;
mod table;
mod usage;

fn main() -> std::process::ExitCode {
    panic::install();
    panic::contain(|| cli::run(&std::env::args_os().collect::<Vec<_>>())).into()
}
