//! The three tools for whoever asks, over REST and MCP alike: input and answers are [`mem_records::input`]'s and
//! [`mem_records::shape`]'s.

use mem_core::Now;
use mem_records::input::{self, Fields};
use mem_records::text_records::{TextRecords, TextStorage as _};
use mem_records::{InvalidRecord, RecordError, RecordId, Records as _, shape};
use mem_secrets::{InputOrigin, Scanner};
use serde_json::{Value, json};

use super::namespace;
use super::store_storage::StoreStorage;
use crate::access::Caller;
use crate::app::Shared;
use crate::concurrency_limit;
use crate::http::problem::HttpProblem;
use crate::storage::Verb;

/// Why there is no answer.
pub(crate) enum CallFailure {
    /// What was asked for cannot be done, in words for whoever asked.
    Record(RecordError),
    /// The server cannot do it.
    Server(HttpProblem),
}

impl From<HttpProblem> for CallFailure {
    fn from(problem: HttpProblem) -> Self {
        Self::Server(problem)
    }
}

impl From<RecordError> for CallFailure {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl From<InvalidRecord> for CallFailure {
    fn from(error: InvalidRecord) -> Self {
        Self::Record(error.into())
    }
}

/// `memory_store`.
pub(crate) async fn store(
    app: &Shared,
    caller: &Caller,
    fields: &Fields,
) -> Result<Value, CallFailure> {
    let new = input::parse_store(fields)?;
    let now = Now((app.now)());
    let work = move |storage: StoreStorage| {
        let mut records = TextRecords::new(storage);
        let mut stored = records.store(&new, now)?;
        let closed = records.into_storage().closed();
        stored
            .warnings
            .extend(unread(&closed, "compared with nothing"));
        Ok(stored)
    };
    let told = secrets_of(fields);
    let mut stored = with_storage(app, caller, Verb::Write, work).await?;
    stored.warnings.extend(told);
    Ok(shape::stored(&stored))
}

/// `memory_retrieve`.
pub(crate) async fn retrieve(
    app: &Shared,
    caller: &Caller,
    fields: &Fields,
) -> Result<Value, CallFailure> {
    let query = input::parse_retrieve(fields)?;
    let now = Now((app.now)());
    let work = move |storage: StoreStorage| {
        let mut records = TextRecords::new(storage);
        let answer = records.retrieve(&query, now)?;
        Ok((answer, records.into_storage().closed()))
    };
    let (answer, closed) = with_storage(app, caller, Verb::Read, work).await?;
    Ok(shape::warned(
        shape::retrieved(&answer),
        &unread(&closed, LEFT_OUT),
    ))
}

/// `memory_delete`.
pub(crate) async fn delete(
    app: &Shared,
    caller: &Caller,
    fields: &Fields,
) -> Result<Value, CallFailure> {
    let wanted = input::parse_delete(fields)?;
    // The trail outlives the record, and is read by more than wrote it.
    let reason = mem_secrets::redacted(&wanted.reason);
    let is_blanked = reason != wanted.reason;
    let now = Now((app.now)());
    let work = move |storage| TextRecords::new(storage).delete(&wanted.id, &reason, now);
    let deleted = with_storage(app, caller, Verb::Write, work).await?;
    let mut answer = json!({ "success": true, "memory_id": deleted.id.as_str() });
    if is_blanked {
        answer["warnings"] = json!([REASON_BLANKED]);
    }
    Ok(answer)
}

/// What is said of a record that holds secrets: their kinds, never they themselves.
fn secrets_of(fields: &Fields) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for text in fields.values().flat_map(texts) {
        let found = Scanner::new().scan(text.as_bytes(), &InputOrigin::path("record"));
        kinds.extend(found.into_iter().map(|one| one.rule));
    }
    kinds.sort_unstable();
    kinds.dedup();
    let told = kinds.iter().map(|kind| {
        format!(
            "the record holds what looks like a secret ({kind}): store where it is kept instead, delete this record \
             and replace the secret"
        )
    });
    told.collect()
}

/// The texts of a field.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// What is said of a reason that held a secret.
const REASON_BLANKED: &str = "the reason held a secret: it is kept without";

/// Does work with the records of whoever asks, on a thread that may wait for the database. Writers of one namespace go
/// one after the other here, so that none of them decides by what another is about to change; those of other replicas
/// are held back by the database.
pub(super) async fn with_storage<T: Send + 'static>(
    app: &Shared,
    caller: &Caller,
    verb: Verb,
    work: impl FnOnce(StoreStorage) -> Result<T, RecordError> + Send + 'static,
) -> Result<T, CallFailure> {
    let store = namespace::of(app, caller).await?;
    let turn = match verb {
        Verb::Read => None,
        Verb::Write => Some(app.writers.take(&store.store).await?),
    };
    // Each may hold all texts of a namespace.
    let part = concurrency_limit::acquire(&app.parts).await?;
    let storage = StoreStorage::new(app, caller, store);
    // Whoever asked may go away: the turns end with the work.
    let done = tokio::task::spawn_blocking(move || {
        let done = work(storage);
        drop((turn, part));
        done
    });
    let done = done.await.map_err(|_| HttpProblem::internal())?;
    Ok(done?)
}

/// What is said of records that stay unread in an answer.
pub(super) const LEFT_OUT: &str = "left out";
/// Records that are named.
const NAMED_MAX: usize = 10;

/// What is said of records that cannot be opened: how many, which, and that others are served without them; never why,
/// which the log has.
pub(super) fn unread(closed: &[RecordId], done: &str) -> Vec<String> {
    if closed.is_empty() {
        return Vec::new();
    }
    let named = closed.iter().take(NAMED_MAX).map(|id| format!("`{id}`"));
    let named = named.collect::<Vec<_>>().join(", ");
    let others = match closed.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let count = match closed.len() {
        1 => "1 memory".to_owned(),
        count => format!("{count} memories"),
    };
    vec![format!(
        "{count} cannot be opened ({done}): {named}{others}; the server's log says why"
    )]
}
