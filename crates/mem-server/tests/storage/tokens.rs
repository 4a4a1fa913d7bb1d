//! Tokens and what they may do.

use jiff::{SignedDuration, Timestamp};
use mem_server::storage::{DEFAULT_WORKSPACE, Grant, NewToken, Verb};

use super::fixture::{Fixture, now};

fn token(number: u8, expires_at: Option<Timestamp>) -> NewToken {
    let grant = |resource: &str, verb| Grant {
        resource: resource.to_owned(),
        verb,
    };
    NewToken {
        id: format!("apikey_{number}"),
        workspace: DEFAULT_WORKSPACE.to_owned(),
        name: format!("token {number}"),
        sha256: [number; 32],
        grants: vec![
            grant("team:acme/*", Verb::Read),
            grant("team:acme/app", Verb::Write),
        ],
        expires_at,
    }
}

#[test]
fn tokens_are_found_by_hash_until_they_end() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let end = now() + SignedDuration::from_secs(60);
            database
                .create_token(&token(1, Some(end)), now())
                .await
                .unwrap();
            database.create_token(&token(2, None), end).await.unwrap();
            let found = database.token_by_hash(&[1; 32]).await.unwrap().unwrap();
            assert_eq!(
                (found.id.as_str(), found.name.as_str()),
                ("apikey_1", "token 1")
            );
            assert_eq!(found.grants.len(), 2);
            assert_eq!(found.expires_at, Some(end));
            assert!(found.is_valid(now()) && !found.is_valid(end));
            assert_eq!(database.token_by_hash(&[3; 32]).await.unwrap(), None);
            assert!(database.revoke_token("apikey_1", now()).await.unwrap());
            assert!(!database.revoke_token("apikey_1", end).await.unwrap());
            assert!(!database.revoke_token("apikey_3", end).await.unwrap());
            let all = database.tokens().await.unwrap();
            let ids: Vec<&str> = all.iter().map(|token| token.id.as_str()).collect();
            assert_eq!(ids, ["apikey_1", "apikey_2"]);
            assert_eq!(all[0].revoked_at, Some(now()));
            assert!(!all[0].is_valid(now()) && all[1].is_valid(end));
            let twice = database.create_token(&token(2, None), now()).await;
            assert!(twice.is_err(), "an id or a secret cannot be had twice");
        });
    }
}

#[test]
fn a_token_without_grants_is_a_token() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let bare = NewToken {
                grants: Vec::new(),
                ..token(1, None)
            };
            database.create_token(&bare, now()).await.unwrap();
            let found = database.token_by_hash(&[1; 32]).await.unwrap().unwrap();
            assert!(found.grants.is_empty());
        });
    }
}
