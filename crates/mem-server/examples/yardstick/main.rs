//! What `cargo xtask bench` measures the server beside, and what it asks it with:
//! `yardstick echo`, `yardstick sqlite DIR TRANSACTIONS`, `yardstick load ADDRESS STATUS REQUESTS <REQUEST`;
//! for memory stores `yardstick fill ADDRESS STORES MEMORIES`, `yardstick ask ADDRESS WHAT STORE AT_ONCE REQUESTS`,
//! `yardstick raw PLACE create|update|list REQUESTS`, `yardstick row PLACE`.
#![expect(clippy::print_stdout, reason = "an example prints")]

mod connection;
mod echo;
mod load;
mod raw;
mod sql_baseline;
mod stores;

use std::path::Path;

use sql_baseline::Raw;

/// Connections, or tasks that wait for one.
const AT_ONCE: usize = 64;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["echo"] => runtime(true)?.block_on(echo::serve()),
        ["sqlite", folder, transactions] => {
            let each = transactions.parse::<usize>()? / AT_ONCE;
            let rate = runtime(true)?.block_on(raw::rate(Path::new(folder), AT_ONCE, each))?;
            println!("{}", (AT_ONCE * each) as f64 / rate);
            Ok(())
        }
        ["load", address, status, requests] => {
            let each = requests.parse::<usize>()? / AT_ONCE;
            let seconds = runtime(false)?.block_on(load::run(address, status, AT_ONCE, each))?;
            println!("{seconds}");
            Ok(())
        }
        ["fill", address, stores, memories] => {
            runtime(false)?.block_on(stores::fill(address, stores.parse()?, memories.parse()?))
        }
        ["ask", address, what, store, at_once, requests] => {
            let (at_once, requests) = (at_once.parse()?, requests.parse()?);
            let load = stores::load(address, what, store, at_once, requests);
            let (seconds, slow) = runtime(false)?.block_on(load)?;
            println!("{seconds} {slow}");
            Ok(())
        }
        ["raw", place, what, requests] => {
            let each = requests.parse::<usize>()? / AT_ONCE;
            println!(
                "{}",
                runtime(true)?.block_on(raw_seconds(place, what, each))?
            );
            Ok(())
        }
        ["row", place] => {
            runtime(true)?.block_on(async { Raw::open(place).await?.serve_row().await })
        }
        _ => Err("echo | sqlite | load | fill | ask | raw | row".into()),
    }
}

async fn raw_seconds(place: &str, what: &str, each: usize) -> Outcome<f64> {
    let raw = Raw::open(place).await?;
    match what {
        "create" => raw.write(true, each).await,
        "update" => raw.write(false, each).await,
        "list" => raw.pages(each).await,
        what => Err(format!("no such statement: {what}").into()),
    }
}

/// As the server has it, or one thread: who asks is to take little from who answers.
fn runtime(is_server: bool) -> Outcome<tokio::runtime::Runtime> {
    let mut builder = match is_server {
        true => tokio::runtime::Builder::new_multi_thread(),
        false => tokio::runtime::Builder::new_current_thread(),
    };
    Ok(builder.enable_all().build()?)
}
