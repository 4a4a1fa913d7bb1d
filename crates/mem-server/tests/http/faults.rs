//! Many people at once over a line that breaks: all end up with the same, nothing is lost, and the server
//! stays small.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mem_sync::EntryKey;
use mem_tests::postgres::{self, Cluster};
use mem_tests::{Server, TestEnv};

use super::client_machine::Machine;
use super::faulty_proxy::Line;
use super::remote;

/// Five of a hundred.
const FAULTS_OF_THOUSAND: u64 = 50;
/// Rounds that one edit may need before the next is made all the same.
const ROUNDS_MAX: usize = 6;

/// How large the world is.
#[derive(Clone, Copy)]
pub(super) struct World {
    pub(super) people: usize,
    /// Of each of them.
    pub(super) edits: usize,
    pub(super) keys: usize,
    /// What the server may ever have in memory, unoptimised.
    pub(super) rss_kib_max: u64,
    /// Requests a second of all of them together; 0: any number.
    pub(super) rate_limit: &'static str,
}

fn key(number: usize) -> EntryKey {
    // Every third is an index, whose lines are a set.
    let name = match number % 3 {
        0 => format!("d{number}/MEMORY.md"),
        _ => format!("d{number}/note.md"),
    };
    EntryKey::parse(&name).unwrap()
}

/// One person's day; returns the lines they wrote.
fn work(machine: &mut Machine, name: usize, world: World, edits: &AtomicUsize) -> Vec<String> {
    let mut lines = Vec::new();
    for edit in 0..world.edits {
        lines.push(machine.edit(&key((name * 7 + edit * 5) % world.keys)));
        let mut rounds = 0;
        while !machine.round() && rounds < ROUNDS_MAX {
            rounds += 1;
        }
        edits.fetch_add(1, Ordering::SeqCst);
    }
    lines
}

/// The most memory that a process ever had.
fn peak_kib(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

#[test]
fn many_people_over_a_broken_line_end_up_with_the_same() {
    hold(World {
        people: 24,
        edits: 12,
        keys: 9,
        rss_kib_max: 150 * 1024,
        rate_limit: "100",
    });
}

/// Minutes where nothing is optimised: `cargo xtask bench` runs it.
#[test]
#[ignore = "minutes; `cargo xtask bench --only faults` runs it"]
fn two_hundred_people_over_a_broken_line_end_up_with_the_same() {
    let figures = hold(World {
        people: 200,
        edits: 12,
        keys: 90,
        rss_kib_max: 200 * 1024,
        rate_limit: "0",
    });
    println!("figures: {figures}");
}

#[test]
fn a_primary_that_dies_costs_nobody_a_line() {
    hold_on(World {
        people: 24,
        edits: 12,
        keys: 9,
        rss_kib_max: 0,
        rate_limit: "0",
    });
}

#[test]
#[ignore = "minutes; `cargo xtask bench --only faults` runs it"]
fn a_primary_that_dies_costs_none_of_two_hundred_people_a_line() {
    let figures = hold_on(World {
        people: 200,
        edits: 12,
        keys: 90,
        rss_kib_max: 0,
        rate_limit: "0",
    });
    println!("figures: {}", figures.unwrap_or_default());
}

/// Lets everybody work over a line that breaks, mends it, and looks at what they have then. Returns the figures.
fn hold(world: World) -> String {
    let env = TestEnv::new();
    let server = Server::start(
        &env,
        &["--insecure-no-auth", "--rate-limit", world.rate_limit],
    );
    let line = Line::to(server.address, FAULTS_OF_THOUSAND);
    let mut people = people(world, &[format!("http://{}", line.address)]);
    let written = everybody_works(&mut people, world, |_| {});
    let faults = line.happened.load(Ordering::SeqCst);
    assert!(faults > 20, "the line held");
    line.mend();
    everybody_ends_up_alike(&mut people, &written);
    let peak = peak_kib(server.id());
    assert!(peak < world.rss_kib_max, "the server had {peak} KiB");
    format!(
        "{} edits, {faults} faults, all alike, none lost; server peak {} MB ({})",
        written.len(),
        peak / 1024,
        world.rss_kib_max / 1024
    )
}

/// Lets everybody work over two replicas whose database dies and is taken over by its standby. Returns the figures;
/// `None` where PostgreSQL is not to be tested.
fn hold_on(world: World) -> Option<String> {
    if !postgres::is_wanted() {
        return None;
    }
    let primary = Cluster::start();
    primary.database();
    let standby = primary.start_standby();
    let env = TestEnv::new();
    let serve = || {
        let serve = env.invoke(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
        let serve = serve.args(["--rate-limit", world.rate_limit]);
        Server::of(serve.env("MEM_DATABASE_URL", primary.url_with(&standby, "test0")))
    };
    let replicas = [serve(), serve()];
    let mut people = people(world, &replicas.each_ref().map(Server::url));
    let third = world.people * world.edits / 3;
    let mut takeover = Duration::ZERO;
    let written = everybody_works(&mut people, world, |edits| {
        while edits.load(Ordering::SeqCst) < third {
            thread::yield_now();
        }
        let begun = Instant::now();
        primary.kill();
        standby.promote();
        // A replica that answers has found the new primary.
        for replica in &replicas {
            while replica.store("GET", "acme/app", "").send().status != 200 {}
        }
        takeover = begun.elapsed();
    });
    everybody_ends_up_alike(&mut people, &written);
    Some(format!(
        "{} edits, two replicas, the primary killed and its standby promoted: all alike, none lost; answers again {:.1} s \
         after the kill",
        written.len(),
        takeover.as_secs_f64()
    ))
}

/// People, each with one of these servers.
pub(super) fn people(world: World, servers: &[String]) -> Vec<Machine> {
    let person = |name: usize| {
        let base = &servers[name % servers.len()];
        Machine::new(name, remote(base, "acme/app", &format!("p{name}"), None))
    };
    (0..world.people).map(person).collect()
}

/// Lets everybody work while something else happens, which is shown how many have ended an edit. Returns their lines.
pub(super) fn everybody_works(
    people: &mut [Machine],
    world: World,
    meanwhile: impl FnOnce(&AtomicUsize),
) -> Vec<String> {
    let edits = AtomicUsize::new(0);
    let written: Vec<String> = thread::scope(|scope| {
        let edits = &edits;
        let days: Vec<_> = people
            .iter_mut()
            .enumerate()
            .map(|(name, machine)| scope.spawn(move || work(machine, name, world, edits)))
            .collect();
        meanwhile(edits);
        days.into_iter()
            .flat_map(|day| day.join().unwrap())
            .collect()
    });
    assert_eq!(written.len(), world.people * world.edits);
    written
}

pub(super) fn everybody_ends_up_alike(people: &mut [Machine], written: &[String]) {
    // Once for what waits, once for what the others had.
    for _ in 0..2 {
        for machine in people.iter_mut() {
            assert!((0..20).any(|_| machine.round()), "a round does not end");
        }
    }
    nothing_is_lost(people, written);
}

/// All have the same files, and every text stands in them or in somebody's copies.
fn nothing_is_lost(people: &[Machine], written: &[String]) {
    let end = people[0].tier.files();
    let copies: String = people.iter().map(Machine::copies).collect();
    for machine in people {
        assert!(machine.tier.files() == end, "two machines differ");
    }
    let texts: String = end
        .values()
        .map(|bytes| String::from_utf8_lossy(bytes))
        .collect();
    for text in written {
        assert!(
            texts.contains(text) || copies.contains(text),
            "lost: {text}"
        );
    }
}
