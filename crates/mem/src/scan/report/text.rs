//! Findings for people: where, what, why, and the safe next step.

use mem_scan::scan_origin::ContentKind;
use mem_scan::{LocatedFinding, ScanTotals};
use mem_secrets::{SecretEncoding, SecretFinding, rule_description};

use super::json::{confidence, severity};
use super::next_step::next_step;
use crate::printer::{OutputError, Printer};
use crate::sanitize::{clean, one_line};
use crate::style;

/// Prints findings, explanations and a summary.
pub(super) fn print(
    totals: &ScanTotals,
    reveal: bool,
    printer: &Printer,
) -> Result<(), OutputError> {
    for found in &totals.found {
        printer.line(block(found, reveal))?;
    }
    for one in &totals.rejected {
        let (file, line) = (one_line(&one.place.shown), one.line);
        printer.line(format_args!(
            "not reported: {file}:{line}: {} ({})",
            clean(&one.rule),
            one.filter
        ))?;
    }
    for one in &totals.hidden {
        let (file, line) = (one_line(&one.place.shown), one.line);
        printer.line(format_args!(
            "hidden: {file}:{line}: {} (by {})",
            clean(&one.rule),
            one.by
        ))?;
    }
    printer.say(summary(totals));
    Ok(())
}

/// One finding: three lines.
pub(crate) fn block(found: &LocatedFinding, reveal: bool) -> String {
    let finding = &found.finding;
    let strong = style::STRONG;
    let secret = if reveal {
        String::from_utf8_lossy(finding.secret.expose()).into_owned()
    } else {
        finding.redacted()
    };
    let place = place(found);
    let inside = inside(finding);
    let validity = validity(found);
    format!(
        "{strong}{place}{strong:#}: {}: {}{inside} [{}, confidence {}]\n  {}  {}{validity}\n  next: {}",
        clean(&finding.rule),
        clean(rule_description(&finding.rule)),
        severity(finding.severity),
        confidence(finding.confidence),
        clean(&secret),
        clean(&found.fingerprint.to_string()),
        next_step(found)
    )
}

/// What the token's provider says, on a line of its own.
fn validity(found: &LocatedFinding) -> String {
    found.validity.as_ref().map_or_else(String::new, |one| {
        format!("\n  validity: {} ({})", one.word(), clean(&one.reason))
    })
}

/// What has to be undone to see the secret: it stands at the place only encoded.
fn inside(finding: &SecretFinding) -> String {
    let name = |encoding: &SecretEncoding| match encoding {
        SecretEncoding::Base64 => "base64",
        SecretEncoding::Hex => "hexadecimal",
        SecretEncoding::Percent => "percent encoding",
        SecretEncoding::Utf16 => "UTF-16",
        _ => "an encoding",
    };
    match &*finding.encodings {
        [] | [SecretEncoding::Utf16] => String::new(),
        names => format!(
            ", inside {}",
            names.iter().map(name).collect::<Vec<_>>().join(" of ")
        ),
    }
}

/// File, line and column, and the commit.
pub(crate) fn place(found: &LocatedFinding) -> String {
    let (place, finding) = (&found.place, &found.finding);
    let commit = place.commit.as_deref().unwrap_or_default();
    let commit = match &commit[..commit.len().min(10)] {
        "" => String::new(),
        commit => format!(" ({commit})"),
    };
    let shown = one_line(&place.shown);
    match place.kind {
        ContentKind::Name => format!("name of {shown}{commit}"),
        _ => format!("{shown}:{}:{}{commit}", finding.line, finding.column),
    }
}

fn summary(totals: &ScanTotals) -> String {
    let megabytes = totals.bytes as f64 / 1e6;
    let found = match totals.found.len() {
        0 => "no secrets".to_owned(),
        1 => "1 secret".to_owned(),
        count => format!("{count} secrets"),
    };
    let seen = match (totals.files, totals.blobs) {
        (1, 0) => "1 file".to_owned(),
        (files, 0) => format!("{files} files"),
        (0, 1) => "1 blob".to_owned(),
        (0, blobs) => format!("{blobs} blobs"),
        (files, blobs) => format!("{files} files and {blobs} blobs"),
    };
    let hidden = match totals.suppressed {
        0 => String::new(),
        count => format!("; {count} hidden by configuration, comments or allows"),
    };
    let rest = match totals.is_complete() {
        true => "",
        false => "; not everything could be scanned",
    };
    format!("{found} in {seen} ({megabytes:.1} MB){hidden}{rest}")
}
