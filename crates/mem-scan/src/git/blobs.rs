//! Scanning many blobs on all cores.

use std::ops::Range;

use mem_secrets::OVERLAP_BYTES;

use super::added_lines::{self, RenameCache};
use super::cache::Mark;
use super::changed_part::{changed_part, move_report};
use super::commits::CommitScan;
use super::id::ObjectId;
use super::object::ObjectError;
use super::open::GitObjectError;
use super::parallel::map_parts;
use super::source::ObjectSource;
use crate::Counters;
use crate::scan_origin::{ContentKind, ScanOrigin};
use crate::{Ruleset, ScanTotals};

/// A larger blob is not inflated; it is a problem of the tally.
const BLOB_BYTES_MAX: usize = 1 << 30;
/// A larger blob is not kept for the comparison with the next one, which reads it again.
const LAST_BYTES_MAX: usize = 64 << 20;

/// A blob to be scanned.
#[derive(Clone, Debug)]
pub(crate) struct BlobJob {
    /// The blob.
    pub oid: ObjectId,
    /// Its path.
    pub path: String,
    /// What stood there before, in each parent; every line counts where nothing did.
    pub olds: Vec<Option<ObjectId>>,
    /// The commit that brings it; `None` for the index and for tags of files.
    pub commit: Option<ObjectId>,
    /// What the safe next step is for.
    pub kind: ContentKind,
    /// Its place among the commits.
    pub order: usize,
    /// Its name in the cache.
    pub mark: Mark,
}

/// Scans jobs and remembers which blobs were clean.
///
/// # Errors
/// The repository cannot be opened.
pub(crate) fn scan(
    scan: &mut CommitScan<'_>,
    mut jobs: Vec<BlobJob>,
    totals: &mut ScanTotals,
) -> Result<(), GitObjectError> {
    // Versions of one file lie beside each other in a pack and are deltas of each other.
    jobs.sort_by(|a, b| (&a.path, a.order).cmp(&(&b.path, b.order)));
    let (git, ruleset, counters) = (scan.git, scan.ruleset, scan.counters);
    let is_outgoing = scan.is_outgoing;
    let results = map_parts(&jobs, |jobs| {
        let mut share = BlobShare::new(git.open()?, ruleset, counters, is_outgoing);
        jobs.iter().for_each(|job| share.job(job));
        Ok((share.totals, share.orders, share.clean))
    })?;
    merge(results, scan, totals);
    Ok(())
}

/// Adds the shares up, findings in the order of their commits.
fn merge(
    results: Vec<(ScanTotals, Vec<usize>, Vec<Mark>)>,
    scan: &mut CommitScan<'_>,
    totals: &mut ScanTotals,
) {
    let mut found = Vec::new();
    for (mut share, orders, clean) in results {
        found.extend(orders.into_iter().zip(std::mem::take(&mut share.found)));
        scan.clean.add(clean);
        totals.merge(share);
    }
    found.sort_by(|(a, one), (b, other)| (a, one.order()).cmp(&(b, other.order())));
    found.into_iter().for_each(|(_, one)| totals.find(one));
}

/// The work of one thread.
struct BlobShare<'a> {
    source: Box<dyn ObjectSource>,
    ruleset: &'a Ruleset,
    counters: &'a Counters,
    /// Whether the remote has the objects that the clone lacks, so that a push does not send them.
    remote_has_missing: bool,
    totals: ScanTotals,
    /// Of each finding, the place of its commit.
    orders: Vec<usize>,
    clean: Vec<Mark>,
    /// The blob that was read last, where it is large: as a rule the version before the next one.
    last: Option<(ObjectId, Vec<u8>)>,
    renames: RenameCache,
}

impl<'a> BlobShare<'a> {
    fn new(
        source: Box<dyn ObjectSource>,
        ruleset: &'a Ruleset,
        counters: &'a Counters,
        is_outgoing: bool,
    ) -> Self {
        Self {
            remote_has_missing: is_outgoing && source.is_partial(),
            source,
            ruleset,
            counters,
            totals: ScanTotals::default(),
            orders: Vec::new(),
            clean: Vec::new(),
            last: None,
            renames: RenameCache::default(),
        }
    }

    fn job(&mut self, job: &BlobJob) {
        match self.read(job) {
            Ok(()) => {}
            Err(ObjectError::Missing) if self.remote_has_missing => {}
            Err(error) => {
                let (path, oid) = (&job.path, job.oid);
                self.totals
                    .problem(format!("cannot read blob {oid} (`{path}`): {error}"));
            }
        }
    }

    fn read(&mut self, job: &BlobJob) -> Result<(), ObjectError> {
        let blob = self.source.read(job.oid, BLOB_BYTES_MAX)?.bytes;
        let outcome = self.examine(job, &blob);
        let is_kept = blob.len() > 2 * OVERLAP_BYTES && blob.len() <= LAST_BYTES_MAX;
        self.last = is_kept.then_some((job.oid, blob));
        outcome
    }

    /// The part of a blob to be scanned: of a large file what its commit changed, else the whole blob.
    fn part(&mut self, job: &BlobJob, blob: &[u8]) -> Range<usize> {
        let (whole, last) = (0..blob.len(), self.last.take());
        let [Some(old)] = job.olds[..] else {
            return whole;
        };
        if blob.len() <= 2 * OVERLAP_BYTES || self.ruleset.scanner().has_custom_rules() {
            return whole;
        }
        let old = match last.filter(|(oid, _)| *oid == old) {
            Some((_, bytes)) => Ok(bytes),
            None => self
                .source
                .read(old, BLOB_BYTES_MAX)
                .map(|object| object.bytes),
        };
        // What a partial clone does not have cannot be compared.
        old.map_or(whole, |old| changed_part(&old, blob))
    }

    fn examine(&mut self, job: &BlobJob, blob: &[u8]) -> Result<(), ObjectError> {
        self.counters.add(blob.len() as u64);
        self.totals.bytes += blob.len() as u64;
        let place = ScanOrigin {
            shown: job.path.clone(),
            path: job.path.clone(),
            commit: job.commit.map(|oid| oid.to_string()),
            kind: job.kind,
            ..ScanOrigin::default()
        };
        let part = self.part(job, blob);
        let mut report = self
            .ruleset
            .examine_bytes(&blob[part.clone()], &place.origin());
        move_report(&mut report, &blob[..part.start]);
        if report.findings.is_empty() && report.suppressed.is_empty() {
            if report.rejections.is_empty() {
                // What was not looked at may hold a secret that is new to another remote.
                if part.len() == blob.len() {
                    self.clean.push(job.mark);
                }
                return Ok(());
            }
        } else {
            let mut hidden: Vec<_> = report
                .suppressed
                .iter()
                .map(|one| one.finding.clone())
                .collect();
            let renames = &mut self.renames;
            added_lines::retain(&*self.source, job, blob, renames, &mut report.findings)?;
            added_lines::retain(&*self.source, job, blob, renames, &mut hidden)?;
            report
                .suppressed
                .retain(|one| hidden.contains(&one.finding));
        }
        self.ruleset
            .admit_report(report, blob, &place, &mut self.totals);
        self.orders.resize(self.totals.found.len(), job.order);
        Ok(())
    }
}
