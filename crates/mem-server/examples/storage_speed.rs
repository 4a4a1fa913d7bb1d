//! PUTs and states per second at 64 at once, beside raw transactions of SQLite:
//! `cargo run --release -p mem-server --example storage_speed -- DIR [postgres://…]`.
#![expect(clippy::print_stdout, reason = "an example prints")]

#[path = "yardstick/raw.rs"]
mod raw;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use mem_server::storage::{Actor, ActorKind, Database, OpenOptions, Place, RepositoryName};
use mem_sync::Key;
use mem_sync::remote::Query;
use mem_sync::wire::PutBody;
use tokio::task::JoinSet;

const AT_ONCE: usize = 64;
const EACH: usize = 40;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("name a folder")?;
    std::fs::create_dir_all(&folder)?;
    let raw = raw::rate(Path::new(&folder), AT_ONCE, EACH).await?;
    println!("raw transactions of SQLite: {raw:.0}/s");
    let mut places = vec![Place::Directory(Path::new(&folder).join("data"))];
    places.extend(args.next().map(|url| Place::Url(url.into())));
    for place in places {
        let database = Database::open(&place, &OpenOptions::default()).await?;
        let repo = RepositoryName::parse("acme/app")?;
        let before = Instant::now();
        let mut all = JoinSet::new();
        for writer in 0..AT_ONCE {
            all.spawn(write(database.clone(), repo.clone(), writer));
        }
        all.join_all().await.into_iter().collect::<Outcome>()?;
        let rate = (AT_ONCE * EACH) as f64 / before.elapsed().as_secs_f64();
        println!("PUTs: {rate:.0}/s, {:.2} x raw", rate / raw);
        let before = Instant::now();
        for _ in 0..10_000 {
            database.state(&repo).await?;
        }
        let each = before.elapsed().as_secs_f64() * 1e6 / 10_000.0;
        println!("states: {each:.2} us each");
        pull(&database).await?;
        database.close().await;
    }
    Ok(())
}

/// Fills a store with 10,000 entries of 2 KB, and reads it whole.
async fn pull(database: &Database) -> Outcome {
    let repo = RepositoryName::parse("acme/full")?;
    let actor = Actor::new(ActorKind::User, "user_1", "one");
    let before = Instant::now();
    for part in 0..100 {
        let mut body = PutBody::default();
        for number in 0..100 {
            let key = Key::parse(&format!("folder{part}/note-{number}.md"))?;
            body.entries
                .insert(key, format!("{part} {number} {}", "x".repeat(2000)));
        }
        let now = Timestamp::from_second(1_800_000_000)?;
        database.write(&repo, body, None, &actor, now).await?;
    }
    println!(
        "100 PUTs of 100 entries: {:.2} s",
        before.elapsed().as_secs_f64()
    );
    for hashes in [false, true] {
        let query = Query {
            hashes,
            ..Query::default()
        };
        let before = Instant::now();
        let (_, answer) = database.read(&repo, &query).await?;
        let seconds = before.elapsed().as_secs_f64();
        println!(
            "{} entries, hashes {hashes}: {seconds:.3} s",
            answer.entries.len()
        );
    }
    Ok(())
}

async fn write(database: Database, repo: RepositoryName, writer: usize) -> Outcome {
    let actor = Actor::new(ActorKind::User, "user_1", "one");
    for number in 0..EACH {
        let mut body = PutBody::default();
        let text = format!("{writer} {number} {}", "x".repeat(500));
        body.entries
            .insert(Key::parse(&format!("w{writer}.md"))?, text);
        let now = Timestamp::from_second(1_800_000_000)?;
        database.write(&repo, body, None, &actor, now).await?;
    }
    Ok(())
}
