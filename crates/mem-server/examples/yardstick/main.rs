//! What `cargo xtask bench` measures the server beside, and what it asks it with:
//! `yardstick echo`, `yardstick sqlite DIR TRANSACTIONS`, `yardstick load ADDRESS STATUS REQUESTS <REQUEST`.
#![expect(clippy::print_stdout, reason = "an example prints")]

mod echo;
mod load;
mod raw;

use std::path::Path;

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
        _ => Err("echo | sqlite DIR TRANSACTIONS | load ADDRESS STATUS REQUESTS".into()),
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
