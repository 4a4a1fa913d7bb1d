//! Two servers over one PostgreSQL behave as one.

use std::time::{Duration, Instant};

use mem_tests::postgres;
use mem_tests::{Server, TestEnv};

/// Requests a second.
const LIMIT: u32 = 20;
/// What each replica admits at once.
const BURST: u32 = 5 * LIMIT;

#[test]
fn two_replicas_have_one_limit() {
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let url = cluster.database();
    let env = TestEnv::new();
    let limit = LIMIT.to_string();
    let made = env
        .invoke(["server", "token", "create", "--json", "--name", "t"])
        .args(["--grant", "team:acme/app:read"])
        .env("MEM_DATABASE_URL", &url)
        .run()
        .json();
    let token = made["token"].as_str().unwrap();
    let serve = || {
        let serve = env.invoke(["serve", "--listen", "127.0.0.1:0", "--rate-limit", &limit]);
        Server::of(serve.env("MEM_DATABASE_URL", &url))
    };
    let replicas = [serve(), serve()];
    let admitted = || {
        let ask = |server: &&Server| {
            let ask = server.store("GET", "acme/app", "&view=hashes");
            ask.token(token).send().status == 200
        };
        u32::try_from(replicas.iter().filter(ask).count()).unwrap()
    };
    // The bursts; where requests are slower than the limit they never end, and there is nothing to hold.
    let begun = Instant::now();
    let mut early = admitted();
    while begun.elapsed() < Duration::from_secs(20) {
        match admitted() {
            0 => break,
            more => early += more,
        }
    }
    assert!(early >= BURST, "{early} of a burst of {BURST}");
    // Each has to fill what the other let through before it has something to admit again.
    let begun = Instant::now();
    let mut late = 0;
    while begun.elapsed() < Duration::from_secs(12) {
        late += admitted();
    }
    let seconds = begun.elapsed().as_secs_f64();
    let each = f64::from(late) / seconds;
    // Without the exchange it is twice the limit.
    assert!(each < 1.5 * f64::from(LIMIT), "{each} a second");
    assert!(late > 0, "nothing is admitted any more");
}
