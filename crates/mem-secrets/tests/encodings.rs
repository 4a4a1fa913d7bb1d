//! Secrets behind encodings are found where the encoded text stands.

use mem_secrets::template::assemble;
use mem_secrets::{InputOrigin, Scanner, SecretEncoding, SecretFinding};

fn scan(bytes: &[u8]) -> Vec<SecretFinding> {
    Scanner::new().scan(bytes, &InputOrigin::unknown())
}

#[test]
fn base64_and_hex_are_decoded_to_a_depth() {
    for (template, encodings) in [
        (
            "blob: {b64:export TOKEN={github:ghp_}}",
            vec![SecretEncoding::Base64],
        ),
        (
            "blob: {hex:export TOKEN={github:ghp_}}",
            vec![SecretEncoding::Hex],
        ),
        (
            "x {b64:y {b64:export TOKEN={github:ghp_} z} z} x",
            vec![SecretEncoding::Base64; 2],
        ),
    ] {
        let text = assemble(template, 4);
        let findings = scan(text.as_bytes());
        assert_eq!(findings.len(), 1, "{text}: {findings:?}");
        assert_eq!(findings[0].rule, "github-pat");
        assert_eq!(findings[0].encodings, encodings);
        assert_eq!(findings[0].secret.expose().len(), 40);
        let span = findings[0].span.start as usize..findings[0].span.end as usize;
        assert!(
            text.as_bytes()[span]
                .iter()
                .all(|byte| !byte.is_ascii_whitespace())
        );
    }
}

#[test]
fn an_encoded_command_of_powershell_is_utf16_inside_base64() {
    let text = assemble("$token = '{github:ghp_}'", 5);
    let wide = text.encode_utf16().flat_map(u16::to_le_bytes);
    let command = format!(
        "powershell -EncodedCommand {}",
        base64(&wide.collect::<Vec<u8>>())
    );
    let findings = scan(command.as_bytes());
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(
        findings[0].encodings,
        [SecretEncoding::Base64, SecretEncoding::Utf16]
    );
    assert_eq!(findings[0].secret.expose().len(), 40);
}

#[test]
fn an_explanation_looks_into_decoded_text() {
    let text = assemble("config: {b64:password = changeme and some more text}", 1);
    let report = Scanner::new().explain(text.as_bytes(), &InputOrigin::unknown());
    assert!(report.findings.is_empty(), "{report:?}");
    let reasons: Vec<&str> = report
        .rejections
        .iter()
        .map(|one| one.filter.name())
        .collect();
    assert!(reasons.contains(&"placeholder"), "{report:?}");
    assert!(report.rejections.iter().all(|one| one.span.start == 8));
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let digit = |six: &[u8]| {
        let value = (0..6).fold(0, |value, at| {
            value << 1 | six.get(at).copied().unwrap_or(0)
        });
        char::from(DIGITS[usize::from(value)])
    };
    bits.chunks(6).map(digit).collect()
}

#[test]
fn percent_encoding_is_decoded() {
    let text = assemble(
        "GET /cb?next=%2Fx%3Fpassword%3D{[a-z0-9]:6}Q7{[a-z0-9]:6}%26a HTTP/1.1",
        2,
    );
    let findings = scan(text.as_bytes());
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].encodings, [SecretEncoding::Percent]);
}

#[test]
fn utf16_findings_have_the_offsets_of_the_file() {
    let text = assemble("ä\r\ntoken = {github:ghp_}\r\n", 7);
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let findings = scan(&wide);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].encodings, [SecretEncoding::Utf16]);
    assert_eq!(findings[0].line, 2);
    let start = text
        .encode_utf16()
        .collect::<Vec<_>>()
        .iter()
        .position(|unit| *unit == u16::from(b'g'));
    assert_eq!(findings[0].span.start as usize, 2 + 2 * start.unwrap());
}

#[test]
fn signs_that_java_escapes_in_properties_hide_nothing() {
    let origin = InputOrigin::path("conf/application.properties");
    for template in [
        r"bot={[0-9]:10}\:AA{[a-zA-Z0-9]:33}",
        r"store=cloudinary\://{[0-9]:15}\:{[a-zA-Z0-9_]:27}@acme",
        r"db.url=postgres\://app\:{[a-zA-Z0-9]:16}@db.internal/app",
        r"db.url=jdbc\:mysql\://db.internal/app?user\=app&password\={[a-zA-Z0-9]:16}",
    ] {
        let text = assemble(&format!("# \n{template}\n"), 5);
        let findings = Scanner::new().scan(text.as_bytes(), &origin);
        assert_eq!(findings.len(), 1, "{text}: {findings:?}");
        let finding = &findings[0];
        let [start, end] = [finding.span.start, finding.span.end].map(|at| at as usize);
        let plain = text[start..end].replace('\\', "");
        assert_eq!(plain.as_bytes(), finding.secret.expose(), "{text}");
        assert_eq!(
            (finding.line, finding.column),
            (2, start as u64 - 2),
            "{text}"
        );
    }
}
