//! PUTs at 64 at once into a database whose contents are sealed, beside one whose are not:
//! `cargo run --release -p mem-server --example sealing_speed -- DIR`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use jiff::Timestamp;
use mem_server::storage::{
    Actor, ActorKind, Database, MasterSource, OpenOptions, Place, RepositoryName,
};
use mem_sync::Key;
use mem_sync::wire::PutBody;
use mem_vault::{MasterKey, MasterKeys};
use tokio::task::JoinSet;

const AT_ONCE: usize = 64;
const EACH: usize = 50;
const ROUNDS: usize = 9;
/// Bytes of an entry: that of the bench, and a long note.
const SIZES: [usize; 2] = [500, 8000];

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder")?);
    std::fs::create_dir_all(&folder)?;
    let line = MasterKey::generate()?.to_line();
    let master = MasterSource::new(move || MasterKeys::parse(&line));
    let plain = open(&folder.join("plain"), MasterSource::none()).await?;
    let sealed = open(&folder.join("sealed"), master).await?;
    sealed.encrypt().await?;
    for size in SIZES {
        let mut took = [const { Vec::new() }; 2];
        for round in 0..=ROUNDS {
            // The one that goes first is another each time.
            for which in [round % 2, 1 - round % 2] {
                let database = [&plain, &sealed][which];
                let seconds = puts(database, round, size).await?;
                // The first fills caches.
                if round > 0 {
                    took[which].push(seconds);
                }
            }
        }
        let [plain, sealed] = took.map(median);
        let rate = |seconds: f64| (AT_ONCE * EACH) as f64 / seconds;
        println!(
            "{size} bytes: plain {:.0}/s, sealed {:.0}/s, {:.2} x the time",
            rate(plain),
            rate(sealed),
            sealed / plain
        );
    }
    Ok(())
}

async fn open(folder: &Path, master: MasterSource) -> Outcome<Database> {
    let options = OpenOptions {
        master,
        ..OpenOptions::default()
    };
    Ok(Database::open(&Place::Directory(folder.to_owned()), &options).await?)
}

async fn puts(database: &Database, round: usize, size: usize) -> Outcome<f64> {
    let before = Instant::now();
    let mut all = JoinSet::new();
    for writer in 0..AT_ONCE {
        all.spawn(write(database.clone(), writer, round, size));
    }
    all.join_all().await.into_iter().collect::<Outcome>()?;
    Ok(before.elapsed().as_secs_f64())
}

async fn write(database: Database, writer: usize, round: usize, size: usize) -> Outcome {
    let repo = RepositoryName::parse("acme/app")?;
    let actor = Actor::new(ActorKind::User, "user_1", "one");
    for number in 0..EACH {
        let mut body = PutBody::default();
        let text = format!("{writer} {round} {number} {}", "x".repeat(size));
        body.entries
            .insert(Key::parse(&format!("w{writer}.md"))?, text);
        let now = Timestamp::from_second(1_800_000_000)?;
        database.write(&repo, body, None, &actor, now).await?;
    }
    Ok(())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or_default()
}
