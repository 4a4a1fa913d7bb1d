//! What many look up at once one statement finds, and everybody sees what they may.

use futures_util::future::join_all;
use mem_server::storage::stores::{Refusal, Scope};
use mem_server::storage::{DEFAULT_WORKSPACE, Grant, NewToken, RepositoryName, Verb};

use super::super::bed::{Bed, actor, body, now};
use super::{all, create, refusal, store};

fn grant(resource: String) -> Grant {
    let verb = Verb::Read;
    Grant { resource, verb }
}

#[test]
fn everybody_gets_their_memory_and_nobody_elses() {
    for bed in Bed::all() {
        let database = bed.open();
        bed.runtime.block_on(async {
            let stores = [store(&database, "a").await, store(&database, "b").await];
            let mut memories = Vec::new();
            for number in 0..90 {
                let store = stores[number % 2].id.clone();
                let path = format!("/n{number}.md");
                let made = create(&database, &store, &path, &path).await.unwrap();
                memories.push((store, made.id, path));
            }
            let scope_of = |store: &str| {
                let grants = [grant(format!("store:{store}"))];
                Scope::of(DEFAULT_WORKSPACE, &grants, Verb::Read)
            };
            let scopes = [scope_of(&stores[0].id), scope_of(&stores[1].id), all()];
            let asked = memories.iter().flat_map(|memory| {
                let each = scopes.iter().enumerate();
                each.flat_map(move |(nth, scope)| {
                    [true, false].map(|full| (memory, nth, scope, full))
                })
            });
            let asked: Vec<_> = asked.collect();
            let answers = asked
                .iter()
                .map(|((store, id, _), _, scope, full)| database.memory(scope, store, id, *full));
            let answers = join_all(answers).await;
            for (((store, id, path), nth, _, full), answer) in std::iter::zip(asked, answers) {
                let may = nth == 2 || *store == stores[nth].id;
                if !may {
                    assert_eq!(refusal(answer), Refusal::NoStore);
                    continue;
                }
                let found = answer.unwrap();
                assert_eq!((&found.id, &found.store_id, &found.path), (id, store, path));
                assert_eq!(found.content, full.then(|| path.clone()));
            }
            // Ids of the other store, and of none, among those that are there.
            let (a, b) = (&memories[0], &memories[1]);
            let mixed = [
                (&a.0, a.1.as_str()),
                (&a.0, &b.1),
                (&b.0, &b.1),
                (&a.0, "mem_none"),
            ];
            let scope = all();
            let mixed = mixed.map(|(store, id)| database.memory(&scope, store, id, true));
            let told = join_all(mixed).await.into_iter().map(|one| one.is_ok());
            assert_eq!(told.collect::<Vec<bool>>(), [true, false, true, false]);
        });
    }
}

#[test]
fn a_token_that_was_revoked_is_revoked_for_all_who_ask_from_then_on() {
    for bed in Bed::all() {
        let database = bed.open();
        bed.runtime.block_on(async {
            for number in 0..70 {
                let token = NewToken {
                    id: format!("apikey_{number}"),
                    workspace: DEFAULT_WORKSPACE.to_owned(),
                    name: String::new(),
                    sha256: [number; 32],
                    grants: vec![
                        grant(format!("team:acme/r{number}")),
                        grant("store:*".to_owned()),
                    ],
                    expires_at: None,
                };
                database.create_token(&token, now()).await.unwrap();
            }
            let hashes: Vec<[u8; 32]> = (0..80).map(|number| [number; 32]).collect();
            for revoked in 0..3 {
                let id = format!("apikey_{revoked}");
                assert!(database.revoke_token(&id, now()).await.unwrap());
                let found = hashes.iter().map(|hash| database.token_by_hash(hash));
                for (number, found) in join_all(found).await.into_iter().enumerate() {
                    let Some(found) = found.unwrap() else {
                        assert!(number >= 70);
                        continue;
                    };
                    assert_eq!(found.id, format!("apikey_{number}"));
                    assert_eq!(found.grants.len(), 2);
                    assert_eq!(found.is_valid(now()), number > revoked);
                }
            }
        });
    }
}

#[test]
fn the_states_of_repositories_are_those_after_the_last_write() {
    for bed in Bed::all() {
        let database = bed.open();
        bed.runtime.block_on(async {
            let repos: Vec<RepositoryName> = (0..40)
                .map(|number| RepositoryName::parse(&format!("acme/r{number}")).unwrap())
                .collect();
            let states = async || {
                let states = repos.iter().map(|repo| database.state(repo));
                let states = join_all(states).await.into_iter().map(Result::unwrap);
                states.collect::<Vec<_>>()
            };
            let none = states().await;
            assert!(none.windows(2).all(|two| two[0] == two[1]));
            let mut before = none;
            let who = actor();
            for repo in &repos[..2] {
                let written = database.write(repo, body([("a.md", "x")]), None, &who, now());
                written.await.unwrap();
                let after = states().await;
                let changed = std::iter::zip(&before, &after)
                    .filter(|(a, b)| a != b)
                    .count();
                assert_eq!(changed, 1);
                before = after;
            }
        });
    }
}
