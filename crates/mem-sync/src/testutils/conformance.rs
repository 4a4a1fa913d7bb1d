//! What every remote has to do, as one function over any of them.

mod history;

use mem_core::history::Sha256;

use crate::key::EntryKey;
use crate::limits::ENTRY_BYTES_MAX;
use crate::remote::{Fetched, PutOutcome, Remote, RemoteError, StateQuery};
use crate::wire::{ETag, PutBody, RejectionCode, StateAnswer};

/// The first thing that a remote does wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemoteViolation {
    /// It says no where it has to do it.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// It does something else.
    #[error("{0}")]
    Broken(&'static str),
}

/// Runs the suite on an empty store that both ends open.
///
/// # Errors
/// The first rule that does not hold.
pub fn check_remote<A: Remote, B: Remote>(a: &mut A, b: &mut B) -> Result<(), RemoteViolation> {
    reads_and_writes(a, b)?;
    views_and_keys(a, b)?;
    check_races(a, b)?;
    check_tombstones(a, b)?;
    history::check_log(a, b)?;
    history::check_redaction(a, b)?;
    history::check_name_removal(a, b)?;
    hostile_keys(a, b)?;
    check_revival(a, b)
}

fn require_rule(rule: &'static str, holds: bool) -> Result<(), RemoteViolation> {
    if holds {
        Ok(())
    } else {
        Err(RemoteViolation::Broken(rule))
    }
}

fn parse_key(text: &str) -> Result<EntryKey, RemoteViolation> {
    EntryKey::parse(text).map_err(|_| RemoteViolation::Broken("a key of the suite is none"))
}

fn build_put_body(entries: &[(&str, &str)], delete: &[&str]) -> Result<PutBody, RemoteViolation> {
    let mut body = PutBody::default();
    for (name, text) in entries {
        body.entries.insert(parse_key(name)?, (*text).to_owned());
    }
    for name in delete {
        body.delete.insert(parse_key(name)?);
    }
    Ok(body)
}

fn get_state(
    remote: &mut impl Remote,
    query: &StateQuery,
) -> Result<(ETag, StateAnswer), RemoteViolation> {
    match remote.get_state(query, None)? {
        Fetched::Found { etag, answer, .. } => Ok((etag, answer)),
        Fetched::NotModified => Err(RemoteViolation::Broken("an unconditional GET is answered")),
    }
}

fn reads_and_writes(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    let (empty, answer) = get_state(a, &StateQuery::default())?;
    require_rule("an empty store has no entries", answer.entries.is_empty())?;
    let PutOutcome { etag, answer } = a.put_entries(
        &build_put_body(&[("a.md", "é\n\0"), ("d/b.md", "")], &[])?,
        Some(&empty),
    )?;
    require_rule(
        "what was sent is written",
        answer.written.len() == 2 && answer.rejected.is_empty(),
    )?;
    let sha = Sha256::digest("é\n\0".as_bytes());
    require_rule(
        "the checksum is that of the bytes",
        answer.written.get(&parse_key("a.md")?) == Some(&sha),
    )?;
    require_rule("a write makes another state", etag != empty)?;
    let (seen, found) = get_state(b, &StateQuery::default())?;
    require_rule(
        "a PUT and the next GET name one state",
        seen == etag && found.version == answer.version,
    )?;
    let entry = found.entries.get(&parse_key("a.md")?);
    let text = entry.and_then(|entry| entry.content.as_deref());
    require_rule("content comes back byte for byte", text == Some("é\n\0"))?;
    require_rule(
        "entries say when",
        entry.is_some_and(|entry| !entry.updated_at.is_empty()),
    )?;
    require_rule(
        "a known state is not sent again",
        b.get_state(&StateQuery::default(), Some(&seen))? == Fetched::NotModified,
    )?;
    let again = a.put_entries(&build_put_body(&[("a.md", "é\n\0")], &[])?, Some(&seen))?;
    require_rule(
        "the same content again is written",
        again.answer.written.len() == 1,
    )?;
    require_rule("and changes nothing", again.etag == seen)?;
    a.put_entries(&build_put_body(&[("c.md", "c")], &[])?, None)?;
    let (_, all) = get_state(b, &StateQuery::default())?;
    require_rule("keys that are not sent stay", all.entries.len() == 3)
}

fn views_and_keys(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    let hashes = StateQuery {
        hashes: true,
        ..StateQuery::default()
    };
    let (etag, found) = get_state(a, &hashes)?;
    let none = found.entries.values().all(|entry| entry.content.is_none());
    require_rule(
        "the view of hashes has all keys and no content",
        none && found.entries.len() == 3,
    )?;
    require_rule(
        "and the state's name",
        b.get_state(&hashes, Some(&etag))? == Fetched::NotModified,
    )?;
    let keys = [parse_key("c.md")?, parse_key("nothing.md")?].into();
    let (same, found) = get_state(
        b,
        &StateQuery {
            keys,
            ..StateQuery::default()
        },
    )?;
    let only: Vec<&str> = found.entries.keys().map(EntryKey::as_str).collect();
    require_rule(
        "keys that are asked for come, and no others",
        only == ["c.md"],
    )?;
    require_rule("a part has the name of the whole", same == etag)
}

