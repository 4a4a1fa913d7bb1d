//! Assembles example text at run time. Examples of secrets may not stand in
//! the repository as such, or every scanner (this one too) would stop there;
//! so they are written as templates: `token = {[a-z0-9]:32}`.

use crate::check::checksummed;
use crate::decode::base64;

/// A small generator of reproducible choices (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn pick<'a>(&mut self, from: &'a [u8]) -> Option<&'a u8> {
        let index = self.next() % from.len().max(1) as u64;
        from.get(usize::try_from(index).unwrap_or(0))
    }
}

/// Fills a template in, the same way for the same seed.
///
/// `{[a-z0-9]:32}` is so many characters of a class, `{x:32}` one character
/// repeated, `{uuid}` a UUID, `{jwt}` a JSON web token, `{github:PREFIX}` a
/// token with GitHub's checksum, `{gitlab:PREFIX}` and `{grafana}` one with
/// GitLab's and Grafana's, `{pem:LABEL}` a PEM block, `{b64:TEXT}` and `{hex:TEXT}` an encoded template; `{{` and
/// `}}` are braces. What cannot be read stays as it is.
#[must_use]
pub fn assemble(template: &str, seed: u64) -> String {
    let mut random = Random(seed);
    fill(template, &mut random)
}

fn fill(template: &str, random: &mut Random) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        if tail.starts_with("{{") || tail.starts_with("}}") {
            out.push_str(&tail[..1]);
            rest = &tail[2..];
        } else if let Some(end) = closing(tail).filter(|end| *end > 0) {
            let field = &tail[1..end];
            out.push_str(&part(field, random).unwrap_or_else(|| tail[..=end].to_owned()));
            rest = &tail[end + 1..];
        } else {
            out.push_str(&tail[..1]);
            rest = &tail[1..];
        }
    }
    out + rest
}

/// Where the brace that opens `text` closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, byte) in text.bytes().enumerate() {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        if depth <= 0 {
            return (byte == b'}').then_some(at);
        }
    }
    None
}

fn part(field: &str, random: &mut Random) -> Option<String> {
    match field {
        "uuid" => return Some(uuid(random)),
        "jwt" => return Some(jwt(random)),
        "grafana" => return Some(checksummed::grafana(&of_class(ALNUM, 32, random)?)),
        _ => {}
    }
    let (kind, argument) = field
        .rsplit_once(':')
        .filter(|(kind, _)| !kind.contains('{'))
        .or_else(|| field.split_once(':'))?;
    match kind {
        "gitlab" => Some(checksummed::gitlab(argument, &of_class(ALNUM, 27, random)?)),
        "github" => Some(checksummed::github(argument, &of_class(ALNUM, 30, random)?)),
        "pem" => Some(pem(argument, random)),
        "b64" => Some(text(&base64::encode_padded(
            fill(argument, random).as_bytes(),
        ))),
        "hex" => Some(
            fill(argument, random)
                .bytes()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        ),
        _ => repeated(kind, argument, random),
    }
    .or_else(|| {
        field
            .split_once(':')
            .and_then(|(kind, rest)| nested(kind, rest, random))
    })
}

fn nested(kind: &str, rest: &str, random: &mut Random) -> Option<String> {
    match kind {
        "b64" => Some(text(&base64::encode_padded(fill(rest, random).as_bytes()))),
        "hex" => Some(
            fill(rest, random)
                .bytes()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        ),
        _ => None,
    }
}

fn repeated(kind: &str, count: &str, random: &mut Random) -> Option<String> {
    let count: usize = count.parse().ok()?;
    match kind
        .strip_prefix('[')
        .and_then(|kind| kind.strip_suffix(']'))
    {
        Some(class) => of_class(class, count, random),
        None => (kind.chars().count() == 1).then(|| kind.repeat(count)),
    }
}

const ALNUM: &str = "A-Za-z0-9";

fn of_class(class: &str, count: usize, random: &mut Random) -> Option<String> {
    let members = members(class);
    let bytes: Option<Vec<u8>> = (0..count).map(|_| random.pick(&members).copied()).collect();
    Some(text(&bytes?))
}

/// The bytes of a class such as `a-z0-9_-`.
fn members(class: &str) -> Vec<u8> {
    let mut members = Vec::new();
    let mut rest = class.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        match tail {
            [escaped, tail @ ..] if first == b'\\' => {
                members.push(*escaped);
                rest = tail;
            }
            [b'-', last, tail @ ..] if *last != b'\\' => {
                members.extend(first..=*last);
                rest = tail;
            }
            _ => {
                members.push(first);
                rest = tail;
            }
        }
    }
    members
}

fn uuid(random: &mut Random) -> String {
    let hex = format!("{:016x}{:016x}", random.next(), random.next());
    format!(
        "{}-{}-4{}-a{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[13..16],
        &hex[17..20],
        &hex[20..]
    )
}

fn jwt(random: &mut Random) -> String {
    let part = |json: &str| text(&base64::encode(json.as_bytes()));
    let claims = format!("{{\"sub\":\"{}\",\"iat\":1700000000}}", random.next());
    let signature = of_class("A-Za-z0-9_", 43, random).unwrap_or_default();
    format!(
        "{}.{}.{signature}",
        part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}"),
        part(&claims)
    )
}

fn pem(label: &str, random: &mut Random) -> String {
    // A key of PKCS #8 for Ed25519, but longer: version, algorithm, and octets that are noise.
    let head = [
        0x30, 0x81, 0xcd, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x81,
        0xc0,
    ];
    let noise = (0..24).flat_map(|_| random.next().to_le_bytes());
    let der: Vec<u8> = head.into_iter().chain(noise).collect();
    let body = text(&base64::encode_padded(&der));
    let lines: Vec<&str> = (0..body.len())
        .step_by(64)
        .map(|at| &body[at..body.len().min(at + 64)])
        .collect();
    format!(
        "-----BEGIN {label}-----\n{}\n-----END {label}-----",
        lines.join("\n")
    )
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_every_kind_of_field() {
        let filled = assemble("a{{b}} {x:3} {[0-9]:4} {[\\-z]:2} {nonsense}", 1);
        assert!(filled.starts_with("a{b} xxx "), "{filled}");
        assert!(filled.ends_with("{nonsense}"), "{filled}");
        assert_eq!(assemble("{b64:hi}", 1), "aGk=");
        assert_eq!(assemble("{hex:{x:2}}", 1), "7878");
        assert_eq!(assemble("{uuid}", 3).len(), 36);
    }

    #[test]
    fn the_same_seed_gives_the_same_text() {
        assert_eq!(assemble("{[a-z]:20}", 9), assemble("{[a-z]:20}", 9));
        assert_ne!(assemble("{[a-z]:20}", 9), assemble("{[a-z]:20}", 8));
    }
}
