//! What holds for any input at all.

use mem_secrets::template::assemble;
use mem_secrets::{Baseline, Config, Ignore, InputOrigin, Scanner, Stream};
use proptest::prelude::*;

/// Pieces of syntax that wake rules, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"password".to_vec()),
        Just(b" = \"".to_vec()),
        Just(b"://u:".to_vec()),
        Just(b"@h ".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"kind: Secret\ndata:\n  a: ".to_vec()),
        Just(b"Bearer ".to_vec()),
        Just(b"curl -u ".to_vec()),
        Just(b"%3D%22".to_vec()),
        Just(b"-----BEGIN ".to_vec()),
        Just(b"PRIVATE KEY-----".to_vec()),
        Just(b"-----END".to_vec()),
        Just(b"mnemonic".to_vec()),
        Just(b" is ".to_vec()),
        Just(b"\xff\xfe".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..40),
        "[A-Za-z0-9+/=]{0,80}".prop_map(String::into_bytes),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn spans_and_lines_fit_the_input(bytes in pieces()) {
        let report = Scanner::new().explain(&bytes, &InputOrigin::path("a.yaml"));
        for finding in &report.findings {
            prop_assert!(finding.span.start <= finding.span.end);
            prop_assert!(finding.span.end <= bytes.len() as u64);
            prop_assert!(finding.line >= 1 && finding.column >= 1);
            prop_assert!((finding.line, finding.column) <= (finding.end_line, finding.end_column));
        }
    }

    #[test]
    fn nothing_prints_a_secret(seed in any::<u64>()) {
        let text = assemble("db_password = \"{github:ghp_}\"", seed);
        let report = Scanner::new().explain(text.as_bytes(), &InputOrigin::unknown());
        let secret = text.split('"').nth(1).unwrap();
        prop_assert_eq!(report.findings.len(), 1);
        let shown = format!("{report:?} {}", report.findings[0].redacted());
        prop_assert!(!shown.contains(&secret[4..10]), "{}", shown);
    }

    #[test]
    fn a_stream_finds_what_a_scan_finds(bytes in pieces(), cut in any::<proptest::sample::Index>()) {
        prop_assume!(!bytes.contains(&0) && !bytes.starts_with(b"\xff\xfe") && !bytes.starts_with(b"\xfe\xff"));
        let (scanner, origin) = (Scanner::new(), InputOrigin::unknown());
        let mut stream = Stream::new(&scanner, &origin);
        let (head, tail) = bytes.split_at(cut.index(bytes.len() + 1));
        let mut findings = stream.push(head);
        findings.extend(stream.push(tail));
        findings.extend(stream.finish());
        prop_assert_eq!(findings, scanner.scan(&bytes, &origin));
    }

    #[test]
    fn parsers_of_foreign_text_do_not_panic(text in "\\PC{0,200}", toml in "(\\[\\[rules\\]\\]|id = 'a'|regex = '[a-z({\\[\\\\]{0,5}'|\\[allowlist\\]|paths = \\['x'\\]|\n){0,12}") {
        let _ = Config::parse(&text);
        let _ = Config::parse(&toml);
        let _ = Ignore::parse(&text);
        let _ = Baseline::parse(text.as_bytes());
        let _ = assemble(&text, 1);
    }
}
