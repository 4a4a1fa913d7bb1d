//! Memory stores at 64 at once, beside the same statements raw:
//! `cargo run --release -p mem-server --example stores_speed -- DIR [postgres://…]`.
#![expect(clippy::print_stdout, reason = "an example prints")]

mod rows;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use mem_server::storage::stores::{
    MemoryChange, MemoryQuery, NewStore, Precondition, Scope, Writing,
};
use mem_server::storage::{Actor, ActorKind, DEFAULT_WORKSPACE, Database, OpenOptions, Place};
use tokio::task::JoinSet;

const AT_ONCE: usize = 64;
const EACH: usize = 30;
/// Memories of the store that is listed.
const LISTED: usize = 10_000;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("name a folder")?;
    let mut places = vec![Place::Directory(Path::new(&folder).join("data"))];
    places.extend(args.next().map(|url| Place::Url(url.into())));
    for place in places {
        let database = Database::open(&place, &OpenOptions::default()).await?;
        let mut stores = Vec::new();
        for number in 0..AT_ONCE {
            stores.push(store(&database, number).await?);
        }
        let full = fill(&database).await?;
        let (created, updated) = write(&database, &stores).await?;
        let (read, listed) = read(&database, &stores, &full).await?;
        database.close().await;
        let raw = rows::rates(&place, &stores, &full, AT_ONCE, EACH).await?;
        for (name, own, raw) in [
            ("create", created, raw.created),
            ("conditional update", updated, raw.updated),
            ("retrieve", read, raw.read),
            ("list a page of 100", listed, raw.listed),
        ] {
            println!(
                "{name}: {own:.0}/s, raw {raw:.0}/s, {:.2} x as long",
                raw / own
            );
        }
    }
    Ok(())
}

fn all() -> Scope {
    Scope::everything(DEFAULT_WORKSPACE)
}

fn who() -> Actor {
    Actor::new(ActorKind::User, "user_1", "one")
}

fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

async fn store(database: &Database, number: usize) -> Outcome<String> {
    let name = format!("s{number}");
    let new = NewStore {
        name,
        ..NewStore::default()
    };
    Ok(database.create_store(&all(), &new, now()).await?.id)
}

async fn fill(database: &Database) -> Outcome<String> {
    let id = store(database, LISTED).await?;
    let mut tasks = JoinSet::new();
    for number in 0..LISTED {
        let (database, id) = (database.clone(), id.clone());
        let path = format!("/folder{}/note-{number}.md", number % 100);
        tasks.spawn(async move {
            let text = "x".repeat(500);
            let made = database
                .create_memory(Writing::new(&all(), &id, &who(), now()), path, text)
                .await;
            made.map(drop)
        });
    }
    tasks
        .join_all()
        .await
        .into_iter()
        .collect::<Result<(), _>>()?;
    Ok(id)
}

/// Runs something as often as is measured, and says how many that were a second.
async fn rate<T>(
    stores: &[String],
    work: impl Fn(String, usize) -> T + Clone + Send + 'static,
) -> Outcome<f64>
where
    T: Future<Output = Outcome<()>> + Send,
{
    let before = Instant::now();
    let mut tasks = JoinSet::new();
    for store in stores {
        let (work, store) = (work.clone(), store.clone());
        tasks.spawn(async move {
            for number in 0..EACH {
                work(store.clone(), number).await?;
            }
            Outcome::Ok(())
        });
    }
    tasks
        .join_all()
        .await
        .into_iter()
        .collect::<Outcome<()>>()?;
    Ok((stores.len() * EACH) as f64 / before.elapsed().as_secs_f64())
}

async fn write(database: &Database, stores: &[String]) -> Outcome<(f64, f64)> {
    let own = database.clone();
    let created = rate(stores, move |store, number| {
        let own = own.clone();
        async move {
            let (path, text) = (format!("/own/{number}.md"), "x".repeat(500));
            let made = own
                .create_memory(Writing::new(&all(), &store, &who(), now()), path, text)
                .await;
            Ok(made.map(drop)?)
        }
    });
    let created = created.await?;
    let own = database.clone();
    let updated = rate(stores, move |store, number| {
        let own = own.clone();
        async move {
            let query = MemoryQuery {
                limit: 1,
                prefix: "/own/0.md".to_owned(),
                ..MemoryQuery::default()
            };
            let page = own.memories(&all(), &store, &query).await?;
            let Some(mem_server::storage::stores::Listed::Memory(one)) =
                page.items.into_iter().next()
            else {
                return Err("nothing to update".into());
            };
            let change = MemoryChange {
                content: Some(format!("{number} {}", "y".repeat(500))),
                precondition: Some(Precondition::ContentSha256(one.content_sha256)),
                ..MemoryChange::default()
            };
            let changed = own
                .update_memory(Writing::new(&all(), &store, &who(), now()), &one.id, change)
                .await;
            Ok(changed.map(drop)?)
        }
    });
    Ok((created, updated.await?))
}

async fn read(database: &Database, stores: &[String], full: &str) -> Outcome<(f64, f64)> {
    let query = MemoryQuery {
        limit: 1,
        ..MemoryQuery::default()
    };
    let page = database.memories(&all(), full, &query).await?;
    let Some(mem_server::storage::stores::Listed::Memory(one)) = page.items.into_iter().next()
    else {
        return Err("nothing to read".into());
    };
    let (own, store, id) = (database.clone(), full.to_owned(), one.id);
    let read = rate(stores, move |_, _| {
        let (own, store, id) = (own.clone(), store.clone(), id.clone());
        async move { Ok(own.memory(&all(), &store, &id, true).await.map(drop)?) }
    });
    let read = read.await?;
    let (own, store) = (database.clone(), full.to_owned());
    let listed = rate(stores, move |_, number| {
        let (own, store) = (own.clone(), store.clone());
        async move {
            let after = Some(format!("/folder{}/", number % 99));
            let query = MemoryQuery {
                limit: 100,
                after,
                ..MemoryQuery::default()
            };
            Ok(own.memories(&all(), &store, &query).await.map(drop)?)
        }
    });
    Ok((read, listed.await?))
}
