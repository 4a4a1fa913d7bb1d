//! Whether a file is still what it was when the note was written, and the cited lines of it.

use git2::Oid;

use super::check_context::CheckContext;
use super::content::{current, current_id};
use super::detail_text;
use super::lines::{Difference, LineFate};
use crate::finding::CitationAnswer;
use crate::history::FileCommit;
use crate::limits::{AGING_PERCENT_MIN, BLOB_BYTES_MAX, DRIFTED_PERCENT_MIN};
use crate::note::DriftInput;
use crate::report::{CitationStatus, Verdict};

/// The blob that was recorded when the note was saved.
pub(super) fn recorded(note: &DriftInput, path: &[u8], cited: &str) -> Option<Oid> {
    let own = std::str::from_utf8(path)
        .ok()
        .and_then(|path| note.blobs.get(path));
    let id = own.or_else(|| note.blobs.get(cited))?;
    Oid::from_str(id).ok()
}

/// The answer for a file that is there.
pub(super) fn changed(
    context: &CheckContext<'_>,
    note: &DriftInput,
    cited: &str,
    at: usize,
    lines: Option<(u32, u32)>,
) -> CitationAnswer {
    let Some(then) = then(context, note, cited, at) else {
        return unchanged(context, at, lines);
    };
    let old = context.checkout.read_blob(then.id, BLOB_BYTES_MAX);
    let new = current(context.checkout, context.listing, at);
    let difference = match (&old, &new) {
        (Some(old), Some(new)) => Difference::between(old, new),
        _ => None,
    };
    let path = context.listing.path_at(at);
    let is_committed = || {
        let now = current_id(context.checkout, context.listing, at);
        now.is_some_and(|now| context.worktree.is_committed(path, now))
    };
    let commits = match then.commits {
        // The commit that changed it is in no history any more: it was squashed, or rewritten.
        0 if is_committed() => None,
        0 => Some("uncommitted edits".to_owned()),
        number => Some(detail_text::format_count(number, "commit")),
    };
    let Some(difference) = difference else {
        let what = commits.as_deref().unwrap_or("another content");
        return CitationAnswer::new(CitationStatus::Changed, format!("{what} since"));
    };
    let percent = difference.percent();
    let commits = commits.map_or_else(String::new, |commits| format!("{commits} and "));
    let share = format!("{commits}{percent} % of its lines since");
    match lines.map(|(first, last)| (first, last, difference.fate(first, last))) {
        Some((_, _, LineFate::Kept)) => CitationAnswer::new(
            CitationStatus::Present,
            format!("the lines are as they were; {share}"),
        ),
        Some((first, _, LineFate::Shifted(now))) => {
            let detail = format!("line {first} is now line {now}; {share}");
            CitationAnswer::new(CitationStatus::Changed, detail).with_weight(Verdict::Aging)
        }
        Some((_, _, LineFate::Changed)) => CitationAnswer::new(
            CitationStatus::Changed,
            format!("the lines changed; {share}"),
        )
        .with_weight(Verdict::Drifted),
        None => CitationAnswer::new(CitationStatus::Changed, share).with_weight(weight(percent)),
    }
}

fn weight(percent: u32) -> Verdict {
    match percent {
        DRIFTED_PERCENT_MIN.. => Verdict::Drifted,
        AGING_PERCENT_MIN.. => Verdict::Aging,
        _ => Verdict::Fresh,
    }
}

/// A file that nobody is known to have changed: it must still have the cited lines.
fn unchanged(context: &CheckContext<'_>, at: usize, lines: Option<(u32, u32)>) -> CitationAnswer {
    let Some((_, last)) = lines else {
        return CitationAnswer::from_status(CitationStatus::Present);
    };
    let Some(text) = current(context.checkout, context.listing, at) else {
        return CitationAnswer::from_status(CitationStatus::Present);
    };
    let count = super::lines::count(&text);
    if last as usize <= count {
        return CitationAnswer::from_status(CitationStatus::Present);
    }
    let detail = format!("it has {} only", detail_text::format_count(count, "line"));
    CitationAnswer::new(CitationStatus::Changed, detail).with_weight(Verdict::Drifted)
}

/// What the file was.
struct Then {
    id: Oid,
    commits: usize,
}

/// The content that the note speaks of, if it is not the present one.
fn then(context: &CheckContext<'_>, note: &DriftInput, cited: &str, at: usize) -> Option<Then> {
    let path = context.listing.path_at(at);
    let now = current_id(context.checkout, context.listing, at)?;
    let none = Vec::new();
    let touches = context.past.touches.get(path).unwrap_or(&none);
    let then = match recorded(note, path, cited) {
        Some(id) => Then {
            id,
            commits: touches
                .iter()
                .take_while(|touch| touch.new != Some(id))
                .count(),
        },
        None => since(context, note, touches, path, at)?,
    };
    (then.id != now).then_some(then)
}

/// By time: the content that the first later commit replaced, else the committed one, if it was
/// edited later.
fn since(
    context: &CheckContext<'_>,
    note: &DriftInput,
    touches: &[FileCommit],
    path: &[u8],
    at: usize,
) -> Option<Then> {
    let written = note.written?.as_second();
    let later: Vec<&FileCommit> = touches
        .iter()
        .filter(|touch| touch.seconds > written)
        .collect();
    if let Some(first) = later.last() {
        return Some(Then {
            id: first.old?,
            commits: later.len(),
        });
    }
    let seen = context.checkout.disk.as_ref()?.read_state(path)?;
    (i64::from(seen.stat.1) > written).then(|| Then {
        id: context.listing.entries()[at].id,
        commits: 0,
    })
}
