//! Whatever is sent, a database answers as the remote in memory does.

use mem_server::storage::RepositoryName;
use mem_sync::remote::{Fetched, InMemory, LogQuery, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody, RedactBody};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::fixture::{End, Fixture, key};

/// Twins, folders of each other, and names between them by their bytes.
const NAMES: [&str; 10] = [
    "a", "A", "a/b", "a/B/c", "a-b", "a.md", "ä", "Ä/x", "b/c/d", "b",
];

/// One request.
#[derive(Clone, Debug)]
enum Step {
    Put {
        body: PutBody,
        /// On the state of so many steps before; `None` on any.
        on: Option<usize>,
    },
    Redact(RedactBody),
}

fn step() -> impl Strategy<Value = Step> {
    let entries = proptest::collection::btree_map(0..NAMES.len(), 0..3_u8, 0..4);
    let delete =
        proptest::collection::btree_map(0..NAMES.len(), proptest::option::of(0..2_u8), 0..3);
    let revive = proptest::collection::btree_set(0..NAMES.len(), 0..3);
    let body = (entries, delete, revive).prop_map(|(entries, delete, revive)| {
        let entries = entries.into_iter();
        PutBody {
            entries: entries
                .map(|(name, text)| (key(NAMES[name]), text.to_string()))
                .collect(),
            delete: delete.keys().map(|name| key(NAMES[*name])).collect(),
            reasons: delete
                .iter()
                .filter_map(|(name, why)| Some((key(NAMES[*name]), (*why)?.to_string())))
                .collect(),
            revive: revive.iter().map(|name| key(NAMES[*name])).collect(),
        }
    });
    let put = (body, proptest::option::of(0..3_usize));
    prop_oneof![
        6 => put.prop_map(|(body, on)| Step::Put { body, on }),
        1 => (0..NAMES.len(), any::<bool>()).prop_map(|(name, goes)| {
            let key = key(NAMES[name]);
            Step::Redact(RedactBody { key, name: goes })
        }),
    ]
}

/// What an answer says, but for the names of states: each end has its own.
fn said(put: &Result<PutOutcome, RemoteError>) -> String {
    match put {
        Ok(put) => {
            let codes: Vec<_> = put
                .answer
                .rejected
                .iter()
                .map(|(name, why)| (name, why.code))
                .collect();
            format!("{:?} {codes:?}", put.answer.written)
        }
        Err(RemoteError::Raced { etag }) => format!("raced, {}", etag.is_some()),
        Err(error) => error.to_string(),
    }
}

/// What is there, was there and was done.
fn state(remote: &mut impl Remote) -> (ETag, String) {
    let Ok(Fetched::Found { etag, answer, .. }) = remote.get_state(&StateQuery::default(), None)
    else {
        panic!("nothing was found");
    };
    let entries: Vec<_> = answer
        .entries
        .iter()
        .map(|(key, entry)| (key, &entry.content))
        .collect();
    let deleted: Vec<_> = answer
        .deleted
        .iter()
        .map(|(key, gone)| (key, gone.sha256))
        .collect();
    let mut log: Vec<_> = remote.read_log(&LogQuery::default()).unwrap().changes;
    log.sort_by(|a, b| (&a.key, a.version).cmp(&(&b.key, b.version)));
    let log: Vec<_> = log
        .iter()
        .map(|one| {
            (
                &one.key,
                one.operation,
                one.sha256,
                one.redacted_at.is_some(),
                one.reason.clone(),
            )
        })
        .collect();
    (etag, format!("{entries:?} {deleted:?} {log:?}"))
}

fn check(steps: &[Step], database: &mut End<'_>) -> Result<(), TestCaseError> {
    let mut model = InMemory::default().for_actor("a");
    let mut states = vec![(state(&mut model).0, state(database).0)];
    for step in steps {
        match step {
            Step::Put { body, on } => {
                let on = on.map(|back| &states[states.len().saturating_sub(back + 1)]);
                let wanted = model.put_entries(body, on.map(|on| &on.0));
                let found = database.put_entries(body, on.map(|on| &on.1));
                prop_assert_eq!(said(&wanted), said(&found));
            }
            Step::Redact(what) => {
                let wanted = model.redact_key(what);
                let found = database.redact_key(what);
                let count = |done: Result<mem_sync::wire::RedactOutcome, RemoteError>| match done {
                    Ok(done) => Ok(done.redacted),
                    Err(error) => Err(std::mem::discriminant(&error)),
                };
                prop_assert_eq!(count(wanted), count(found));
            }
        }
        let (wanted, found) = (state(&mut model), state(database));
        prop_assert_eq!(wanted.1, found.1);
        let is_known = |known: &(ETag, ETag)| (known.0 == wanted.0, known.1 == found.0);
        let known = states.iter().map(is_known);
        for (in_model, in_database) in known {
            prop_assert_eq!(
                in_model,
                in_database,
                "the names of states are not told apart alike"
            );
        }
        states.push((wanted.0, found.0));
    }
    Ok(())
}

#[test]
fn a_database_answers_as_the_remote_in_memory() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        let cases = std::cell::Cell::new(0);
        let config = Config {
            cases: 24,
            failure_persistence: None,
            max_shrink_iters: 200,
            ..Config::default()
        };
        let steps = proptest::collection::vec(step(), 1..10);
        let outcome = TestRunner::new(config).run(&steps, |steps| {
            cases.set(cases.get() + 1);
            let mut end = fixture.end(&database, "a");
            end.repo = RepositoryName::parse(&format!("acme/case{}", cases.get())).unwrap();
            check(&steps, &mut end)
        });
        outcome.unwrap();
    }
}
