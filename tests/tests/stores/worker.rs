//! The Python SDK's own sync worker for the memory stores of a session, against `mem serve`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};

use mem_tests::clients;

use super::Bed;

fn start(bed: &Bed, url: &str, token: &str, what: &str) -> Child {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/stores_worker.py");
    let mut command = bed.env.command(clients::python());
    command.arg(script).args([url, token, what]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    pipes.stderr(Stdio::piped()).spawn().unwrap()
}

fn end(mut child: Child) {
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{talk}");
}

fn over_both(what: &str) {
    for bed in Bed::both() {
        let token = bed.token(&["--grant", "store:*:write"]);
        let server = bed.serve();
        end(start(&bed, &server.url(), &token, what));
    }
}

#[test]
fn a_thousand_memories_come_change_and_go_back() {
    over_both("thousand");
}

#[test]
fn edits_deletions_and_conflicts_end_as_the_worker_promises() {
    over_both("changes");
}

#[test]
fn what_is_attached_read_only_is_not_written() {
    over_both("read_only");
}

#[test]
fn a_server_that_is_killed_in_the_middle_loses_and_doubles_nothing() {
    for bed in Bed::both() {
        let token = bed.token(&["--grant", "store:*:write"]);
        let server = bed.serve();
        let address = server.address.to_string();
        let mut worker = start(&bed, &server.url(), &token, "killed");
        let mut lines = BufReader::new(worker.stdout.take().unwrap()).lines();
        let mut next = || lines.next().and_then(Result::ok).unwrap_or_default();
        let began = next();
        if began != "kill" {
            let mut talk = String::new();
            let _ = worker.stderr.take().unwrap().read_to_string(&mut talk);
            panic!("{began}{talk}");
        }
        // Somewhere among its writes.
        let metrics = || String::from_utf8(server.ask("GET", "/metrics").send().body).unwrap();
        let written = |text: &str| {
            let mut lines = text.lines();
            let wanted = ["mem_answers_total", "POST", "/memories\"", "\"200\""];
            let line = lines.find(|line| wanted.iter().all(|part| line.contains(part)));
            let count = line.and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
            count.unwrap_or_default()
        };
        while written(&metrics()) < 120.0 {}
        server.signal("KILL");
        drop(server);
        assert_eq!(next(), "over");
        let again = bed.serve_at(&address, &[]);
        worker.stdin.take().unwrap().write_all(b"\n").unwrap();
        end(worker);
        drop(again);
    }
}
