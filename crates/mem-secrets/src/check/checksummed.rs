//! Makes tokens whose checksum is right, for examples and measurements.

use super::base62;
use super::crc32::crc32;

/// A token in GitHub's and npm's form: 30 characters and their checksum.
pub(crate) fn github(prefix: &str, random: &str) -> String {
    let sum = base62::encode(crc32(random.as_bytes()), 6);
    format!("{prefix}{random}{}", String::from_utf8_lossy(&sum))
}

/// A token in Grafana's form.
pub(crate) fn grafana(random: &str) -> String {
    let head = format!("{}sa_{random}", "gl");
    format!("{head}_{:08x}", crc32(head.as_bytes()))
}

/// A routable token in GitLab's form: a payload, two digits and the checksum of all before, in base 36.
pub(crate) fn gitlab(prefix: &str, random: &str) -> String {
    let head = format!("{prefix}{random}.0r");
    let sum = crc32(head.as_bytes());
    let digits = (0..7).rev();
    let digits = digits.filter_map(|place| char::from_digit(sum / 36_u32.pow(place) % 36, 36));
    head.chars().chain(digits).collect()
}
