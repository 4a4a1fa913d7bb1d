//! `mem team login`: keep a token for a server.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_team::address::{Address, ServerAddress};
use mem_team::{token_check, tokens};
use secrecy::SecretString;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// A token is one short line.
const INPUT_BYTES_MAX: u64 = 8 * 1024;

/// Keep a token for the server
///
/// Reads the token from the terminal, without showing it, or from standard input; never from the command
/// line, which other users of the machine can see. It is kept in a file of mem's state that only you
/// can read, and is sent to that server alone. The variable MEM_TOKEN goes before it. The server is asked
/// first: a token that it does not know is not stored, and neither is one that it cannot be asked about
/// (exit code 5), unless --no-check is given.
///
/// With --json: {"server","dry_run"}.
///
/// Example: pass show team-memory | mem team login
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The server's address; that of the settings if it is not given
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Keep it in the keyring of the operating system instead of a file
    #[cfg(feature = "keyring")]
    #[arg(long)]
    keyring: bool,
    /// Store the token without asking the server about it
    #[arg(long)]
    no_check: bool,
    /// Tell what would be done, and do nothing: no token is asked for
    #[arg(long)]
    dry_run: bool,
}

/// Asks for the token and keeps it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let server = server_address(args.server.as_deref(), &place)?;
    if args.dry_run {
        return would_keep(&server, context);
    }
    let token = tokens::sendable_token(&server, &ask_token(&server, context)?)?;
    let ungranted = match args.no_check {
        true => None,
        false => token_check::check_token(&server, &token, &place, context)?,
    };
    #[cfg(feature = "keyring")]
    let path = match args.keyring {
        true => tokens::keep_in_keyring(&server, context.dirs()?, &token)?,
        false => tokens::store_token(&server, context.dirs()?, &token)?,
    };
    #[cfg(not(feature = "keyring"))]
    let path = tokens::store_token(&server, context.dirs()?, &token)?;
    mem_daemon::ask::reload_daemon(context);
    let printer = &context.printer;
    let json = json!({ "server": server.origin, "dry_run": false });
    printer.print_answer(
        &json,
        format_args!("the token for {} is kept", server.origin),
    )?;
    printer.detail(format_args!("in `{}`", path.display()));
    if let Some(repository) = ungranted {
        printer.print_warning(format_args!(
            "the token may not read `{repository}`: whoever runs the server grants it `team:{repository}:write` \
             (`mem server token grant`)"
        ));
    }
    Ok(Exit::Ok)
}

/// What a token for this server would come to.
fn would_keep(server: &ServerAddress, context: &Context) -> Result<Exit> {
    tokens::refuse_listeners(server)?;
    let instead = match tokens::is_kept(server, context.dirs()?) {
        true => ", in the place of the one that is kept",
        false => "",
    };
    let json = json!({ "server": server.origin, "dry_run": true });
    let text = format_args!("would keep a token for {}{instead}", server.origin);
    context.print_answer(&json, text)
}

/// The server that was named, or that of the settings.
pub(crate) fn server_address(named: Option<&str>, place: &ProjectContext) -> Result<ServerAddress> {
    let text = match named {
        Some(text) => text,
        None => &place.config.values.team.remote,
    };
    match text {
        "" => {
            let hint = "give --server URL, or set sharing up first";
            Err(UsageError::new("it is not known which server is meant", hint).into())
        }
        text => match Address::parse_address(text)? {
            Address::Server(server) => Ok(server),
            Address::Git(_) => {
                let hint = "git asks its own credential helpers; give --server for a server";
                Err(UsageError::new("a git remote takes no token of mem's", hint).into())
            }
        },
    }
}

fn ask_token(server: &ServerAddress, context: &Context) -> Result<SecretString> {
    let stdin = io::stdin();
    let mut text = String::new();
    if stdin.is_terminal() {
        context.printer.write_stderr(&format_args!(
            "token for {} (it is not shown):",
            server.origin
        ));
        let _hidden = EchoOff::hide_input()?;
        stdin.lock().take(INPUT_BYTES_MAX).read_line(&mut text)?;
    } else {
        stdin
            .lock()
            .take(INPUT_BYTES_MAX)
            .read_to_string(&mut text)?;
    }
    Ok(SecretString::from(text))
}

/// A terminal that does not show what is typed, until this is dropped.
#[cfg(unix)]
struct EchoOff(rustix::termios::Termios);

#[cfg(unix)]
impl EchoOff {
    fn hide_input() -> io::Result<Self> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin())?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Now, &silent)?;
        Ok(Self(before))
    }
}

#[cfg(unix)]
impl Drop for EchoOff {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        // A terminal that went away needs no echo.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

#[cfg(not(unix))]
struct EchoOff;

#[cfg(not(unix))]
impl EchoOff {
    #[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
    fn hide_input() -> io::Result<Self> {
        Ok(Self)
    }
}
