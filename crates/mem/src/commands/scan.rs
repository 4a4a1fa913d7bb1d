//! `mem scan`: secrets in files, streams, commits and memories.

use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

use mem_core::{Diagnose, Environment, project};
use mem_scan::git::{Clean, CommitScan, GitObjects, scan_history, scan_range, scan_staged};
use mem_scan::memory::scan_memory;
use mem_scan::rules::{KnownFindings, root_of};
use mem_scan::scan_origin::ContentKind;
use mem_scan::tree::{self, SkippedFiles};
use mem_scan::validity::{VALIDITY_LIMITS, ValidityRecipients, check_validity};
use mem_scan::{RuleSources, Ruleset, ScanTotals, files};
use mem_secrets::{Confidence, TOKEN_ISSUERS};

use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::scan::report::{self, ReportFormat};
use crate::usage::UsageError;
use mem_core::host_user::HostUser;

/// Find secrets in files, commits and memories
///
/// Without arguments the current directory is scanned. What git ignores is left out. The rules
/// are extended by the repository's .betterleaks.toml or .gitleaks.toml, .gitleaksignore and
/// .mem/secrets.toml; how many findings those hide is said. A secret itself is never printed.
///
/// Each finding has a confidence. Hooks, `--staged`, and whatever goes to the team, stop at medium
/// and above; a scan also lists words that somebody chose as passwords, whose confidence is low.
///
/// Ends with 0 where there is nothing, 3 where something was found, 1 where not everything could
/// be scanned.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("what").multiple(false))]
pub(crate) struct Args {
    /// Files and directories
    #[arg(value_name = "PATH", group = "what", num_args = 0..)]
    paths: Vec<PathBuf>,
    /// Scan standard input
    #[arg(long, group = "what")]
    stdin: bool,
    /// Scan the lines that are staged for the next commit
    #[arg(long, group = "what")]
    staged: bool,
    /// Scan what the commits of a range add, such as main..HEAD
    #[arg(long, value_name = "A..B", group = "what")]
    range: Option<String>,
    /// Scan what every commit of every reference adds
    #[arg(long, group = "what")]
    history: bool,
    /// Scan every tier of this repository's memory
    #[arg(long, group = "what")]
    memory: bool,
    /// With --memory: the memory of every project, and the records of every user of a host
    #[arg(long, requires = "memory")]
    all: bool,
    /// With --memory: the records of this user of a host
    #[arg(long, value_name = "USER", requires = "memory", conflicts_with = "all")]
    user: Option<HostUser>,
    /// Scan what git ignores as well
    #[arg(long)]
    no_ignore: bool,
    /// How findings are printed
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// Report findings of this confidence and above: low unless given, medium with --staged
    #[arg(long, value_enum, value_name = "LEVEL")]
    confidence: Option<LeastConfidence>,
    /// Report only what this earlier report does not list
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Rules and allowlists, instead of the repository's .betterleaks.toml or gitleaks.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Also say what was taken for a secret at first, and why it is none
    #[arg(long)]
    explain: bool,
    /// Ask each token's own provider whether it still works
    ///
    /// The token is sent over HTTPS to an address that is built in: of about 30 providers, such as GitHub, Slack and
    /// Stripe. Each token is sent once, one a second for each provider, 100 a run at most. A finding is then active,
    /// revoked or unknown, with the reason. Nothing is sent without this flag, for an agent or in a git hook, or before
    /// a person has agreed to the recipients.
    #[arg(long)]
    validate: bool,
    /// With --validate: do not ask before tokens are sent
    #[arg(long, short, requires = "validate")]
    yes: bool,
    /// Print the secrets themselves; on a terminal only
    #[arg(long)]
    show_secrets: bool,
}

/// A path of the command line that is not there.
#[derive(Debug, thiserror::Error, Diagnose)]
#[error("`{}` does not exist", .0.display())]
#[diagnose(NotFound)]
pub(crate) struct MissingPath(PathBuf);

/// The least confidence of what is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LeastConfidence {
    /// A word under the name of a password
    Low,
    /// A fitting name and a value that looks random; where hooks stop
    Medium,
    /// A form that is used for nothing else
    High,
    /// A checksum or an inner structure is right
    Certain,
}

