//! `mem daemon`: what looks after a repository's memory in the background.

use anyhow::Result;
use mem_core::plural::format_count;
use mem_core::regular_file;
use mem_daemon::daemon_view::DaemonView;
use mem_daemon::instance::{self, DaemonInstance};
use mem_daemon::start::{DaemonStart, start_daemon};
use mem_daemon::stop::{DaemonStop, stop_daemon};
use mem_daemon::system::leave_session;
use mem_daemon::{ask, log, unit};
use mem_jobs::DaemonJob;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::{clean, one_line};

crate::commands::verbs! {
    "Commands" {
        status(StatusArgs) => "Say whether a daemon runs here, and how it is",
        start(StartArgs) => "Start the daemon of this repository",
        stop(StopArgs) => "End the daemon of this repository",
        restart(RestartArgs) => "End it, then start it again",
        logs(LogsArgs) => "Show what it says",
        foreground(RunArgs) as "run" => "Be the daemon, in the foreground",
        install(InstallArgs) => "Let the system start it when you log in",
        uninstall(UninstallArgs) => "Take the service out again",
    }
}

/// Look after this repository's memory in the background
///
/// A daemon notices what is written, keeps history and indexes in step, and shares team memory two quiet
/// seconds after the last write. Everything works without one. It starts by itself where team memory is
/// shared, all worktrees of a repository share it, and it ends after 30 minutes without use
/// (`daemon.autostart`, `daemon.idle_minutes`). Without a command this tells how it is.
///
/// Example: mem daemon start
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => status(&StatusArgs { all: false }, context),
    }
}

const BYTES_PER_MB: f64 = 1e6;

/// One line for people.
pub(crate) fn daemon_line(look: &DaemonView, context: &Context) -> String {
    let Some(pid) = look.pid else {
        return "no daemon runs".to_owned();
    };
    let size = ask::pss_bytes(pid).map_or_else(String::new, |bytes| {
        format!(", {:.1} MB", bytes as f64 / BYTES_PER_MB)
    });
    let Some(status) = look.seen.as_ref().and_then(|seen| seen.status.as_ref()) else {
        return format!("process {pid}{size}: it does not answer");
    };
    let since = time_of_day(&status.started_at, context);
    let synced = status.last_sync.as_ref().map_or_else(String::new, |at| {
        format!(
            ", in step with the remote since {}",
            time_of_day(at, context)
        )
    });
    let pending = if status.pending {
        ", something waits to be sent"
    } else {
        ""
    };
    let trouble = look
        .trouble_text()
        .map_or_else(String::new, |trouble| format!(": {}", one_line(trouble)));
    format!(
        "{} since {since} (process {pid}{size}){synced}{pending}{trouble}",
        one_line(&status.state)
    )
}

/// A time as people say it: today without its day.
fn time_of_day(text: &str, context: &Context) -> String {
    let Ok(time) = text.parse::<jiff::Timestamp>() else {
        return one_line(text);
    };
    let zone = jiff::tz::TimeZone::system();
    let (time, now) = (
        time.to_zoned(zone.clone()),
        context.current_time().0.to_zoned(zone),
    );
    let form = match time.date() == now.date() {
        true => "%H:%M",
        false => "%Y-%m-%d %H:%M",
    };
    time.strftime(form).to_string()
}

/// Say whether a daemon runs here, and how it is
///
/// With --json: {"running","pid","protocol","state","started_at","last_sync","pending","pss_bytes",
/// "version","root","trouble"}; with --all a list of these, of those that run. `state` is watching,
/// polling, busy, blocked or stopping; null where none runs.
///
/// Example: mem daemon status --all
#[derive(clap::Args, Debug)]
struct StatusArgs {
    /// The daemons of all repositories of this user
    #[arg(long)]
    all: bool,
}

