//! The log, and taking contents out of it. Goes on from what the earlier rules have written.

use mem_core::history::Sha256;

use super::{RemoteViolation, build_put_body, get_state, parse_key, require_rule};
use crate::remote::{LogQuery, Remote, RemoteError, StateQuery};
use crate::wire::{ChangeLogEntry, LogOperation, LogPage, RedactBody};

/// All pages of one key's log, of `limit` changes each.
fn read_full_log(
    remote: &mut impl Remote,
    name: &str,
    limit: u32,
) -> Result<Vec<ChangeLogEntry>, RemoteViolation> {
    let mut all = Vec::new();
    let mut page = None;
    loop {
        let query = LogQuery {
            key: Some(parse_key(name)?),
            limit,
            page,
        };
        let LogPage { changes, next_page } = remote.read_log(&query)?;
        require_rule(
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

fn log_operations(log: &[ChangeLogEntry]) -> Vec<LogOperation> {
    log.iter().map(|change| change.operation).collect()
}

/// `c.md` was written, deleted and written again.
pub(super) fn check_log(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    use LogOperation::{Created, Deleted, Modified};
    let log = read_full_log(a, "c.md", 100)?;
    require_rule(
        "the log tells what was done to a key, the newest first",
        log_operations(&log) == [Created, Deleted, Created],
    )?;
    let falls = log.windows(2).all(|pair| pair[0].version > pair[1].version);
    require_rule("its numbers fall", falls)?;
    let said = |change: &ChangeLogEntry| (change.sha256, change.size_bytes);
    require_rule(
        "checksum and size are those of the content, and a deletion has none",
        said(&log[0]) == (Some(Sha256::digest(b"c again")), Some(7))
            && said(&log[1]) == (None, None),
    )?;
    require_rule(
        "it says when, and that nothing was redacted",
        log.iter()
            .all(|one| !one.at.is_empty() && one.redacted_at.is_none()),
    )?;
    require_rule(
        "pages add up to the whole",
        read_full_log(b, "c.md", 1)? == log,
    )?;
    require_rule(
        "what was never there has no log",
        read_full_log(a, "never.md", 100)?.is_empty(),
    )?;
    let mut gone = build_put_body(&[], &["c.md"])?;
    let why = "over, \"all\" of it";
    gone.reasons.insert(parse_key("c.md")?, why.to_owned());
    a.put_entries(&gone, None)?;
    let log = read_full_log(b, "c.md", 100)?;
    require_rule(
        "the log tells why something was deleted, and of nothing else",
        log[0].reason.as_deref() == Some(why) && log[1..].iter().all(|one| one.reason.is_none()),
    )?;
    a.put_entries(&build_put_body(&[("c.md", "c anew")], &[])?, None)?;
    require_rule(
        "a reason stays with its deletion",
        read_full_log(b, "c.md", 100)?[0].reason.is_none()
            && read_full_log(b, "c.md", 100)?[1].reason.is_some(),
    )?;
    b.put_entries(&build_put_body(&[("a.md", "for the log")], &[])?, None)?;
    let whole = a.read_log(&LogQuery {
        limit: 1,
        ..LogQuery::default()
    })?;
    let newest = whole.changes.first();
    require_rule(
        "the log of all keys begins with what was done last",
        newest.is_some_and(|one| one.key.as_str() == "a.md" && one.operation == Modified),
    )?;
    require_rule("and has more pages", whole.next_page.is_some())
}

pub(super) fn check_redaction(
    a: &mut impl Remote,
    b: &mut impl Remote,
) -> Result<(), RemoteViolation> {
    let leaked = parse_key("leak.md")?;
    let contents = RedactBody::for_contents(&leaked);
    require_rule(
        "what was never there cannot be redacted",
        b.redact_key(&contents) == Err(RemoteError::NotFound),
    )?;
    a.put_entries(&build_put_body(&[("leak.md", "leaked")], &[])?, None)?;
    require_rule(
        "what an entry holds now is not redacted",
        matches!(b.redact_key(&contents), Err(RemoteError::InTheWay(_))),
    )?;
    a.put_entries(&build_put_body(&[("leak.md", "clean")], &[])?, None)?;
    let (_, before) = get_state(a, &StateQuery::default())?;
    require_rule(
        "earlier contents are redacted",
        b.redact_key(&contents)?.redacted == 1,
    )?;
    let (_, after) = get_state(a, &StateQuery::default())?;
    require_rule(
        "and the entries stay as they are",
        before.entries == after.entries && before.deleted == after.deleted,
    )?;
    let log = read_full_log(a, "leak.md", 100)?;
    let said: Vec<(bool, bool)> = log
        .iter()
        .map(|one| (one.sha256.is_some(), one.redacted_at.is_some()))
        .collect();
    require_rule(
        "the log says what was redacted, and has no checksum of it",
        said == [(true, false), (false, true)],
    )?;
    require_rule(
        "again, there is nothing left",
        b.redact_key(&contents)?.redacted == 0,
    )?;
    a.put_entries(&build_put_body(&[], &["leak.md"])?, None)?;
    require_rule(
        "the last content of what is gone too",
        b.redact_key(&contents)?.redacted == 1,
    )?;
    let (_, found) = get_state(b, &StateQuery::default())?;
    let sha = found.deleted.get(&leaked).map(|tombstone| tombstone.sha256);
    require_rule("its tombstone stays", sha == Some(Sha256::digest(b"clean")))?;
    let (etag, _) = get_state(a, &StateQuery::default())?;
    let put = a.put_entries(&build_put_body(&[("leak.md", "back")], &[])?, Some(&etag))?;
    require_rule("and writing goes on", put.answer.written.len() == 1)
}

/// A name goes with all that is known of it, once nothing stands under it.
pub(super) fn check_name_removal(
    a: &mut impl Remote,
    b: &mut impl Remote,
) -> Result<(), RemoteViolation> {
    let (named, kept) = (parse_key("named/badly.md")?, parse_key("named/well.md")?);
    let name = RedactBody::for_name(&named);
    require_rule(
        "a name that was never there cannot be redacted",
        b.redact_key(&name) == Err(RemoteError::NotFound),
    )?;
    a.put_entries(
        &build_put_body(&[("named/badly.md", "1"), ("named/well.md", "1")], &[])?,
        None,
    )?;
    a.put_entries(&build_put_body(&[("named/badly.md", "2")], &[])?, None)?;
    require_rule(
        "nor one under which something stands",
        matches!(b.redact_key(&name), Err(RemoteError::InTheWay(_))),
    )?;
    a.put_entries(&build_put_body(&[], &["named/badly.md"])?, None)?;
    let (before, _) = get_state(a, &StateQuery::default())?;
    let done = b.redact_key(&name)?;
    require_rule("it goes with the contents", done.name && done.redacted == 2)?;
    let (after, found) = get_state(a, &StateQuery::default())?;
    require_rule("that is another state", before != after)?;
    require_rule(
        "no tombstone names it, and others stay",
        !found.deleted.contains_key(&named) && found.entries.contains_key(&kept),
    )?;
    let log = read_full_log(a, "named/well.md", 100)?;
    require_rule("so does what is known of them", log.len() == 1)?;
    require_rule(
        "the log of it is empty",
        read_full_log(a, "named/badly.md", 100)?.is_empty(),
    )?;
    let page = a.read_log(&LogQuery {
        limit: 100,
        ..LogQuery::default()
    })?;
    require_rule(
        "and that of everything has no word of it",
        page.changes.iter().all(|one| one.key != named),
    )?;
    require_rule(
        "again, it was never there",
        b.redact_key(&name) == Err(RemoteError::NotFound),
    )?;
    let put = a.put_entries(
        &build_put_body(&[("named/badly.md", "2")], &[])?,
        Some(&after),
    )?;
    require_rule(
        "nothing speaks against it",
        put.answer.written.contains_key(&named),
    )?;
    let log = read_full_log(b, "named/badly.md", 100)?;
    require_rule(
        "and it begins anew",
        log.len() == 1 && log[0].operation == LogOperation::Created,
    )?;
    a.put_entries(
        &build_put_body(&[], &["named/badly.md", "named/well.md"])?,
        None,
    )?;
    Ok(())
}
