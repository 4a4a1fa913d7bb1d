//! Connections that say nothing keep nobody out.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use mem_tests::{Server, TestEnv};

/// Opens connections that say nothing, and some whose request never ends.
fn idle(server: &Server, count: usize) -> Vec<TcpStream> {
    let open = |number: usize| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        if number.is_multiple_of(10) {
            stream.write_all(b"GET /healthz HTTP/1.1\r\nx-").unwrap();
        }
        stream
    };
    (0..count).map(open).collect()
}

/// How long a request takes on a new connection.
fn asked(server: &Server) -> Duration {
    let begun = Instant::now();
    assert_eq!(server.ask("GET", "/healthz").send().status, 200);
    begun.elapsed()
}

#[test]
fn idle_connections_keep_nobody_out() {
    let env = TestEnv::new();
    let server = Server::start(&env, &["--insecure-no-auth", "--connections", "20"]);
    let idle = idle(&server, 200);
    asked(&server);
    // One that has asked stays, while those that said nothing end.
    let mut kept = mem_tests::http::connect(server.address);
    let request = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    kept.write_all(request).unwrap();
    mem_tests::http::read_head(&mut kept);
    let more = self::idle(&server, 100);
    asked(&server);
    kept.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut kept, &mut rest).unwrap();
    assert!(rest.contains("HTTP/1.1 200"), "{rest}");
    drop((idle, more));
}

#[test]
#[ignore = "10,000 sockets; `cargo xtask bench --only faults` runs it"]
fn ten_thousand_idle_connections_keep_nobody_out() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let mut before: Vec<Duration> = (0..100).map(|_| asked(&server)).collect();
    let idle = idle(&server, 10_000);
    let mut after: Vec<Duration> = (0..100).map(|_| asked(&server)).collect();
    before.sort_unstable();
    after.sort_unstable();
    let shown = |times: &[Duration]| {
        let of = |at: usize| times[at].as_secs_f64() * 1000.0;
        format!("median {:.1} ms, longest {:.1}", of(50), of(99))
    };
    println!(
        "figures: /healthz on a new connection beside {} idle ones: {}; beside none: {}",
        idle.len(),
        shown(&after),
        shown(&before)
    );
}