impl From<LeastConfidence> for Confidence {
    fn from(least: LeastConfidence) -> Self {
        match least {
            LeastConfidence::Low => Self::Low,
            LeastConfidence::Medium => Self::Medium,
            LeastConfidence::High => Self::High,
            LeastConfidence::Certain => Self::Certain,
        }
    }
}

impl Args {
    /// The least confidence of what is reported: what is staged stops at the same as a hook.
    fn least_confidence(&self) -> Confidence {
        match self.confidence {
            Some(least) => least.into(),
            None if self.staged => Confidence::Medium,
            None => Confidence::Low,
        }
    }
}

/// Scans and prints what was found.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let format = match args.format {
        ReportFormat::Text if context.printer.json => ReportFormat::Json,
        format => format,
    };
    if args.show_secrets && (format != ReportFormat::Text || !std::io::stdout().is_terminal()) {
        let hint = "run it in a terminal, without --format";
        return Err(UsageError::new("--show-secrets prints to a terminal only", hint).into());
    }
    if args.validate {
        refuse_hook(args, context)?;
        refuse_unasked(args, context)?;
    }
    let mut totals = scan_input(args, context)?;
    if args.validate {
        validate_findings(&mut totals, args, context)?;
    }
    report::print(&totals, format, args.show_secrets, context)?;
    Ok(match (totals.found.is_empty(), totals.is_complete()) {
        (false, _) => Exit::Secrets,
        (true, false) => Exit::Failure,
        (true, true) => Exit::Ok,
    })
}

/// Refuses to send anything where git or a hook runs this, and for lines that are only staged: that is what hooks scan.
fn refuse_hook(args: &Args, context: &Context) -> Result<(), UsageError> {
    if args.staged {
        let hint = "name the files: `mem scan --validate FILE`";
        return Err(UsageError::new(
            "--validate does not go with --staged",
            hint,
        ));
    }
    if is_in_git_hook(&context.env) {
        let hint =
            "run `mem scan --validate` in a terminal, without variables that git sets (GIT_DIR)";
        return Err(UsageError::new(
            "--validate sends nothing from a git hook",
            hint,
        ));
    }
    Ok(())
}

/// Whether git runs this: by what it sets for hooks and other programs that it starts, and by what pre-commit sets.
fn is_in_git_hook(env: &Environment) -> bool {
    const MARKS: &[&str] = &[
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_EXEC_PATH",
        "GIT_PREFIX",
        "GIT_PUSH_OPTION_COUNT",
        "GIT_QUARANTINE_PATH",
        "PRE_COMMIT",
    ];
    MARKS.iter().any(|name| env.has(name))
}

/// Refuses to send anything that nobody agreed to, before the scan.
fn refuse_unasked(args: &Args, context: &Context) -> Result<(), UsageError> {
    if args.yes || context.is_interactive() {
        return Ok(());
    }
    let hint = "give --yes where found tokens may be sent to their providers";
    Err(UsageError::new(
        "there is no terminal to ask on before tokens are sent",
        hint,
    ))
}

/// Notes in each finding what its provider says about the token.
fn validate_findings(
    totals: &mut ScanTotals,
    args: &Args,
    context: &Context,
) -> anyhow::Result<()> {
    let mut progress = None;
    let may_send = |recipients: &ValidityRecipients<'_>| -> anyhow::Result<bool> {
        let may = args.yes || context.ask_agreement(&sending_question(recipients))?;
        progress = may
            .then(|| Progress::saying(&context.printer, "asking the providers of what was found"));
        Ok(may)
    };
    let skipped = check_validity(&mut totals.found, TOKEN_ISSUERS, &VALIDITY_LIMITS, may_send)?;
    drop(progress);
    if skipped > 0 {
        context.printer.print_warning(format_args!(
            "{skipped} more tokens were not asked about: a run asks about {} at most",
            VALIDITY_LIMITS.tokens_max
        ));
    }
    Ok(())
}

