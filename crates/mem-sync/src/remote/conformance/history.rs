//! The log, and taking contents out of it. Goes on from what the earlier rules have written.

use mem_core::history::Sha256;

use super::{RemoteViolation, body, get, hold, key};
use crate::remote::{LogQuery, Remote, RemoteError, StateQuery};
use crate::wire::{ChangeLogEntry, LogOperation, LogPage, RedactBody};

/// All pages of one key's log, of `limit` changes each.
fn all(
    remote: &mut impl Remote,
    name: &str,
    limit: u32,
) -> Result<Vec<ChangeLogEntry>, RemoteViolation> {
    let mut all = Vec::new();
    let mut page = None;
    loop {
        let query = LogQuery {
            key: Some(key(name)?),
            limit,
            page,
        };
        let LogPage { changes, next_page } = remote.log(&query)?;
        hold(
            "a page has as many changes as asked for, and no empty one follows",
            changes.len() <= limit as usize && (next_page.is_none() || !changes.is_empty()),
        )?;
        all.extend(changes);
        match next_page {
            Some(next) => page = Some(next),
            None => return Ok(all),
        }
    }
}

fn operations(log: &[ChangeLogEntry]) -> Vec<LogOperation> {
    log.iter().map(|change| change.operation).collect()
}

/// `c.md` was written, deleted and written again.
pub(super) fn log(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    use LogOperation::{Created, Deleted, Modified};
    let log = all(a, "c.md", 100)?;
    hold(
        "the log tells what was done to a key, the newest first",
        operations(&log) == [Created, Deleted, Created],
    )?;
    let falls = log.windows(2).all(|pair| pair[0].version > pair[1].version);
    hold("its numbers fall", falls)?;
    let said = |change: &ChangeLogEntry| (change.sha256, change.size_bytes);
    hold(
        "checksum and size are those of the content, and a deletion has none",
        said(&log[0]) == (Some(Sha256::digest(b"c again")), Some(7))
            && said(&log[1]) == (None, None),
    )?;
    hold(
        "it says when, and that nothing was redacted",
        log.iter()
            .all(|one| !one.at.is_empty() && one.redacted_at.is_none()),
    )?;
    hold("pages add up to the whole", all(b, "c.md", 1)? == log)?;
    hold(
        "what was never there has no log",
        all(a, "never.md", 100)?.is_empty(),
    )?;
    let mut gone = body(&[], &["c.md"])?;
    let why = "over, \"all\" of it";
    gone.reasons.insert(key("c.md")?, why.to_owned());
    a.put(&gone, None)?;
    let log = all(b, "c.md", 100)?;
    hold(
        "the log tells why something was deleted, and of nothing else",
        log[0].reason.as_deref() == Some(why) && log[1..].iter().all(|one| one.reason.is_none()),
    )?;
    a.put(&body(&[("c.md", "c anew")], &[])?, None)?;
    hold(
        "a reason stays with its deletion",
        all(b, "c.md", 100)?[0].reason.is_none() && all(b, "c.md", 100)?[1].reason.is_some(),
    )?;
    b.put(&body(&[("a.md", "for the log")], &[])?, None)?;
    let whole = a.log(&LogQuery {
        limit: 1,
        ..LogQuery::default()
    })?;
    let newest = whole.changes.first();
    hold(
        "the log of all keys begins with what was done last",
        newest.is_some_and(|one| one.key.as_str() == "a.md" && one.operation == Modified),
    )?;
    hold("and has more pages", whole.next_page.is_some())
}

pub(super) fn redaction(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    let leaked = key("leak.md")?;
    let contents = RedactBody::contents(&leaked);
    hold(
        "what was never there cannot be redacted",
        b.redact(&contents) == Err(RemoteError::NotFound),
    )?;
    a.put(&body(&[("leak.md", "leaked")], &[])?, None)?;
    hold(
        "what an entry holds now is not redacted",
        matches!(b.redact(&contents), Err(RemoteError::InTheWay(_))),
    )?;
    a.put(&body(&[("leak.md", "clean")], &[])?, None)?;
    let (_, before) = get(a, &StateQuery::default())?;
    hold(
        "earlier contents are redacted",
        b.redact(&contents)?.redacted == 1,
    )?;
    let (_, after) = get(a, &StateQuery::default())?;
    hold(
        "and the entries stay as they are",
        before.entries == after.entries && before.deleted == after.deleted,
    )?;
    let log = all(a, "leak.md", 100)?;
    let said: Vec<(bool, bool)> = log
        .iter()
        .map(|one| (one.sha256.is_some(), one.redacted_at.is_some()))
        .collect();
    hold(
        "the log says what was redacted, and has no checksum of it",
        said == [(true, false), (false, true)],
    )?;
    hold(
        "again, there is nothing left",
        b.redact(&contents)?.redacted == 0,
    )?;
    a.put(&body(&[], &["leak.md"])?, None)?;
    hold(
        "the last content of what is gone too",
        b.redact(&contents)?.redacted == 1,
    )?;
    let (_, found) = get(b, &StateQuery::default())?;
    let sha = found.deleted.get(&leaked).map(|tombstone| tombstone.sha256);
    hold("its tombstone stays", sha == Some(Sha256::digest(b"clean")))?;
    let (etag, _) = get(a, &StateQuery::default())?;
    let put = a.put(&body(&[("leak.md", "back")], &[])?, Some(&etag))?;
    hold("and writing goes on", put.answer.written.len() == 1)
}

/// A name goes with all that is known of it, once nothing stands under it.
pub(super) fn names(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    let (named, kept) = (key("named/badly.md")?, key("named/well.md")?);
    let name = RedactBody::name(&named);
    hold(
        "a name that was never there cannot be redacted",
        b.redact(&name) == Err(RemoteError::NotFound),
    )?;
    a.put(
        &body(&[("named/badly.md", "1"), ("named/well.md", "1")], &[])?,
        None,
    )?;
    a.put(&body(&[("named/badly.md", "2")], &[])?, None)?;
    hold(
        "nor one under which something stands",
        matches!(b.redact(&name), Err(RemoteError::InTheWay(_))),
    )?;
    a.put(&body(&[], &["named/badly.md"])?, None)?;
    let (before, _) = get(a, &StateQuery::default())?;
    let done = b.redact(&name)?;
    hold("it goes with the contents", done.name && done.redacted == 2)?;
    let (after, found) = get(a, &StateQuery::default())?;
    hold("that is another state", before != after)?;
    hold(
        "no tombstone names it, and others stay",
        !found.deleted.contains_key(&named) && found.entries.contains_key(&kept),
    )?;
    let log = all(a, "named/well.md", 100)?;
    hold("so does what is known of them", log.len() == 1)?;
    hold(
        "the log of it is empty",
        all(a, "named/badly.md", 100)?.is_empty(),
    )?;
    let page = a.log(&LogQuery {
        limit: 100,
        ..LogQuery::default()
    })?;
    hold(
        "and that of everything has no word of it",
        page.changes.iter().all(|one| one.key != named),
    )?;
    hold(
        "again, it was never there",
        b.redact(&name) == Err(RemoteError::NotFound),
    )?;
    let put = a.put(&body(&[("named/badly.md", "2")], &[])?, Some(&after))?;
    hold(
        "nothing speaks against it",
        put.answer.written.contains_key(&named),
    )?;
    let log = all(b, "named/badly.md", 100)?;
    hold(
        "and it begins anew",
        log.len() == 1 && log[0].operation == LogOperation::Created,
    )?;
    a.put(&body(&[], &["named/badly.md", "named/well.md"])?, None)?;
    Ok(())
}
