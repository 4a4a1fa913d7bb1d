//! The rules of one scan: those that ship with `mem`, with what a repository adds and allows.

mod allow;
mod baseline;
mod code_points;
mod error;
mod key;
mod personal;
mod remote_state;
mod sources;

use std::path::PathBuf;
use std::sync::OnceLock;

use mem_core::Dirs;
use mem_secrets::{
    Confidence, Fingerprint, FingerprintKey, Ignore, InputOrigin, ScanReport, Scanner,
    SecretEncoding, SecretFinding, Suppressor, is_binary,
};
use sha2::{Digest, Sha256};

use self::code_points::CodePointCounter;
use self::personal::PersonalAllows;
use self::remote_state::RemoteTrees;
use super::scan_origin::{ContentKind, LocatedFinding, ScanOrigin};
use super::scan_totals::{FilteredMatch, ScanTotals, SuppressedFinding};

pub use allow::{AllowError, add_allow};
pub use baseline::{KnownFindings, SARIF_FINGERPRINT};
pub use error::RulesError;
pub use remote_state::RemoteState;
pub use sources::{RuleSources, root_of};

/// The compiled rules and everything that hides findings.
#[derive(Default)]
pub struct Ruleset {
    scanner: Scanner,
    ignore: Ignore,
    allows: Vec<Fingerprint>,
    known: KnownFindings,
    root: Option<PathBuf>,
    /// The repository whose fingerprints these are.
    keyed: Option<PathBuf>,
    /// Where the user's own part of a key is kept, until the repository has a key.
    dirs: Option<Dirs>,
    key: OnceLock<FingerprintKey>,
    /// The key of the allows, where it is another.
    allow_key: Option<FingerprintKey>,
    /// What the person allowed on this machine.
    personal: PersonalAllows,
    /// For a push: what the remote has, whose comments alone count.
    remote: Option<RemoteTrees>,
    /// Of all texts that the rules come from.
    digest: [u8; 32],
    explain: bool,
}

impl Ruleset {
    /// Whether what the filters take back is to be remembered.
    pub fn with_explanations(mut self, explain: bool) -> Self {
        self.explain = explain;
        self
    }

    /// Reports findings of this confidence and above, in place of those that hooks stop at.
    pub fn with_confidence(mut self, least: Confidence) -> Self {
        self.scanner = self.scanner.with_confidence(least);
        self
    }

    /// Hides what an earlier report lists.
    pub fn with_baseline(mut self, known: KnownFindings) -> Self {
        self.known = known;
        self
    }

    /// The scanner itself.
    pub(crate) fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// Names everything that decides on whether bytes are clean.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The path of a file from the root whose configuration this is; the path itself without one.
    pub(crate) fn relative_path(&self, path: &std::path::Path) -> String {
        let nowhere = PathBuf::new();
        super::tree::relative(path, self.root.as_ref().unwrap_or(&nowhere))
    }

    /// Scans bytes and adds what is found to the tally.
    pub(crate) fn scan_bytes(&self, bytes: &[u8], place: &ScanOrigin, totals: &mut ScanTotals) {
        totals.bytes += bytes.len() as u64;
        let report = self.examine_bytes(bytes, &place.origin());
        self.admit_report(report, bytes, place, totals);
    }

    /// What the scanner says about bytes, before any finding is hidden by its place.
    pub(crate) fn examine_bytes(&self, bytes: &[u8], origin: &InputOrigin) -> ScanReport {
        if self.explain {
            self.scanner.explain(bytes, origin)
        } else {
            self.scanner.report(bytes, origin)
        }
    }

    /// Adds a report to the tally.
    pub(crate) fn admit_report(
        &self,
        report: ScanReport,
        bytes: &[u8],
        place: &ScanOrigin,
        totals: &mut ScanTotals,
    ) {
        if report.findings.is_empty()
            && report.suppressed.is_empty()
            && report.rejections.is_empty()
        {
            return;
        }
        self.admit_from(report, is_binary(bytes), bytes, place, totals);
    }

