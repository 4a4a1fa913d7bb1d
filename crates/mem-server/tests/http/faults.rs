//! Many people at once over a line that breaks: all end up with the same, nothing is lost, and the server
//! stays small.

use std::sync::atomic::Ordering;
use std::thread;

use mem_sync::EntryKey;
use mem_tests::{Server, TestEnv};

use super::line::Line;
use super::machine::Machine;
use super::remote;

/// Five of a hundred.
const FAULTS_OF_THOUSAND: u64 = 50;
/// Rounds that one edit may need before the next is made all the same.
const ROUNDS_MAX: usize = 6;

/// How large the world is.
#[derive(Clone, Copy)]
struct World {
    people: usize,
    /// Of each of them.
    edits: usize,
    keys: usize,
    /// What the server may ever have in memory, unoptimised.
    rss_kib_max: u64,
    /// Requests a second of all of them together; 0: any number.
    rate_limit: &'static str,
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
fn work(machine: &mut Machine, name: usize, world: World) -> Vec<String> {
    let mut lines = Vec::new();
    for edit in 0..world.edits {
        lines.push(machine.edit(&key((name * 7 + edit * 5) % world.keys)));
        let mut rounds = 0;
        while !machine.round() && rounds < ROUNDS_MAX {
            rounds += 1;
        }
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

/// Lets everybody work over a line that breaks, mends it, and looks at what they have then. Returns the figures.
fn hold(world: World) -> String {
    let env = TestEnv::new();
    let server = Server::start(
        &env,
        &["--insecure-no-auth", "--rate-limit", world.rate_limit],
    );
    let line = Line::to(server.address, FAULTS_OF_THOUSAND);
    let base = format!("http://{}", line.address);
    let mut people: Vec<Machine> = (0..world.people)
        .map(|name| Machine::new(name, remote(&base, "acme/app", &format!("p{name}"), None)))
        .collect();
    let written: Vec<String> = thread::scope(|scope| {
        let days: Vec<_> = people
            .iter_mut()
            .enumerate()
            .map(|(name, machine)| scope.spawn(move || work(machine, name, world)))
            .collect();
        days.into_iter()
            .flat_map(|day| day.join().unwrap())
            .collect()
    });
    let faults = line.happened.load(Ordering::SeqCst);
    assert!(faults > 20, "the line held");
    line.mend();
    // Once for what waits, once for what the others had.
    for _ in 0..2 {
        for machine in &mut people {
            assert!((0..20).any(|_| machine.round()), "a round does not end");
        }
    }
    assert_eq!(written.len(), world.people * world.edits);
    nothing_is_lost(&people, &written);
    let peak = peak_kib(server.id());
    assert!(peak < world.rss_kib_max, "the server had {peak} KiB");
    format!(
        "{} edits, {faults} faults, all alike, none lost; server peak {} MB ({})",
        written.len(),
        peak / 1024,
        world.rss_kib_max / 1024
    )
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