/// Prints it.
fn status(args: &StatusArgs, context: &Context) -> Result<Exit> {
    let printer = &context.printer;
    if !args.all {
        let daemon = DaemonInstance::for_memory(&context.place()?, context)?;
        let look = DaemonView::of_place(&daemon.place);
        match printer.json {
            true => printer.print_json(&look.to_json())?,
            false => printer.line(daemon_line(&look, context))?,
        }
        return Ok(Exit::Ok);
    }
    let all = instance::all_daemons(context)?.into_iter();
    let looks: Vec<_> = all
        .map(|found| (found.root, DaemonView::of_place(&found.place)))
        .filter(|(_, look)| look.pid.is_some())
        .collect();
    if printer.json {
        let shapes: Vec<Value> = looks.iter().map(|(_, look)| look.to_json()).collect();
        printer.print_json(&shapes)?;
    } else if looks.is_empty() {
        printer.say("no daemon runs");
    } else {
        for (root, look) in &looks {
            printer.line(format_args!(
                "{}\n  {}",
                one_line(root),
                daemon_line(look, context)
            ))?;
        }
    }
    Ok(Exit::Ok)
}

/// Start the daemon of this repository
///
/// Returns when its socket answers and its watches are set. Where one runs already, nothing happens; one
/// of another version is replaced unless it has something under way.
///
/// With --json: as `mem daemon status` has it.
///
/// Example: mem daemon start
#[derive(clap::Args, Debug)]
struct StartArgs {}

/// Starts it.
fn start(_: &StartArgs, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let house = DaemonInstance::for_memory(&place, context)?;
    let started = start_daemon(&house, context)?;
    if context.printer.json {
        context.print_json(&DaemonView::of_place(&house.place).to_json())?;
        return Ok(Exit::Ok);
    }
    context.say(match started {
        DaemonStart::Now => "a daemon looks after this repository's memory",
        DaemonStart::Before => "a daemon looks after this repository's memory already",
    });
    Ok(Exit::Ok)
}

/// End the daemon of this repository
///
/// What waits to be sent is sent first, for up to five seconds. A daemon that does not answer is killed after three
/// seconds. Returns when the process is gone.
///
/// With --json: {"stopped":N}.
///
/// Example: mem daemon stop --all
#[derive(clap::Args, Debug)]
struct StopArgs {
    /// The daemons of all repositories of this user
    #[arg(long)]
    all: bool,
}

/// Ends one, or all.
fn stop(args: &StopArgs, context: &Context) -> Result<Exit> {
    let places = match args.all {
        true => instance::all_daemons(context)?
            .into_iter()
            .map(|found| found.place)
            .collect(),
        false => vec![DaemonInstance::for_memory(&context.place()?, context)?.place],
    };
    let (mut stopped, mut failure) = (0, None);
    for place in places {
        match stop_daemon(&place) {
            Ok(DaemonStop::Ended) => stopped += 1,
            Ok(DaemonStop::Absent) => {}
            // The others end all the same.
            Err(error) => failure = Some(error),
        }
    }
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ "stopped": stopped }))?;
    } else {
        printer.say(match (stopped, args.all) {
            (0, _) => "no daemon runs".to_owned(),
            (1, false) => "the daemon has ended".to_owned(),
            (count, _) => format!("{} ended", format_count(count, "daemon", "daemons")),
        });
    }
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(Exit::Ok),
    }
}

/// End it, then start it again
///
/// What waits to be sent is sent first, for up to five seconds; what still waits then, the new one sends.
///
/// Example: mem daemon restart
#[derive(clap::Args, Debug)]
struct RestartArgs {}

/// Ends it, and starts one.
fn restart(_: &RestartArgs, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    stop_daemon(&DaemonInstance::for_memory(&place, context)?.place)?;
    start(&StartArgs {}, context)
}

/// Show what it says
///
/// When it started and ended, and what went wrong, each once. No contents of memories stand there.
///
/// With --json: {"file","lines":[]}.
///
/// Example: mem daemon logs -n 20
#[derive(clap::Args, Debug)]
struct LogsArgs {
    /// At most this many lines, the newest ones
    #[arg(long, short = 'n', value_name = "N", default_value = "100")]
    lines: usize,
}

