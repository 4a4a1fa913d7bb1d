//! Slack's tokens have no checksum, but each of their parts says what it is:
//! numbers of the workspace, the bot or the user, then the secret in one
//! alphabet and length.

use super::CheckResult;

/// Digits of a workspace, bot, user or app number.
const NUMBER_DIGITS: std::ops::RangeInclusive<usize> = 9..=14;

/// Valid when all parts of a bot, user or app token have their form.
pub(crate) fn verify(token: &[u8]) -> CheckResult {
    let lower = token.to_ascii_lowercase();
    let parts: Vec<&[u8]> = lower.split(|byte| *byte == b'-').collect();
    let right = match &parts[..] {
        [b"xoxb", numbers @ .., secret] => {
            matches!(numbers.len(), 1 | 2) && all(numbers) && secret.len() == 24
        }
        [b"xoxp" | b"xoxe", numbers @ .., secret] => {
            numbers.len() == 3 && all(numbers) && is_hex(secret, 32)
        }
        [b"xapp", version, app, number, secret] => {
            let version = version.len() == 1 && app.first() == Some(&b'a') && app.len() >= 9;
            version && all(&[number]) && is_hex(secret, 64)
        }
        _ => false,
    };
    if right {
        CheckResult::Valid
    } else {
        CheckResult::Invalid
    }
}

fn all(numbers: &[&[u8]]) -> bool {
    let number =
        |part: &&[u8]| NUMBER_DIGITS.contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    numbers.iter().all(number)
}

fn is_hex(part: &[u8], length: usize) -> bool {
    part.len() == length && part.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_form() {
        let (number, hex) = ("123456789012", "0123456789abcdef");
        let good = [
            format!("xo{}b-{number}-{number}-{}", "x", "aB3".repeat(8)),
            format!("xo{}p-{number}-{number}-{number}-{}", "x", hex.repeat(2)),
            format!("xa{}p-1-A01ABCDEFGH-{number}-{}", "p", hex.repeat(4)),
        ];
        for token in good {
            assert_eq!(verify(token.as_bytes()), CheckResult::Valid, "{token}");
            let cut = &token[..token.len() - 1];
            assert_eq!(verify(cut.as_bytes()), CheckResult::Invalid, "{cut}");
        }
    }
}
