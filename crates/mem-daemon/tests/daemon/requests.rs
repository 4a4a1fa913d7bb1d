//! What comes over the socket, good and bad.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};

use mem_daemon::client::{AskError, DaemonClient};
use mem_daemon::event_loop::RunError;
use mem_daemon::place::PlaceError;
use mem_daemon::protocol::{DaemonRequest, FailureCode, LINE_BYTES_MAX, PROTOCOL};
use mem_daemon::state_machine::ExitReason;
use serde_json::{Value, json};

use super::fixture::{DaemonFixture, Did, LONG, place, refused};

fn echo(input: Value) -> DaemonRequest {
    let name = "echo".to_owned();
    DaemonRequest::Work { name, input }
}

#[test]
fn it_says_how_it_is_and_does_what_is_asked() {
    let fixture = DaemonFixture::new();
    // What a start brings with it may still be under way.
    let status = std::iter::repeat_with(|| fixture.status()).find(|status| status.state != "busy");
    let status = status.unwrap();
    assert_eq!((status.state.as_str(), status.pending), ("watching", false));
    assert_eq!(status.pid, std::process::id());
    assert_eq!(status.last_sync.as_deref(), Some("2000-01-01T00:00:00Z"));
    let mut client = fixture.client();
    assert_eq!(client.ask(echo(json!([1]))).unwrap(), json!([1]));
    client.ask(DaemonRequest::Sync).unwrap();
    fixture.wait_for(&Did::Sync);
    client.ask(DaemonRequest::Wrote { team: true }).unwrap();
    fixture.wait_for(&Did::Sync);
    client.ask(DaemonRequest::Reload).unwrap();
    fixture.wait_for(&Did::Sync);
    assert_eq!(fixture.stop().unwrap(), ExitReason::Stopped);
}

#[test]
fn work_that_fails_is_told_and_ends_nothing() {
    let fixture = DaemonFixture::new();
    let mut client = fixture.client();
    for name in ["nothing", "panic"] {
        let (name, input) = (name.to_owned(), Value::Null);
        match client.ask(DaemonRequest::Work { name, input }) {
            Err(AskError::Refused(failure)) => assert_eq!(failure.code, FailureCode::Failed),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(client.ask(echo(json!("still here"))).unwrap(), "still here");
}

#[test]
fn a_thousand_at_once_are_all_answered() {
    let fixture = DaemonFixture::new();
    // Half of them connected before any of them asks. Descriptors are counted for both ends here.
    let (rounds, at_once) = (10, 100);
    for round in 0..rounds {
        let clients: Vec<DaemonClient> = (0..at_once).map(|_| fixture.client()).collect();
        for (n, mut client) in clients.into_iter().enumerate() {
            let number = json!(round * at_once + n);
            assert_eq!(client.ask(echo(number.clone())).unwrap(), number);
        }
    }
}

#[test]
fn garbage_is_told_and_too_much_of_it_ends_the_connection() {
    let fixture = DaemonFixture::new();
    let ask = |lines: &[u8]| {
        let mut stream = UnixStream::connect(fixture.place.socket()).unwrap();
        stream.write_all(lines).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let replies = BufReader::new(stream).lines().map(Result::unwrap);
        let reply = |line: String| serde_json::from_str::<Value>(&line).unwrap();
        replies.map(reply).collect::<Vec<_>>()
    };
    let replies = ask(b"\xff\n\n{}\n{\"protocol\":77,\"request\":\"status\"}\n");
    let codes: Vec<_> = replies
        .iter()
        .map(|reply| &reply["error"]["code"])
        .collect();
    assert_eq!(codes, ["malformed", "malformed", "malformed", "protocol"]);
    assert!(replies.iter().all(|reply| reply["protocol"] == PROTOCOL));
    assert!(
        ask(b"{\"protocol\":1,\"request\":\"status\"").is_empty(),
        "half a line is no question"
    );
    let mut stream = UnixStream::connect(fixture.place.socket()).unwrap();
    let long = vec![b'x'; LINE_BYTES_MAX + 1];
    // The other end may be gone before all is sent.
    let _ = stream.write_all(&long);
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert_eq!(rest, b"");
    fixture.status();
}

#[test]
fn there_is_one_at_a_time_and_a_dead_ones_socket_is_taken_over() {
    let fixture = DaemonFixture::new();
    assert!(fixture.place.is_taken());
    let second = refused(fixture.folder.path());
    assert!(matches!(second, RunError::Place(PlaceError::Taken)));
    fixture.status();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("memory/team")).unwrap();
    place(folder.path()).prepare().unwrap();
    // Bound, and nobody listens any more: what a killed process leaves.
    drop(UnixListener::bind(place(folder.path()).socket()).unwrap());
    assert!(!place(folder.path()).is_taken());
    DaemonFixture::at(folder, Box::new(Vec::new), true).status();
}

#[test]
fn what_stands_in_the_sockets_place_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    place.prepare().unwrap();
    std::fs::create_dir(place.socket()).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, RunError::Place(PlaceError::InTheWay(_))));
    assert!(place.socket().is_dir());
}

#[test]
fn a_runtime_directory_that_is_open_to_others_is_refused_by_both_ends() {
    let fixture = DaemonFixture::new();
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(fixture.place.folder(), open).unwrap();
    let asked = DaemonClient::connect(&fixture.place, LONG);
    assert!(matches!(asked, Err(AskError::Absent)));
    let folder = tempfile::tempdir().unwrap();
    place(folder.path()).prepare().unwrap();
    let open = std::fs::Permissions::from_mode(0o770);
    std::fs::set_permissions(place(folder.path()).folder(), open).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, RunError::Place(PlaceError::Open(_))));
}
