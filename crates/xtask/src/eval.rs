//! `cargo xtask eval`: how good the answers are, on sets that are labelled by hand.

use std::path::{Path, PathBuf};

use crate::run::run as run_command;
use crate::workspace::{cargo, example};

/// Arguments of `cargo xtask eval`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What is measured: secrets, recall or drift
    #[arg(value_parser = ["secrets", "recall", "drift"])]
    subject: String,
    /// Of secrets: gitleaks' examples (JSON lines), or a directory of files, to be measured as well
    path: Option<PathBuf>,
    /// Of secrets: a checkout of CredData with the repositories that it names under `tmp`
    #[arg(long)]
    creddata: Option<PathBuf>,
    /// With --creddata: what another scanner reported, as gitleaks' JSON or as lines PATH:LINE
    #[arg(long, value_name = "NAME=FILE", requires = "creddata")]
    beside: Vec<String>,
    /// Of recall: the LoCoMo conversations (locomo10.json), turn by turn and by sessions
    #[arg(long)]
    locomo: Option<PathBuf>,
    /// Of recall: what an audit corrects in the evidence of LoCoMo (errors.json)
    #[arg(long, requires = "locomo")]
    locomo_key: Option<PathBuf>,
    /// Of recall: the folder of BEAM's conversations of one length (chats/100K)
    #[arg(long)]
    beam: Option<PathBuf>,
    /// Of recall: the questions of LongMemEval with their sessions (longmemeval_s_cleaned.json)
    #[arg(long)]
    longmemeval: Option<PathBuf>,
    /// Of recall: pairs of CoSQA, one JSON object a line with query, code and label
    #[arg(long)]
    cosqa: Option<PathBuf>,
    /// List what was wrong
    #[arg(short, long)]
    verbose: bool,
}

/// Runs the evaluations that the library brings along.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match args.subject.as_str() {
        "drift" => return drift(),
        "recall" => return recall(args),
        _ => {}
    }
    if let Some(folder) = &args.creddata {
        return creddata(folder, args);
    }
    secrets("labelled", None, args.verbose)?;
    match &args.path {
        Some(path) if path.is_dir() => secrets("tree", Some(path), args.verbose),
        Some(path) => secrets("gitleaks", Some(path), args.verbose),
        None => Ok(()),
    }
}

/// Citations of labelled notes over a history with moves and removals: the table that the test of
/// `mem-drift` prints.
fn drift() -> anyhow::Result<()> {
    let mut command = cargo(["test", "--quiet", "--package", "mem-drift"]);
    command.args(["--test", "runner", "--"]);
    run_command(command.args(["--nocapture", "evaluation::"]))
}

/// The ranking on the set of the repository, then on those that are named.
fn recall(args: &Args) -> anyhow::Result<()> {
    measure(&[])?;
    let mut key = Vec::new();
    if let Some(path) = &args.locomo_key {
        key = vec!["--key".into(), std::path::absolute(path)?.into()];
    }
    for (flag, path) in [
        ("--locomo", &args.locomo),
        ("--locomo-sessions", &args.locomo),
        ("--beam", &args.beam),
        ("--longmemeval", &args.longmemeval),
        ("--cosqa", &args.cosqa),
    ] {
        if let Some(path) = path {
            println!("\n{}", flag.trim_start_matches('-'));
            let mut words = vec![flag.into(), std::path::absolute(path)?.into()];
            words.extend(key.iter().cloned());
            measure(&words)?;
        }
    }
    measure(&["--alike".into()])
}

fn measure(args: &[std::ffi::OsString]) -> anyhow::Result<()> {
    run_command(example("mem-recall", "eval").args(args))
}

/// Recall and precision by line on real repositories, beside what other scanners reported.
fn creddata(folder: &Path, args: &Args) -> anyhow::Result<()> {
    let mut command = example("mem-secrets", "creddata");
    command.arg(std::path::absolute(folder)?);
    for one in &args.beside {
        let (name, report) = one.split_once('=').unwrap_or(("other", one));
        let report = std::path::absolute(report)?;
        command.args(["--beside", &format!("{name}={}", report.display())]);
    }
    run_command(command.args(args.verbose.then_some("-v")))
}

fn secrets(name: &str, path: Option<&PathBuf>, verbose: bool) -> anyhow::Result<()> {
    let mut command = example("mem-secrets", name);
    // The examples run at the top of the working tree.
    command.args(path.map(std::path::absolute).transpose()?);
    run_command(command.args(verbose.then_some("-v")))
}
