//! Binary input: a database has nothing between two fields, and keys are written in DER.

use mem_secrets::template::assemble;
use mem_secrets::{Confidence, InputOrigin, Scanner, SecretFinding, Stream};

fn scan(bytes: &[u8]) -> Vec<SecretFinding> {
    Scanner::new().scan(bytes, &InputOrigin::unknown())
}

/// A token between two other fields of a row, as SQLite stores them.
fn row(token: &str) -> String {
    format!("SQLite format 3\0\x02github{token}admin")
}

#[test]
fn a_right_checksum_stands_in_for_the_bytes_around_a_token() {
    for (template, rule) in [
        ("{github:ghp_}", "github-pat"),
        ("{github:npm_}", "npm-access-token"),
        ("{grafana}", "grafana-service-account-token"),
        ("{gitlab:glpat-}", "gitlab-pat-routable"),
        (
            "{gitlab:glrt-t1_}",
            "gitlab-runner-authentication-token-routable",
        ),
    ] {
        let token = assemble(template, 3);
        let findings = scan(row(&token).as_bytes());
        assert_eq!(findings.len(), 1, "{template}: {findings:?}");
        assert_eq!(findings[0].rule, rule);
        assert_eq!(findings[0].confidence, Confidence::Certain);
        assert_eq!(findings[0].secret.expose(), token.as_bytes());
        // In text such a token is a piece of a longer word.
        let text = row(&token).replace(['\0', '\x02'], " ");
        assert!(scan(text.as_bytes()).is_empty(), "{template}");
        let other = if token.as_bytes()[10] == b'a' {
            "b"
        } else {
            "a"
        };
        let wrong = format!("{}{other}{}", &token[..10], &token[11..]);
        assert!(scan(row(&wrong).as_bytes()).is_empty(), "{template}");
    }
}

#[test]
fn the_beginning_of_a_stream_says_whether_all_of_it_is_binary() {
    let token = assemble("{github:ghp_}", 3);
    let gap = vec![b' '; 600 << 10];
    let field = format!("github{token}");
    let binary = [&[0_u8], gap.as_slice(), field.as_bytes()].concat();
    let (scanner, origin) = (Scanner::new(), InputOrigin::unknown());
    for (bytes, count) in [(&binary[..], 1), (&binary[1..], 0)] {
        let mut stream = Stream::with_window(&scanner, &origin, 256 << 10);
        let mut findings = stream.push(bytes);
        findings.extend(stream.finish());
        assert_eq!(findings.len(), count, "{findings:?}");
    }
}

/// A value in DER.
fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len() as u16;
    let [high, low] = length.to_be_bytes();
    let head = match length {
        0..=0x7f => vec![tag, low],
        0x80..=0xff => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    [head, content.to_vec()].concat()
}

fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
    der(0x30, &parts.concat())
}

fn noise(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at * 73 + 41) as u8).collect()
}

/// Keys as `openssl` writes them: PKCS #1, PKCS #8, DSA, and SEC 1 with and without what may be left out.
fn keys() -> [Vec<u8>; 6] {
    let number = |count| der(0x02, &noise(count));
    let version = |number| der(0x02, &[number]);
    let primes = vec![number(128); 5].concat();
    let rsa = sequence(&[
        version(0),
        number(256),
        der(0x02, &[1, 0, 1]),
        number(256),
        primes,
    ]);
    let rsa_id = der(0x06, &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]);
    let algorithm = sequence(&[rsa_id, der(0x05, &[])]);
    let pkcs8 = sequence(&[version(0), algorithm, der(0x04, &rsa)]);
    let curve = der(0x06, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]);
    let point = [&[0_u8, 4], noise(64).as_slice()].concat();
    let public = der(0xa1, &der(0x03, &point));
    let octets = der(0x04, &noise(32));
    let sec1 = sequence(&[
        version(1),
        octets.clone(),
        der(0xa0, &curve),
        public.clone(),
    ]);
    let without_curve = sequence(&[version(1), octets.clone(), public]);
    let alone = sequence(&[version(1), octets]);
    let dsa = sequence(&[
        version(0),
        number(128),
        number(20),
        number(128),
        number(127),
        number(20),
    ]);
    [rsa, pkcs8, dsa, sec1, without_curve, alone]
}

#[test]
fn private_keys_in_der_are_found_alone_and_inside_a_file() {
    for key in keys() {
        let inside = [b"\0program", key.as_slice(), b"and more"].concat();
        for bytes in [&key, &inside] {
            let findings = scan(bytes);
            assert_eq!(findings.len(), 1, "{key:x?}: {findings:?}");
            assert_eq!(findings[0].rule, "private-key");
            assert_eq!(findings[0].confidence, Confidence::Certain);
            assert_eq!(findings[0].secret.expose(), key);
        }
        assert!(scan(&key[..key.len() - 1]).is_empty(), "{key:x?}");
    }
}

#[test]
fn other_structures_that_begin_like_a_key_are_none() {
    let request = sequence(&[
        der(0x02, &[1]),
        der(0x04, b"public"),
        der(0xa0, &[der(0x02, &noise(40)), der(0x02, &[0])].concat()),
    ]);
    let small = sequence(&vec![der(0x02, &[0]); 9]);
    let many = sequence(&[vec![der(0x02, &[0])], vec![der(0x02, &noise(20)); 20]].concat());
    let six = sequence(&[vec![der(0x02, &[0])], vec![der(0x02, &noise(20)); 5]].concat());
    for bytes in [request, small, many, six] {
        assert!(scan(&bytes).is_empty(), "{bytes:x?}");
    }
}