    /// Adds a report about bytes of which only the beginning may be there.
    pub(crate) fn admit_from(
        &self,
        report: ScanReport,
        is_binary: bool,
        bytes: &[u8],
        place: &ScanOrigin,
        totals: &mut ScanTotals,
    ) {
        totals.suppressed += report.suppressed.len() as u64;
        for one in &report.suppressed {
            self.tell_hidden(&one.finding, suppressor_name(one.by), place, totals);
        }
        let newlines: Vec<usize> = match report.rejections.is_empty() {
            true => Vec::new(),
            false => memchr::memchr_iter(b'\n', bytes).collect(),
        };
        for rejection in report.rejections {
            let start = rejection.span.start as usize;
            totals.rejected.push(FilteredMatch {
                place: place.clone(),
                line: newlines.partition_point(|newline| *newline < start) as u64 + 1,
                rule: rejection.rule,
                filter: rejection.filter,
            });
        }
        let mut code_points = CodePointCounter::default();
        for finding in report.findings {
            if is_binary && is_vague(&finding) {
                continue;
            }
            let fingerprint = finding.fingerprint(self.key());
            let hidden = self.hidden_by(&finding, &fingerprint, place);
            if let Some(by) = hidden.or_else(|| self.hidden_at_remote(&finding, bytes, place)) {
                totals.suppressed += 1;
                self.tell_hidden(&finding, by, place, totals);
            } else {
                let place = place.clone();
                totals.find(LocatedFinding {
                    code_point_columns: code_points.columns(&finding, bytes),
                    finding,
                    place,
                    fingerprint,
                    validity: None,
                });
            }
        }
    }

    /// Keeps what hides a finding, for an explanation.
    fn tell_hidden(
        &self,
        finding: &SecretFinding,
        by: &'static str,
        place: &ScanOrigin,
        totals: &mut ScanTotals,
    ) {
        if self.explain {
            totals.hidden.push(SuppressedFinding {
                place: place.clone(),
                line: finding.line,
                rule: finding.rule.clone(),
                by,
            });
        }
    }

    /// Whether the repository allows a finding, wherever it stands.
    pub fn allows_finding(&self, finding: &SecretFinding) -> bool {
        !self.allows.is_empty() && self.is_allowed(finding, &finding.fingerprint(self.key()))
    }

    fn is_allowed(&self, finding: &SecretFinding, fingerprint: &Fingerprint) -> bool {
        match &self.allow_key {
            Some(key) => self.allows.contains(&finding.fingerprint(key)),
            None => self.allows.contains(fingerprint),
        }
    }

    /// Whether the remote has the line of a finding already, with a comment that allows it.
    fn hidden_at_remote(
        &self,
        finding: &SecretFinding,
        bytes: &[u8],
        place: &ScanOrigin,
    ) -> Option<&'static str> {
        let remote = self.remote.as_ref()?;
        let range = |at: u64| usize::try_from(at).ok().filter(|at| *at <= bytes.len());
        let (start, end) = (range(finding.span.start)?, range(finding.span.end)?);
        let first = memchr::memrchr(b'\n', &bytes[..start]).map_or(0, |newline| newline + 1);
        let last = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |at| end + at);
        let stands =
            place.kind == ContentKind::Blob && remote.allow_line(&bytes[first..last], &place.path);
        stands.then_some("a comment on its line")
    }

    /// The allow, ignore file or baseline that hides a finding.
    fn hidden_by(
        &self,
        finding: &SecretFinding,
        fingerprint: &Fingerprint,
        place: &ScanOrigin,
    ) -> Option<&'static str> {
        let (rule, line) = (finding.rule.as_str(), finding.line);
        let commit = place.commit.as_deref();
        let files = [&place.path, &place.shown].map(String::as_str);
        let ignored = |file: &&str| self.ignore.contains(commit, file, rule, line);
        if self.is_allowed(finding, fingerprint) {
            Some("an allow in .mem/secrets.toml")
        } else if self.personal.contain_finding(finding) {
            Some("an allow of your own")
        } else if files.iter().any(ignored) {
            Some(".gitleaksignore")
        } else if self.known.holds_finding(finding, fingerprint, files) {
            Some("the baseline")
        } else {
            None
        }
    }

    /// The key of the fingerprints: the repository's, else one that the first allow will make
    /// the repository's.
    fn key(&self) -> &FingerprintKey {
        self.key.get_or_init(|| {
            let root = self.keyed.as_deref();
            FingerprintKey::new(key::pending_key(self.dirs.as_ref(), root))
        })
    }
}

impl std::fmt::Debug for Ruleset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ruleset")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// What an explanation calls whatever hides a finding.
fn suppressor_name(by: Suppressor) -> &'static str {
    match by {
        Suppressor::Comment => "a comment on its line",
        Suppressor::Allowlist => "an allowlist of the configuration",
        Suppressor::Disabled => "disabledRules of the configuration",
        _ => "the configuration",
    }
}

/// In a binary file only a form that is used for nothing else means something.
fn is_vague(finding: &SecretFinding) -> bool {
    finding.confidence < Confidence::High
        && finding.encodings.first() != Some(&SecretEncoding::Utf16)
}

/// Hashes the texts that a ruleset is made of, each with its length.
fn digest_texts(texts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(mem_secrets::RULES_HASH);
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    }
    hasher.finalize().into()
}
