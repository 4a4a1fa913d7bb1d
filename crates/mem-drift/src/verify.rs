//! The one question: notes and a repository in, a report out, with a cache for the next time.

use std::fmt;

use crate::cache::Cache;
use crate::check::{
    CheckedMemory, NoteNames, RepositoryState, check, earlier_file_answer, is_note_file,
    note_answer,
};
use crate::checkout::{Checkout, CheckoutPaths, TrackedFiles};
use crate::cite::{CitationKind, note_citations};
use crate::error::DriftError;
use crate::finding::CitationFinding;
use crate::note::{DriftInput, DriftRequest};
use crate::report::{CitationStatus, DriftReport, NoteReport};
use crate::stamp::{RepositoryStamp, stamp_repository};
use crate::verdict::judge_note;

/// A report, and what makes the next one fast.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The report, in the order of the request.
    pub report: DriftReport,
    /// To be handed in next time; `None` when the one handed in is still good. A cache: it may be
    /// lost, damaged or another repository's without harm.
    pub cache: Option<Vec<u8>>,
}

/// A repository that was opened before it is known which notes are asked about.
pub struct OpenRepository {
    checkout: Checkout,
    listing: TrackedFiles,
}

impl OpenRepository {
    /// Opens a place, and reads what is tracked. What the system says of the files is looked at by
    /// [`OpenRepository::verify_notes`].
    ///
    /// # Errors
    /// There is a repository that libgit2 cannot read.
    pub fn for_checkout(place: &CheckoutPaths) -> Result<Self, DriftError> {
        let checkout = Checkout::open(place)?;
        let listing = checkout.list_tracked();
        Ok(Self { checkout, listing })
    }

    /// As [`verify_notes()`]; the request's place is the one that was opened.
    pub fn verify_notes(&self, request: &DriftRequest<'_>, cache: Option<&[u8]>) -> Verification {
        let stamp = stamp_repository(&self.checkout, &self.listing);
        check_notes(request, cache, (&self.checkout, &self.listing, &stamp))
    }
}

impl fmt::Debug for OpenRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("head", &self.checkout.head)
            .finish_non_exhaustive()
    }
}

/// Checks notes against a repository.
///
/// `cache` is what an earlier call gave for this repository. All its answers hold as long as `HEAD`,
/// the references, the index, what git ignores and what the system says of every tracked file and
/// folder are the same. After an edit those hold that rest on nothing that was edited; after a commit none does, but
/// only files that changed are searched for identifiers.
///
/// # Errors
/// There is a repository that libgit2 cannot read.
pub fn verify_notes(
    request: &DriftRequest<'_>,
    cache: Option<&[u8]>,
) -> Result<Verification, DriftError> {
    Ok(OpenRepository::for_checkout(request.place)?.verify_notes(request, cache))
}

/// Notes, beside a repository as it stands.
fn check_notes(
    request: &DriftRequest<'_>,
    cache: Option<&[u8]>,
    (checkout, listing, stamp): (&Checkout, &TrackedFiles, &RepositoryStamp),
) -> Verification {
    let mut cache = Cache::read(cache, stamp, checkout);
    let keys: Vec<String> = request
        .notes
        .iter()
        .map(|note| Cache::key(note, request.remotes))
        .collect();
    let open: Vec<usize> = (0..keys.len())
        .filter(|&at| !cache.holds(&keys[at]))
        .collect();
    let mut news = None;
    if !open.is_empty() {
        let asked = open.iter().map(|&at| CheckedMemory {
            note: &request.notes[at],
            citations: note_citations(&request.notes[at], request.remotes),
            candidate: cache.candidate(&keys[at]),
        });
        let terrain = RepositoryState {
            checkout,
            listing,
            stamp,
            earlier: &cache.earlier(stamp, listing),
        };
        let (findings, learnt) = check(&terrain, asked.collect());
        for (at, findings) in open.iter().zip(findings) {
            cache.put(&keys[*at], findings);
        }
        news = cache.bytes(&terrain, &learnt);
    }
    let names = NoteNames::for_request(request);
    let notes = request.notes.iter().zip(&keys).map(|(note, key)| {
        let findings = cache.get(key).unwrap_or_default().into_iter();
        let findings = findings.map(|finding| check_note_link(finding, &names));
        judge_note(note, findings.collect(), request.now)
    });
    Verification {
        report: DriftReport {
            notes: notes.collect(),
        },
        cache: news,
    }
}

/// What an earlier call found, without looking at a single file: for who cannot wait.
///
/// One entry a note; `None` for a note that was not checked in its present form, or not since
/// another commit was checked out. Edits that were not committed go unseen.
///
/// # Errors
/// There is a repository that libgit2 cannot read.
pub fn cached_reports(
    request: &DriftRequest<'_>,
    cache: &[u8],
) -> Result<Vec<Option<NoteReport>>, DriftError> {
    let checkout = Checkout::open(request.place)?;
    let Some(cache) = Cache::read_of_head(cache, checkout.head) else {
        return Ok(vec![None; request.notes.len()]);
    };
    let names = NoteNames::for_request(request);
    let known = |note: &DriftInput| {
        let key = Cache::key(note, request.remotes);
        let findings = cache.get(&key)?.into_iter();
        let findings = findings.map(|finding| check_note_link(finding, &names));
        Some(judge_note(note, findings.collect(), request.now))
    };
    Ok(request.notes.iter().map(known).collect())
}

/// The verdict on a note of which nothing can be checked: by its age alone.
pub fn by_age(note: &DriftInput, now: mem_core::Now) -> NoteReport {
    judge_note(note, Vec::new(), now)
}

/// Other notes come and go without the repository's knowledge: no cache has what is answered here.
fn check_note_link(mut finding: CitationFinding, names: &NoteNames<'_>) -> CitationFinding {
    if let Some(name) = &finding.note {
        let answer = note_answer(names, name);
        finding.answer_as_note(answer);
    } else if finding.report.kind == CitationKind::Path && !finding.is_present() {
        if is_note_file(names, &finding.report.text) {
            finding.make_note();
        } else if matches!(
            finding.report.status,
            CitationStatus::Never | CitationStatus::Unknown
        ) && let Some(answer) = earlier_file_answer(names, &finding.report.text)
        {
            finding.note = Some(finding.report.text.clone());
            finding.answer_as_note(answer);
        }
    }
    finding
}
