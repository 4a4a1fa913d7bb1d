//! Long histories: git itself prints what each commit adds, faster than its objects can be read
//! one by one, and the added lines are scanned beside it on the other cores.
//!
//! Where git is missing, dies or reads a broken object, the caller goes through the objects.

mod parser;
mod section;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};

use self::parser::Parser;
use self::section::{PatchSection, scan_section};
use super::blobs::BlobJob;
use super::id::ObjectId;
use super::open::GitObjects;
use crate::Counters;
use crate::{Ruleset, ScanTotals};

/// Text that is handed to a thread at once.
const BATCH_BYTES: usize = 256 << 10;
/// Batches that wait for a thread.
const BATCHES_WAITING_MAX: usize = 8;
/// Read at once from git.
const PIPE_BYTES: usize = 256 << 10;

/// A histories' added lines, as far as git printed them.
pub(crate) struct PatchScan {
    /// What was found in text, messages and names.
    pub totals: ScanTotals,
    /// Blobs that git takes for binary: UTF-16 is among them.
    pub binary: Vec<BlobJob>,
}

/// Scans what the commits add that are reachable from `wanted` and not from `hidden`.
///
/// # Errors
/// git cannot be started, or failed before its end.
pub(crate) fn scan_patches(
    git: &GitObjects,
    ruleset: &Ruleset,
    counters: &Counters,
    wanted: &[ObjectId],
    hidden: &[ObjectId],
) -> io::Result<PatchScan> {
    let wanted = wanted.iter().map(|oid| format!("{oid}\n"));
    let hidden = hidden.iter().map(|oid| format!("^{oid}\n"));
    let revisions: String = wanted.chain(hidden).collect();
    let mut child = start_log(git, &revisions)?;
    let stdout = child
        .stdout
        .take()
        .ok_or_else(|| io::Error::other("git has no output"))?;
    let (sender, receiver) = mpsc::sync_channel::<Vec<PatchSection>>(BATCHES_WAITING_MAX);
    let receiver = Mutex::new(receiver);
    let work = || {
        let mut totals = ScanTotals::default();
        let mut orders = Vec::new();
        loop {
            let batch = receiver
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            let Ok(batch) = batch else { break };
            for section in &batch {
                counters.add(section.text.len() as u64);
                scan_section(section, ruleset, &mut totals);
                orders.resize(totals.found.len(), section.order);
            }
        }
        (totals, orders)
    };
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..crate::threads()).map(|_| scope.spawn(work)).collect();
        let read = read(stdout, &sender);
        drop(sender);
        let results = threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect();
        wait_for_log(child, read).map(|binary| PatchScan {
            totals: merge_results(results),
            binary,
        })
    })
}

/// Adds the threads' findings up, in the order of the commits.
fn merge_results(results: Vec<(ScanTotals, Vec<usize>)>) -> ScanTotals {
    let mut whole = ScanTotals::default();
    let mut found = Vec::new();
    for (mut totals, orders) in results {
        found.extend(orders.into_iter().zip(std::mem::take(&mut totals.found)));
        whole.merge(totals);
    }
    found.sort_by_key(|(order, _)| *order);
    found.into_iter().for_each(|(_, one)| whole.find(one));
    whole
}

/// Starts `git log` and tells it the commits.
fn start_log(git: &GitObjects, revisions: &str) -> io::Result<Child> {
    let mut command = git.command();
    for setting in [
        "core.quotePath=true",
        "diff.suppressBlankEmpty=false",
        "log.showRoot=true",
    ] {
        command.args(["-c", setting]);
    }
    command
        .args(["log", "--stdin", "--reverse", "-p", "-U0", "--cc", "-M"])
        .args([
            "--full-index",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-notes",
        ])
        .args([
            "--no-show-signature",
            "--submodule=short",
            "--src-prefix=a/",
            "--dst-prefix=b/",
        ])
        .args([
            "--no-indent-heuristic",
            "--no-relative",
            "--format=%x00%H%x00%an <%ae>%x00%cn <%ce>%x00%B%x00",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // git reads all of it before it prints anything.
        stdin.write_all(revisions.as_bytes())?;
    }
    Ok(child)
}

/// Cuts what git prints into sections and hands them on in batches.
fn read(
    stdout: ChildStdout,
    sender: &mpsc::SyncSender<Vec<PatchSection>>,
) -> io::Result<Vec<BlobJob>> {
    let mut reader = BufReader::with_capacity(PIPE_BYTES, stdout);
    let mut parser = Parser::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line of a commit can be as long as its file; its section holds it anyway.
        if reader.by_ref().read_until(b'\n', &mut line)? == 0 {
            break;
        }
        parser.take_line(&line);
        if parser.waiting_bytes >= BATCH_BYTES {
            hand_on(&mut parser, sender)?;
        }
    }
    parser.end_section();
    hand_on(&mut parser, sender)?;
    Ok(parser.binary)
}

fn hand_on(parser: &mut Parser, sender: &mpsc::SyncSender<Vec<PatchSection>>) -> io::Result<()> {
    parser.waiting_bytes = 0;
    let batch = std::mem::take(&mut parser.sections);
    sender
        .send(batch)
        .map_err(|_| io::Error::other("no thread scans any more"))
}

/// Waits for git, which must have ended well.
fn wait_for_log(mut child: Child, read: io::Result<Vec<BlobJob>>) -> io::Result<Vec<BlobJob>> {
    if read.is_err() {
        // It may wait for a reader that is gone.
        let _ = child.kill();
    }
    let status = child.wait()?;
    let binary = read?;
    if status.success() {
        Ok(binary)
    } else {
        Err(io::Error::other(format!("git {status}")))
    }
}