fn check_races(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    let (old, _) = get_state(a, &StateQuery::default())?;
    let new = b
        .put_entries(
            &build_put_body(&[("a.md", "b was faster")], &[])?,
            Some(&old),
        )?
        .etag;
    match a.put_entries(
        &build_put_body(&[("a.md", "a was slower"), ("x.md", "x")], &[])?,
        Some(&old),
    ) {
        Err(RemoteError::Raced { etag }) => {
            require_rule(
                "a lost race names the state",
                etag.is_none_or(|etag| etag == new),
            )?;
        }
        _ => {
            return Err(RemoteViolation::Broken(
                "a write on an old state is refused",
            ));
        }
    }
    let (now, found) = get_state(a, &StateQuery::default())?;
    require_rule(
        "a lost race writes nothing",
        now == new && !found.entries.contains_key(&parse_key("x.md")?),
    )
}

fn check_tombstones(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    let gone = parse_key("c.md")?;
    let (etag, _) = get_state(a, &StateQuery::default())?;
    let put = a.put_entries(&build_put_body(&[], &["c.md", "never.md"])?, Some(&etag))?;
    let codes: Vec<RejectionCode> = put.answer.rejected.values().map(|why| why.code).collect();
    require_rule(
        "only what is there can be deleted",
        codes == [RejectionCode::NotFound],
    )?;
    let (_, found) = get_state(
        b,
        &StateQuery {
            hashes: true,
            ..StateQuery::default()
        },
    )?;
    let sha = found.deleted.get(&gone).map(|tombstone| tombstone.sha256);
    require_rule(
        "a tombstone says what was deleted",
        sha == Some(Sha256::digest(b"c")),
    )?;
    require_rule(
        "what was deleted is gone",
        !found.entries.contains_key(&gone),
    )?;
    let back = b
        .put_entries(&build_put_body(&[("c.md", "c"), ("n.md", "n")], &[])?, None)?
        .answer;
    let code = back.rejected.get("c.md").map(|why| why.code);
    require_rule(
        "the very content that was deleted does not come back",
        code == Some(RejectionCode::Deleted),
    )?;
    require_rule("the other keys are written", back.written.len() == 1)?;
    b.put_entries(&build_put_body(&[("c.md", "c again")], &[])?, None)?;
    let (_, found) = get_state(a, &StateQuery::default())?;
    let is_back = found.entries.contains_key(&gone) && !found.deleted.contains_key(&gone);
    require_rule("other content takes the tombstone's place", is_back)
}

fn check_revival(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    let again = parse_key("again.md")?;
    let mut meant = build_put_body(&[("again.md", "x")], &[])?;
    a.put_entries(&meant, None)?;
    a.put_entries(&build_put_body(&[], &["again.md"])?, None)?;
    meant.revive.insert(again.clone());
    let back = b.put_entries(&meant, None)?.answer;
    require_rule(
        "what was deleted comes back for whoever has seen that and says that it is meant",
        back.written.contains_key(&again) && back.rejected.is_empty(),
    )?;
    let (_, found) = get_state(a, &StateQuery::default())?;
    let is_back = found.entries.contains_key(&again) && !found.deleted.contains_key(&again);
    require_rule("and everybody sees it again", is_back)
}

fn hostile_keys(a: &mut impl Remote, b: &mut impl Remote) -> Result<(), RemoteViolation> {
    let put = a.put_entries(
        &build_put_body(
            &[
                ("A.md", "twin"),
                ("a.md/below", "x"),
                ("d", "x"),
                ("fine.md", "x"),
            ],
            &[],
        )?,
        None,
    )?;
    let codes: Vec<(&str, RejectionCode)> = put
        .answer
        .rejected
        .iter()
        .map(|(name, why)| (name.as_str(), why.code))
        .collect();
    let want = [
        ("A.md", RejectionCode::Twin),
        ("a.md/below", RejectionCode::PathConflict),
        ("d", RejectionCode::PathConflict),
    ];
    require_rule(
        "keys that cannot stand beside each other are rejected",
        codes == want,
    )?;
    require_rule("and the others are written", put.answer.written.len() == 1)?;
    let large = "x".repeat(ENTRY_BYTES_MAX + 1);
    let put = b.put_entries(
        &build_put_body(&[("large.md", &large), ("fine.md", "y")], &[])?,
        None,
    )?;
    let code = put.answer.rejected.get("large.md").map(|why| why.code);
    require_rule(
        "an entry over the limit is rejected alone",
        code == Some(RejectionCode::TooLarge),
    )?;
    require_rule("and the other is written", put.answer.written.len() == 1)?;
    let entries = b.put_bytes_max() / ENTRY_BYTES_MAX + 2;
    let huge: Vec<(String, String)> = (0..entries)
        .map(|n| (format!("h{n}"), large[1..].to_owned()))
        .collect();
    let huge: Vec<(&str, &str)> = huge.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    require_rule(
        "a body over the limit is refused",
        b.put_entries(&build_put_body(&huge, &[])?, None) == Err(RemoteError::TooLarge),
    )
}
