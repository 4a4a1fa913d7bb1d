//! A stream finds what a scan of the whole finds, wherever the pieces end.

use mem_secrets::template::assemble;
use mem_secrets::{InputOrigin, Scanner, SecretFinding, Stream};

/// Text with a secret every so often, some of them on window borders.
fn text(bytes: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut seed = 0;
    while text.len() < bytes {
        seed += 1;
        text.extend_from_slice(
            b"nothing to see here, only a line of text\n"
                .repeat(200)
                .as_slice(),
        );
        text.extend(assemble("token = \"{github:ghp_}\"\n", seed).bytes());
    }
    text
}

fn places(findings: &[SecretFinding]) -> Vec<(u64, u64, u64, u64)> {
    findings
        .iter()
        .map(|f| (f.span.start, f.span.end, f.line, f.column))
        .collect()
}

#[test]
fn pieces_of_any_size_give_the_same_findings() {
    let text = text(1 << 20);
    let (scanner, origin) = (Scanner::new(), InputOrigin::unknown());
    let whole = places(&scanner.scan(&text, &origin));
    assert!(whole.len() > 100);
    for piece in [1 << 20, 99_991, 4_093] {
        let mut stream = Stream::with_window(&scanner, &origin, 0);
        let mut findings = Vec::new();
        for bytes in text.chunks(piece) {
            findings.extend(stream.push(bytes));
        }
        findings.extend(stream.finish());
        assert_eq!(places(&findings), whole, "{piece}");
    }
}
