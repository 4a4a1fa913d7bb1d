//! Many people at once over a line that breaks: all end up with the same, nothing is lost, and the server
//! stays small.

use std::sync::atomic::Ordering;
use std::thread;

use mem_sync::Key;
use mem_tests::{Server, TestEnv};

use super::line::Line;
use super::machine::Machine;
use super::remote;

const PEOPLE: usize = 24;
const EDITS: usize = 12;
const KEYS: usize = 9;
/// Five of a hundred.
const FAULTS_OF_THOUSAND: u64 = 50;
/// Rounds that one edit may need before the next is made all the same.
const ROUNDS_MAX: usize = 6;
/// What the server may ever have in memory, unoptimised.
const RSS_KIB_MAX: u64 = 150 * 1024;

fn key(number: usize) -> Key {
    // Every third is an index, whose lines are a set.
    let name = match number % 3 {
        0 => format!("d{number}/MEMORY.md"),
        _ => format!("d{number}/note.md"),
    };
    Key::parse(&name).unwrap()
}

/// One person's day; returns the lines they wrote.
fn work(machine: &mut Machine, name: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for edit in 0..EDITS {
        lines.push(machine.edit(&key((name * 7 + edit * 5) % KEYS)));
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
    let env = TestEnv::new();
    let server = Server::open(&env);
    let line = Line::to(server.address, FAULTS_OF_THOUSAND);
    let base = format!("http://{}", line.address);
    let mut people: Vec<Machine> = (0..PEOPLE)
        .map(|name| Machine::new(name, remote(&base, "acme/app", &format!("p{name}"), None)))
        .collect();
    let written: Vec<String> = thread::scope(|scope| {
        let days: Vec<_> = people
            .iter_mut()
            .enumerate()
            .map(|(name, machine)| scope.spawn(move || work(machine, name)))
            .collect();
        days.into_iter()
            .flat_map(|day| day.join().unwrap())
            .collect()
    });
    assert!(line.happened.load(Ordering::SeqCst) > 20, "the line held");
    line.mend();
    // Once for what waits, once for what the others had.
    for _ in 0..2 {
        for machine in &mut people {
            assert!((0..20).any(|_| machine.round()), "a round does not end");
        }
    }
    let end = people[0].tier.files();
    let copies: String = people.iter().map(Machine::copies).collect();
    for machine in &people {
        assert!(machine.tier.files() == end, "two machines differ");
    }
    let texts: String = end
        .values()
        .map(|bytes| String::from_utf8_lossy(bytes))
        .collect();
    assert_eq!(written.len(), PEOPLE * EDITS);
    for text in &written {
        assert!(
            texts.contains(text) || copies.contains(text),
            "lost: {text}"
        );
    }
    let peak = peak_kib(server.id());
    assert!(peak < RSS_KIB_MAX, "the server had {peak} KiB");
}
