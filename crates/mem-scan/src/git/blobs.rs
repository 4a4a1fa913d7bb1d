//! Scanning many blobs on all cores.

use std::sync::Mutex;

use super::added_lines;
use super::cache::Mark;
use super::commits::CommitScan;
use super::id::ObjectId;
use super::object::ObjectError;
use super::open::GitObjectError;
use super::source::ObjectSource;
use crate::Counters;
use crate::scan_origin::{ContentKind, ScanOrigin};
use crate::{Ruleset, ScanTotals};

/// Fewer blobs are scanned by one thread.
const JOBS_OF_ONE_THREAD: usize = 64;
/// A larger blob is not inflated; it is a problem of the tally.
const BLOB_BYTES_MAX: usize = 1 << 30;

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
    let threads = match jobs.len() {
        0 => return Ok(()),
        count => crate::threads().min(count.div_ceil(JOBS_OF_ONE_THREAD)),
    };
    let (git, ruleset, counters) = (scan.git, scan.ruleset, scan.counters);
    let results = Mutex::new(Vec::new());
    let work = |jobs: &[BlobJob]| -> Result<(), GitObjectError> {
        let mut share = BlobShare::new(git.open()?, ruleset, counters);
        jobs.iter().for_each(|job| share.job(job));
        let mut results = results
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        results.push((share.totals, share.orders, share.clean));
        Ok(())
    };
    let work = &work;
    std::thread::scope(|scope| -> Result<(), GitObjectError> {
        let mut parts = jobs.chunks(jobs.len().div_ceil(threads));
        let own = parts.next().unwrap_or_default();
        let handles: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut outcome = work(own);
        for handle in handles {
            // A thread that panicked has been told about by the panic hook.
            outcome = outcome.and(handle.join().unwrap_or(Ok(())));
        }
        outcome
    })?;
    let results = results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
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
    is_partial: bool,
    totals: ScanTotals,
    /// Of each finding, the place of its commit.
    orders: Vec<usize>,
    clean: Vec<Mark>,
}

impl<'a> BlobShare<'a> {
    fn new(source: Box<dyn ObjectSource>, ruleset: &'a Ruleset, counters: &'a Counters) -> Self {
        Self {
            is_partial: source.is_partial(),
            source,
            ruleset,
            counters,
            totals: ScanTotals::default(),
            orders: Vec::new(),
            clean: Vec::new(),
        }
    }

    fn job(&mut self, job: &BlobJob) {
        match self.read(job) {
            Ok(()) => {}
            // The remote has what a partial clone lacks.
            Err(ObjectError::Missing) if self.is_partial => {}
            Err(error) => {
                let (path, oid) = (&job.path, job.oid);
                self.totals
                    .problem(format!("cannot read blob {oid} (`{path}`): {error}"));
            }
        }
    }

    fn read(&mut self, job: &BlobJob) -> Result<(), ObjectError> {
        let blob = self.source.read(job.oid, BLOB_BYTES_MAX)?.bytes;
        self.counters.add(blob.len() as u64);
        self.totals.bytes += blob.len() as u64;
        let place = ScanOrigin {
            shown: job.path.clone(),
            path: job.path.clone(),
            commit: job.commit.map(|oid| oid.to_string()),
            kind: job.kind,
            ..ScanOrigin::default()
        };
        let mut report = self.ruleset.examine_bytes(&blob, &place.origin());
        if report.findings.is_empty() && report.suppressed.is_empty() {
            if report.rejections.is_empty() {
                self.clean.push(job.mark);
                return Ok(());
            }
        } else {
            let mut hidden: Vec<_> = report
                .suppressed
                .iter()
                .map(|one| one.finding.clone())
                .collect();
            added_lines::retain(&*self.source, job, &blob, &mut report.findings)?;
            added_lines::retain(&*self.source, job, &blob, &mut hidden)?;
            report
                .suppressed
                .retain(|one| hidden.contains(&one.finding));
        }
        self.ruleset
            .admit_report(report, &blob, &place, &mut self.totals);
        self.orders.resize(self.totals.found.len(), job.order);
        Ok(())
    }
}
