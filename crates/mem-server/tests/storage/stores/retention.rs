//! Which versions end, and when.

use jiff::SignedDuration;
use mem_server::storage::VersionRetention;
use mem_server::storage::stores::{StoreRefusal, Writing};
use mem_sync::remote::StateQuery;
use mem_sync::wire::PutBody;

use super::super::fixture::{Fixture, actor, body, key, now, put, repo};
use super::{all, content, create, refusal, store, update, versions};

#[test]
fn old_versions_end_but_the_newest_of_a_live_memory_stay() {
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        let [one, two] = &databases;
        let retention = VersionRetention {
            days: 30,
            versions: 3,
            ..VersionRetention::default()
        };
        fixture.runtime.block_on(async {
            let id = store(one, "kept").await.id;
            let live = create(one, &id, "/live", "0").await.unwrap();
            for number in 1..6 {
                update(one, &id, &live.id, content(&number.to_string()))
                    .await
                    .unwrap();
            }
            let dead = create(one, &id, "/dead", "x").await.unwrap();
            one.delete_memory(Writing::new(&all(), &id, &actor(), now()), &dead.id, None)
                .await
                .unwrap();
            let almost = now() + SignedDuration::from_hours(30 * 24);
            assert_eq!(two.prune(&retention, almost).await.unwrap(), 0);
            assert_eq!(versions(one, &id).await.len(), 8);
            let then = almost + SignedDuration::from_secs(1);
            let young = one
                .update_memory(
                    Writing::new(&all(), &id, &actor(), then),
                    &live.id,
                    content("6"),
                )
                .await
                .unwrap();
            // Both replicas at once: harmless.
            let (here, there) =
                tokio::join!(one.prune(&retention, then), two.prune(&retention, then));
            assert_eq!(here.unwrap() + there.unwrap(), 4 + 2);
            let left = versions(two, &id).await;
            let texts: Vec<_> = left
                .iter()
                .map(|version| version.content.as_deref().unwrap())
                .collect();
            assert_eq!(texts, ["6", "5", "4"]);
            assert_eq!(left[0].id, young.version_id);
            assert_eq!(
                refusal(one.memory(&all(), &id, &dead.id, true).await),
                StoreRefusal::NoMemory
            );
            let ages = then + SignedDuration::from_hours(365 * 24);
            let none = VersionRetention {
                days: 0,
                versions: 0,
                ..retention
            };
            assert_eq!(one.prune(&none, ages).await.unwrap(), 2);
            let found = two.memory(&all(), &id, &live.id, true).await.unwrap();
            assert_eq!(
                found.content.as_deref(),
                Some("6"),
                "what is there now stays"
            );
            assert_eq!(one.prune(&none, ages).await.unwrap(), 0);
        });
    }
}

#[test]
fn many_old_versions_end_and_what_was_deleted_stays_so() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            for part in 0..3 {
                let names: Vec<String> = (0..700).map(|n| format!("n{n}")).collect();
                let text = part.to_string();
                put(
                    &database,
                    body(names.iter().map(|name| (name.as_str(), text.as_str()))),
                )
                .await;
            }
            let delete = (0..100).map(|n| key(&format!("n{n}"))).collect();
            put(
                &database,
                PutBody {
                    delete,
                    ..PutBody::default()
                },
            )
            .await;
            let before = database
                .read(&repo(), &StateQuery::default())
                .await
                .unwrap();
            let then = now() + SignedDuration::from_hours(31 * 24);
            let retention = VersionRetention {
                versions: 1,
                ..VersionRetention::default()
            };
            // Three of each that is dead, two of each that lives.
            assert_eq!(
                database.prune(&retention, then).await.unwrap(),
                100 * 3 + 600 * 2
            );
            let after = database
                .read(&repo(), &StateQuery::default())
                .await
                .unwrap();
            assert_eq!(
                after, before,
                "neither entries nor tombstones nor their actors changed"
            );
            assert_eq!(after.1.deleted.len(), 100);
        });
    }
}
