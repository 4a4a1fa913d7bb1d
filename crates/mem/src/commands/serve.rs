//! `mem serve`: the memory of a team, over HTTP.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use mem_server::logging::{self, LogFormat};
use mem_server::storage::{DatabaseAddress, OpenOptions};
use mem_server::{
    BoundServer, Clock, ServeOptions, ServerAccess, ServerLimits, ServerPages, ServerSettings,
};
use serde_json::json;

use super::server::place::Where;
use super::server::prune::RetentionArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::usage::UsageError;

/// Serve the memory of a team over HTTP
///
/// Without configuration it listens on this machine alone and keeps everything in one file. Whoever
/// asks needs a token: `mem server token create` makes one. The first line on standard output says
/// where it listens. TLS is the business of a proxy in front; an example is in templates/team.
///
/// SIGTERM and SIGINT end it within ten seconds, with everything finished that it has begun; a second
/// one ends it at once.
///
/// Example: mem serve --listen 127.0.0.1:8787 --data-dir /var/lib/mem
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787")]
    listen: String,
    #[command(flatten)]
    place: Where,
    /// Settings of the server, a TOML file
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Answer every program of this machine without asking for a token; on a loopback address only
    #[arg(long)]
    insecure_no_auth: bool,
    /// How lines about requests look; they go to standard error, and --quiet silences them
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log: LogFormatArg,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    kept: RetentionArgs,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum LogFormatArg {
    /// One JSON object a line
    Json,
    /// For people
    Text,
}

/// How much, and for how long.
#[derive(clap::Args, Debug)]
struct LimitArgs {
    /// Requests a second that one token may make, with bursts of five times that; 0: any number
    #[arg(long, value_name = "N", default_value_t = 100)]
    rate_limit: u32,
    /// Connections at a time; one that is silent ends where another client comes
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = at_least_one)]
    connections: usize,
    /// Seconds for the head of a request, and for the next request on a connection
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = seconds_range())]
    head_timeout: u64,
    /// Seconds for the body of a request
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = seconds_range())]
    body_timeout: u64,
    /// Seconds for the whole of a request
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = seconds_range())]
    request_timeout: u64,
}

fn seconds_range() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=3600)
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("a number from 1 on is needed".to_owned()),
    }
}

impl LimitArgs {
    fn server_limits(&self) -> ServerLimits {
        ServerLimits {
            connections: self.connections,
            rate: NonZeroU32::new(self.rate_limit),
            head: Duration::from_secs(self.head_timeout),
            body: Duration::from_secs(self.body_timeout),
            request: Duration::from_secs(self.request_timeout),
            ..ServerLimits::default()
        }
    }
}

/// Serves until a signal.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let listen = parse_address(&args.listen)?;
    let place = args.place.database_address(context)?;
    let settings = match &args.settings {
        Some(path) => ServerSettings::read(&context.cwd.join(path))?,
        None => ServerSettings::default(),
    };
    let now = run_clock(context);
    if context.printer.is_talkative() || context.printer.json {
        let printer = context.printer.clone();
        let format = match args.log {
            LogFormatArg::Json => LogFormat::Json,
            LogFormatArg::Text => LogFormat::Text,
        };
        let lines = move |line: &str| printer.log_line(line);
        logging::install(format, Arc::new(lines), Arc::clone(&now));
    }
    let printer = context.printer.clone();
    let hint = place_hint(&place);
    mem_server::serve(ServeOptions {
        listen,
        storage: OpenOptions {
            master: mem_server::storage::MasterSource::for_run(context)?,
            quota: settings.quota.clone(),
            ..OpenOptions::for_run(context)
        },
        access: match args.insecure_no_auth {
            true => ServerAccess::Open,
            false => ServerAccess::Tokens,
        },
        limits: args.limits.server_limits(),
        retention: args.kept.version_retention(),
        settings,
        pages: pages(&now),
        now,
        on_listening: Box::new(move |listening| announce_address(&printer, listening, &hint)),
        place,
    })?;
    Ok(Exit::Ok)
}

/// The pages of `/console`, in a build with the console.
fn pages(now: &Clock) -> Option<ServerPages> {
    #[cfg(feature = "console")]
    {
        let now = Arc::clone(now);
        Some(Box::new(|api| mem_views::console::stores::routes(api, now)))
    }
    #[cfg(not(feature = "console"))]
    {
        let _ = now;
        None
    }
}

/// The clock of this run, read anew each time.
fn run_clock(context: &Context) -> Clock {
    let context = context.without_output();
    Arc::new(move || context.current_time().0)
}

fn announce_address(printer: &Printer, listening: &BoundServer, place: &str) {
    let url = format!("http://{}", listening.address);
    // Whoever started it may not read: it serves all the same.
    let _ = match printer.json {
        true => printer.print_json(&json!({ "listening": url })),
        false => printer.line(format_args!("listening on {url}")),
    };
    if listening.is_locked {
        printer.say(format_args!(
            "there is no token yet: `mem server token create{place} --grant team:OWNER/REPO:write` makes one"
        ));
    }
}

/// What other commands have to be told to find the same database.
pub(crate) fn place_hint(place: &DatabaseAddress) -> String {
    match place {
        DatabaseAddress::Directory(folder) => format!(" --data-dir {}", folder.display()),
        DatabaseAddress::Url(_) => String::new(),
    }
}

/// The address to listen on; names such as `localhost` are looked up.
fn parse_address(text: &str) -> Result<SocketAddr> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| {
        let hint = "write an address of this machine and a port, such as `127.0.0.1:8787`";
        let message = format!("`{text}` is not an address to listen on");
        UsageError::new(message, hint).into()
    })
}
