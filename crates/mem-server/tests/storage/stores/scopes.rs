//! Whoever asks with other grants, or from another workspace, finds nothing there.

use mem_server::storage::stores::{
    AccessScope, CreateStore, MemoryChange, MemoryQuery, StoreQuery, StoreRefusal, VersionQuery,
    Writing,
};
use mem_server::storage::{DEFAULT_WORKSPACE, Database, Grant, RepositoryName, Verb};

use super::super::fixture::{Fixture, actor, body, now, put};
use super::{StoresError, all, content, create, refusal, rename, store, update, versions};

fn grants(resources: &[&str]) -> Vec<Grant> {
    let grant = |resource: &&str| Grant {
        resource: (*resource).to_owned(),
        verb: Verb::Write,
    };
    resources.iter().map(grant).collect()
}

/// What every method says to somebody about a store.
async fn told(
    database: &Database,
    scope: &AccessScope,
    store: &str,
    memory: &str,
    version: &str,
) -> Vec<Option<StoreRefusal>> {
    fn said<T>(outcome: Result<T, StoresError>) -> Option<StoreRefusal> {
        match outcome {
            Ok(_) => None,
            Err(StoresError::Refused(refusal)) => Some(refusal),
            Err(StoresError::Storage(error)) => panic!("{error}"),
        }
    }
    let (who, at) = (actor(), now());
    let text = || "x".to_owned();
    let list = MemoryQuery {
        limit: 9,
        ..MemoryQuery::default()
    };
    let folders = MemoryQuery {
        roll_up: true,
        ..list.clone()
    };
    let log = VersionQuery {
        limit: 9,
        ..VersionQuery::default()
    };
    vec![
        said(database.store(scope, store).await),
        said(
            database
                .update_store(scope, store, &Default::default(), at)
                .await,
        ),
        said(
            database
                .create_memory(
                    Writing::new(scope, store, &who, at),
                    format!("/{memory}/{version}"),
                    text(),
                )
                .await,
        ),
        said(
            database
                .upsert_memory(
                    Writing::new(scope, store, &who, at),
                    "/up".to_owned(),
                    text(),
                    false,
                )
                .await,
        ),
        said(database.memory(scope, store, memory, true).await),
        said(
            database
                .update_memory(
                    Writing::new(scope, store, &who, at),
                    memory,
                    MemoryChange::default(),
                )
                .await,
        ),
        said(database.memories(scope, store, &list).await),
        said(database.memories(scope, store, &folders).await),
        said(database.count_memories(scope, store).await),
        said(database.versions(scope, store, &log).await),
        said(database.version(scope, store, version, true).await),
        said(
            database
                .redact_version(Writing::new(scope, store, &who, at), version)
                .await,
        ),
        said(
            database
                .delete_memory(Writing::new(scope, store, &who, at), memory, None)
                .await,
        ),
        said(database.archive_store(scope, store, &actor(), at).await),
        said(database.delete_store(scope, store, &actor(), now()).await),
    ]
}