/// Names who would be sent how many tokens.
fn sending_question(recipients: &ValidityRecipients<'_>) -> String {
    let hosts: Vec<String> = recipients
        .iter()
        .map(|(host, count)| format!("{count} to {host}"))
        .collect();
    format!(
        "send found tokens to their providers ({})?",
        hosts.join(", ")
    )
}

fn scan_input(args: &Args, context: &Context) -> anyhow::Result<ScanTotals> {
    if args.memory {
        let least = args.least_confidence();
        let place = context.place()?;
        let progress = Progress::start(&context.printer);
        let (user, counters) = (args.user.as_ref(), progress.counters());
        return Ok(scan_memory(
            &place, user, args.all, least, context, counters,
        )?);
    }
    let mut totals = ScanTotals::default();
    if args.stdin {
        let rules = rules_for(args, context, &context.cwd)?;
        files::scan_input(&mut std::io::stdin().lock(), &rules, &mut totals);
    } else if args.staged || args.range.is_some() || args.history {
        scan_git(args, context, &mut totals)?;
    } else {
        scan_paths(args, context, &mut totals)?;
    }
    totals.sort_findings();
    Ok(totals)
}

fn scan_paths(args: &Args, context: &Context, totals: &mut ScanTotals) -> anyhow::Result<()> {
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() {
        &here[..]
    } else {
        &args.paths
    };
    let is_missing = |path: &PathBuf| {
        let metadata = path.symlink_metadata().map_err(|error| error.kind());
        matches!(
            metadata,
            Err(ErrorKind::NotFound | ErrorKind::NotADirectory)
        )
    };
    // Where only some are missing, what the others hold decides the exit code.
    if let Some(path) = paths.first().filter(|_| paths.iter().all(is_missing)) {
        return Err(MissingPath(path.clone()).into());
    }
    let skips = match args.no_ignore {
        true => SkippedFiles::None,
        false => SkippedFiles::Ignored {
            own: ignore::gitignore::gitconfig_excludes_path(),
        },
    };
    let progress = Progress::start(&context.printer);
    let mut last: Option<(Option<PathBuf>, Ruleset)> = None;
    for path in paths {
        let root = root_of(path);
        let ruleset = match last.take() {
            Some((known, ruleset)) if known == root => ruleset,
            _ => rules_for(args, context, path)?,
        };
        let counters = progress.counters();
        tree::scan(path, ContentKind::File, &skips, &ruleset, counters, totals);
        last = Some((root, ruleset));
    }
    Ok(())
}

fn scan_git(args: &Args, context: &Context, totals: &mut ScanTotals) -> anyhow::Result<()> {
    let project = project::find(&context.cwd, &context.env)?;
    let git = GitObjects::for_project(&project, &context.env)?;
    let ruleset = rules_for(args, context, &project.workdir)?;
    let progress = Progress::start(&context.printer);
    // A scan on demand neither trusts nor feeds the cache of the hooks: it may explain.
    let mut clean = Clean::default();
    let mut scan = CommitScan {
        git: &git,
        ruleset: &ruleset,
        clean: &mut clean,
        counters: progress.counters(),
        is_outgoing: false,
    };
    match &args.range {
        _ if args.staged => scan_staged(&mut scan, totals)?,
        Some(range) => scan_range(&mut scan, range, totals)?,
        None => scan_history(&mut scan, totals)?,
    }
    Ok(())
}

/// The rules for what is at a path.
fn rules_for(args: &Args, context: &Context, path: &Path) -> anyhow::Result<Ruleset> {
    let root = root_of(path);
    // A file of a memory is in no repository: its findings are allowed in the one that this run stands in.
    let is_own = root.as_ref().is_some_and(|root| root.join(".git").exists());
    let sources = RuleSources {
        root,
        config: args.config.clone(),
        dirs: context.dirs().ok().cloned(),
        beside: if is_own { None } else { root_of(&context.cwd) },
        pushed: None,
    };
    let (ruleset, warnings) = sources.load()?;
    context.warn_all(&warnings);
    let known = args
        .baseline
        .as_deref()
        .map(KnownFindings::load_report)
        .transpose()?;
    Ok(ruleset
        .with_confidence(args.least_confidence())
        .with_explanations(args.explain)
        .with_baseline(known.unwrap_or_default()))
}
