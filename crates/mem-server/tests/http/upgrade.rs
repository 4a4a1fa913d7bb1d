//! A rolling upgrade: replicas of the version before and of this one over one database.
//!
//! `cargo xtask upgrade TAG` builds the version before and runs this.

use std::ffi::OsString;

use mem_tests::postgres::{self, Cluster};
use mem_tests::{Server, TestEnv};

use super::faults::{World, everybody_ends_up_alike, everybody_works, people};

/// Names the binary of the version before.
const BEFORE: &str = "MEM_BIN_BEFORE";

#[expect(
    clippy::disallowed_methods,
    reason = "how `cargo xtask upgrade` says which binary"
)]
fn before() -> OsString {
    std::env::var_os(BEFORE).expect("`cargo xtask upgrade TAG` sets it")
}

#[test]
#[ignore = "needs the binary of the version before: `cargo xtask upgrade TAG`"]
fn replicas_of_two_versions_serve_one_database() {
    if !postgres::is_wanted() {
        return;
    }
    let cluster = Cluster::start();
    let url = cluster.database();
    let env = TestEnv::new();
    let world = World {
        people: 12,
        edits: 12,
        keys: 9,
        rss_kib_max: 0,
        rate_limit: "0",
    };
    let serve = || {
        let serve = env.invoke(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
        let serve = serve.args(["--rate-limit", world.rate_limit]);
        serve.env("MEM_DATABASE_URL", &url)
    };
    let old = serve().env(BEFORE, before());
    let old = Server::of(old.through_shell(&format!("exec \"${BEFORE}\" \"$@\"")));
    let base = old.url();
    let mut early = people(world, std::slice::from_ref(&base));
    let mut written = everybody_works(&mut early, world, |_| {});
    // The new version migrates while the old one serves, and then both serve.
    let new = Server::of(serve());
    let mut both = people(world, &[base, new.url()]);
    written.extend(everybody_works(&mut both, world, |_| {}));
    // The old version ends; its clients go on with the new one.
    let log = old.end();
    assert!(
        !log.contains("\"status\":5") && !log.contains(" 500 "),
        "{log}"
    );
    let mut late = people(world, &[new.url()]);
    written.extend(everybody_works(&mut late, world, |_| {}));
    everybody_ends_up_alike(&mut late, &written);
}