#[test]
fn what_is_not_covered_is_not_there() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let other = database
                .create_workspace("other", now())
                .await
                .unwrap()
                .unwrap();
            assert_eq!(
                database.create_workspace("other", now()).await.unwrap(),
                None
            );
            assert_eq!(database.workspaces().await.unwrap().len(), 2);
            let (one, two) = (
                store(&database, "one").await.id,
                store(&database, "two").await.id,
            );
            let memory = create(&database, &one, "/a", "1").await.unwrap().id;
            update(&database, &one, &memory, content("2"))
                .await
                .unwrap();
            let version = versions(&database, &one).await.pop().unwrap().id;
            let two_only = [format!("store:{two}")];
            let two_only: Vec<&str> = two_only.iter().map(String::as_str).collect();
            let outside = [
                AccessScope::everything(&other.id),
                AccessScope::from_grants(&other.id, &grants(&["*", "store:*"]), Verb::Read),
                AccessScope::from_grants(DEFAULT_WORKSPACE, &grants(&two_only), Verb::Read),
                AccessScope::from_grants(
                    DEFAULT_WORKSPACE,
                    &grants(&["team:acme/app", "team:acme/*"]),
                    Verb::Read,
                ),
                AccessScope::from_grants(DEFAULT_WORKSPACE, &[], Verb::Read),
            ];
            let before = versions(&database, &one).await;
            for scope in &outside {
                let told = told(&database, scope, &one, &memory, &version).await;
                assert!(
                    told.iter().all(|said| *said == Some(StoreRefusal::NoStore)),
                    "{scope:?}: {told:?}"
                );
                let query = StoreQuery {
                    limit: 9,
                    include_archived: true,
                    ..StoreQuery::default()
                };
                let seen = database.stores(scope, &query).await.unwrap().items;
                assert!(seen.iter().all(|found| found.id != one), "{scope:?}");
            }
            assert_eq!(
                versions(&database, &one).await,
                before,
                "somebody changed it"
            );
            // Ids of one store say nothing of another that one may see.
            let told = told(&database, &all(), &two, &memory, &version).await;
            let missing = told.iter().filter(|said| {
                matches!(said, Some(StoreRefusal::NoMemory | StoreRefusal::NoVersion))
            });
            assert_eq!(missing.count(), 5, "{told:?}");
            let refused = database
                .create_store(&outside[2], &CreateStore::default(), &actor(), now())
                .await;
            assert_eq!(refusal(refused), StoreRefusal::MayNotCreate);
        });
    }
}

#[test]
fn grants_cover_what_they_name_and_nothing_beside_it() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let plain = store(&database, "plain").await.id;
            put(&database, body([("a.md", "1")])).await;
            let repo = RepositoryName::parse("acme/apple").unwrap();
            database
                .write(&repo, body([("a.md", "1")]), None, &actor(), now())
                .await
                .unwrap();
            let query = StoreQuery {
                limit: 9,
                ..StoreQuery::default()
            };
            let exact = format!("store:{plain}");
            let cases: [(&[&str], &[&str]); 6] = [
                (&["*"], &["acme/app", "acme/apple", "plain"]),
                (&["store:*"], &["plain"]),
                (&[exact.as_str()], &["plain"]),
                (&["team:acme/app"], &["acme/app"]),
                (&["team:acme/*", "team:acm/*"], &["acme/app", "acme/apple"]),
                (&["team:acme/app", "store:*"], &["acme/app", "plain"]),
            ];
            for (resources, want) in cases {
                let scope =
                    AccessScope::from_grants(DEFAULT_WORKSPACE, &grants(resources), Verb::Write);
                let found = database.stores(&scope, &query).await.unwrap().items;
                let mut names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
                names.sort_unstable();
                assert_eq!(names, want, "{resources:?}");
            }
            let scopes = [&["team:acme/app"][..], &["store:*"][..]];
            let [team, plainly] = scopes
                .map(|one| AccessScope::from_grants(DEFAULT_WORKSPACE, &grants(one), Verb::Write));
            // Two callers in one group: each sees its own.
            let write = |scope: AccessScope, store: String, path: &'static str| {
                let database = database.clone();
                tokio::spawn(async move {
                    database
                        .create_memory(
                            Writing::new(&scope, &store, &actor(), now()),
                            path.to_owned(),
                            "x".to_owned(),
                        )
                        .await
                })
            };
            let own = write(plainly, plain.clone(), "/own");
            let others = write(team, plain.clone(), "/others");
            own.await.unwrap().unwrap();
            assert_eq!(refusal(others.await.unwrap()), StoreRefusal::NoStore);
            let memory = create(&database, &plain, "/m", "1").await.unwrap();
            update(&database, &plain, &memory.id, rename("/n"))
                .await
                .unwrap();
        });
    }
}
