//! The audit log as its readers find it: in files, and at a syslog that listens.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{TcpListener, UdpSocket};

use super::*;
use mem_core::regular_file;

fn entry(action: &str) -> AuditEntry<'_> {
    AuditEntry {
        outcome: "refused",
        status: Some(403),
        ..AuditEntry::of_server(action, "team:acme/app", Timestamp::UNIX_EPOCH)
    }
}

fn log(file: Option<PathBuf>, syslog: Option<String>, required: bool) -> AuditLog {
    let settings = AuditSettings {
        file,
        syslog,
        required,
    };
    AuditLog::open(Some(&settings)).unwrap()
}

#[tokio::test]
async fn lines_go_to_the_owners_file_and_to_a_new_one_once_it_was_moved_away() {
    let folder = tempfile::TempDir::new().unwrap();
    let (path, moved) = (
        folder.path().join("audit.log"),
        folder.path().join("audit.1"),
    );
    let log = log(Some(path.clone()), None, true);
    log.record(&entry("PUT /a")).await.unwrap();
    #[expect(
        clippy::disallowed_methods,
        reason = "what a program does that rotates logs"
    )]
    std::fs::rename(&path, &moved).unwrap();
    log.record(&entry("PUT /b")).await.unwrap();
    assert_eq!(
        regular_file::read_text(&moved).unwrap(),
        "{\"time\":\"1970-01-01T00:00:00Z\",\"action\":\"PUT /a\",\"resource\":\"team:acme/app\",\
         \"outcome\":\"refused\",\"status\":403,\"actor_id\":\"server\"}\n"
    );
    let after = regular_file::read_text(&path).unwrap();
    assert!(
        after.contains("PUT /b") && after.lines().count() == 1,
        "{after}"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}

#[tokio::test]
async fn a_required_log_that_cannot_be_written_stops_changes_and_loses_nothing() {
    let folder = tempfile::TempDir::new().unwrap();
    let within = folder.path().join("logs");
    std::fs::create_dir(&within).unwrap();
    let path = within.join("audit.log");
    let log = log(Some(path.clone()), None, true);
    std::fs::remove_dir_all(&within).unwrap();
    assert_eq!(log.record(&entry("PUT /a")).await, Err(AuditUnwritten));
    assert_eq!(log.admit_change().await, Err(AuditUnwritten));
    std::fs::create_dir(&within).unwrap();
    assert_eq!(log.admit_change().await, Ok(()));
    log.record(&entry("PUT /b")).await.unwrap();
    let lines = regular_file::read_text(&path).unwrap();
    assert!(
        lines.contains("PUT /a") && lines.contains("PUT /b"),
        "{lines}"
    );
    assert_eq!(log.lost.get(), 0);
}

#[tokio::test]
async fn a_place_that_is_down_keeps_no_line_from_the_other_and_repeats_none() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("audit.log");
    let socket = folder.path().join("syslog");
    let address = format!("unix://{}", socket.display());
    let log = log(Some(path.clone()), Some(address), true);
    // Before the first change, and not only after one that left no line.
    assert_eq!(log.admit_change().await, Err(AuditUnwritten));
    for action in ["PUT /a", "PUT /b"] {
        assert_eq!(log.record(&entry(action)).await, Err(AuditUnwritten));
        assert_eq!(log.admit_change().await, Err(AuditUnwritten));
    }
    let lines = regular_file::read_text(&path).unwrap();
    assert_eq!(lines.matches("PUT /a").count(), 1, "{lines}");
    assert_eq!(lines.matches("PUT /b").count(), 1, "{lines}");
    let socket = std::os::unix::net::UnixDatagram::bind(&socket).unwrap();
    assert_eq!(log.admit_change().await, Ok(()));
    for action in ["PUT /a", "PUT /b"] {
        let mut bytes = [0; 2048];
        let length = socket.recv(&mut bytes).unwrap();
        assert!(String::from_utf8_lossy(&bytes[..length]).contains(action));
    }
}

#[tokio::test]
async fn a_log_that_is_not_required_counts_what_it_lost_and_fails_nothing() {
    let folder = tempfile::TempDir::new().unwrap();
    let within = folder.path().join("logs");
    std::fs::create_dir(&within).unwrap();
    let log = log(Some(within.join("audit.log")), None, false);
    std::fs::remove_dir_all(&within).unwrap();
    log.record(&entry("PUT /a")).await.unwrap();
    assert_eq!(log.admit_change().await, Ok(()));
    while log.lost.get() == 0 {
        tokio::task::yield_now().await;
    }
}

/// Priority, version, time, no host, program, process, message id, no structured data.
fn check(message: &str) {
    let process = std::process::id();
    let head = format!("<110>1 1970-01-01T00:00:00.000000Z - mem {process} audit - {{\"time\"");
    assert!(message.starts_with(&head), "{message}");
    assert!(message.contains("PUT /a"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_syslog_gets_lines_over_udp_tcp_and_the_socket_of_the_machine() {
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let to_udp = log(
        None,
        Some(format!("udp://{}", udp.local_addr().unwrap())),
        false,
    );
    to_udp.record(&entry("PUT /a")).await.unwrap();
    let mut bytes = [0; 2048];
    let length = udp.recv(&mut bytes).unwrap();
    check(std::str::from_utf8(&bytes[..length]).unwrap());

    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let to_tcp = log(
        None,
        Some(format!("tcp://{}", tcp.local_addr().unwrap())),
        true,
    );
    to_tcp.record(&entry("PUT /a")).await.unwrap();
    to_tcp.record(&entry("PUT /a")).await.unwrap();
    let mut stream = BufReader::new(tcp.accept().unwrap().0);
    for _ in 0..2 {
        let mut length = Vec::new();
        stream.read_until(b' ', &mut length).unwrap();
        let length = std::str::from_utf8(&length)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let mut message = vec![0; length];
        stream.read_exact(&mut message).unwrap();
        check(std::str::from_utf8(&message).unwrap());
    }

    #[cfg(unix)]
    {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("log");
        let socket = std::os::unix::net::UnixDatagram::bind(&path).unwrap();
        let to_socket = log(None, Some(format!("unix://{}", path.display())), true);
        to_socket.record(&entry("PUT /a")).await.unwrap();
        let length = socket.recv(&mut bytes).unwrap();
        check(std::str::from_utf8(&bytes[..length]).unwrap());
    }
}

#[test]
fn an_address_that_is_none_is_refused() {
    for text in [
        "",
        "localhost:514",
        "udp://localhost",
        "tcp://:514",
        "unix://dev/log",
        "http://a:1",
    ] {
        let settings = AuditSettings {
            file: None,
            syslog: Some(text.to_owned()),
            required: false,
        };
        assert!(
            matches!(AuditLog::open(Some(&settings)), Err(AuditError::Syslog(_))),
            "{text}"
        );
    }
}