/// Prints the end of the log.
fn logs(args: &LogsArgs, context: &Context) -> Result<Exit> {
    let house = DaemonInstance::for_memory(&context.place()?, context)?;
    let files = log::log_files(&house.log).into_iter();
    let texts: Vec<String> = files
        .filter_map(|file| regular_file::read_whole(file).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let newest = &lines[lines.len().saturating_sub(args.lines)..];
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ "file": house.log, "lines": newest }))?;
        return Ok(Exit::Ok);
    }
    for line in newest {
        printer.line(clean(line))?;
    }
    printer.detail(format_args!("in `{}`", house.log.display()));
    Ok(Exit::Ok)
}

/// Be the daemon, in the foreground
///
/// For service managers, and to watch one at work. Prints `ready` once the socket answers and the watches
/// are set, and ends with SIGTERM, SIGINT or `mem daemon stop`.
///
/// Example: mem daemon run --service
#[derive(clap::Args, Debug)]
struct RunArgs {
    /// Do not end after a time without use
    #[arg(long)]
    service: bool,
    /// Leave the session of whoever starts it
    #[arg(long, hide = true)]
    detached: bool,
    /// Do one thing for a daemon, and end
    #[arg(long, hide = true, value_parser = DaemonJob::WORDS.map(|(word, _)| word))]
    job: Option<String>,
}

/// Runs until it is to end.
fn foreground(args: &RunArgs, context: &Context) -> Result<Exit> {
    let job = DaemonJob::WORDS
        .iter()
        .find(|(word, _)| args.job.as_deref() == Some(word));
    if let Some((_, job)) = job {
        job.run(context)?;
        return Ok(Exit::Ok);
    }
    if args.detached {
        leave_session();
    }
    let place = context.enabled_place()?;
    mem_jobs::run_daemon(&place, args.service, context)?;
    Ok(Exit::Ok)
}

/// Let the system start it when you log in
///
/// Writes a user unit of systemd of which this repository has an instance, or an agent of launchd for this
/// repository, and starts it. A service does not end by itself. `mem daemon uninstall` takes it out again.
///
/// With --json: {"file","started"}.
///
/// Example: mem daemon install
#[derive(clap::Args, Debug)]
struct InstallArgs {
    /// Write the file and start nothing
    #[arg(long)]
    no_start: bool,
}

/// Writes the file, and starts the service.
fn install(args: &InstallArgs, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let house = DaemonInstance::for_memory(&place, context)?;
    let service = unit::Service::for_daemon(&house, context)?;
    let file = service.write(context.dirs()?)?;
    let is_started = match args.no_start {
        true => false,
        false => {
            // It would be in the way of the service.
            stop_daemon(&house.place)?;
            service.start_service()
        }
    };
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ "file": file, "started": is_started }))?;
        return Ok(Exit::Ok);
    }
    printer.line(format_args!("wrote {}", file.display()))?;
    if !is_started && !args.no_start {
        printer.print_warning(format_args!(
            "the service manager does not answer, and starts nothing until you say: {}",
            service.by_hand()
        ));
    }
    Ok(Exit::Ok)
}

/// Take the service out again
///
/// Ends it, and removes what `mem daemon install` wrote.
///
/// With --json: {"removed"}.
///
/// Example: mem daemon uninstall
#[derive(clap::Args, Debug)]
struct UninstallArgs {}

/// Removes it.
fn uninstall(_: &UninstallArgs, context: &Context) -> Result<Exit> {
    let house = DaemonInstance::for_memory(&context.place()?, context)?;
    let is_removed = unit::Service::for_daemon(&house, context)?.remove_service(context.dirs()?)?;
    let text = match is_removed {
        true => "the service is gone",
        false => "there was no service for this repository",
    };
    context.print_answer(&json!({ "removed": is_removed }), text)
}
