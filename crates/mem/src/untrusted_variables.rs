//! A run without the variables that count as unset: not only this process is to do without them, but all that it
//! starts. It begins again, without them.

use std::ffi::OsString;
use std::io;
use std::process::Command;

use mem_core::Environment;
use mem_core::host_settings::UntrustedVariables;

use crate::commands::hook::is_of_host;

/// Looks around where this run begins and where it is sent.
pub(crate) fn untrusted_variables(
    env: &Environment,
    directories: &[OsString],
) -> UntrustedVariables {
    let args: Vec<_> = std::env::args_os().collect();
    let is_of_host = env.is_of_host() || is_of_host(&args) || is_mcp(&args);
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let cwd = std::env::current_dir().ok();
    UntrustedVariables::look_around(names, cwd, directories, is_of_host, env)
}

/// Begins again without them; returns only where that fails.
pub(crate) fn begin_again(withheld: &UntrustedVariables) -> io::Error {
    let mut command = match std::env::current_exe() {
        Ok(program) => Command::new(program),
        Err(error) => return error,
    };
    command.args(std::env::args_os().skip(1));
    for name in withheld.names() {
        command.env_remove(name);
    }
    replace_process(command)
}

/// An MCP server is started by a host, whose marks it need not have.
fn is_mcp(args: &[OsString]) -> bool {
    args.iter().skip(1).any(|word| word == "mcp")
}

#[cfg(unix)]
fn replace_process(mut command: Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(&mut command)
}

/// Elsewhere no process takes another's place: this one waits.
#[cfg(not(unix))]
fn replace_process(mut command: Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
