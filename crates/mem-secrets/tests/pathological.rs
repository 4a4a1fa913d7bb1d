//! The time of a scan grows with the input and with nothing else.

use std::time::{Duration, Instant};

use mem_secrets::{Origin, Scanner};

/// Bytes of the smaller input; the larger one is four times as long. A time
/// that grows with the square would be sixteen times as long.
const BYTES: usize = 24 << 10;
const GROWTH_MAX: u32 = 9;

fn fastest(scanner: &Scanner, text: &[u8]) -> Duration {
    let once = || {
        let start = Instant::now();
        let findings = scanner.scan(text, &Origin::unknown());
        assert!(findings.len() <= text.len());
        start.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap()
}

fn filled(unit: &str, bytes: usize) -> Vec<u8> {
    unit.bytes().cycle().take(bytes).collect()
}

#[test]
fn time_is_linear_on_hostile_input() {
    let scanner = Scanner::new();
    let begin = format!("-----BEGIN RSA {}-----\n", "PRIVATE KEY");
    for unit in [
        "a",
        "A",
        "0",
        "=",
        "\"",
        "ey",
        "eyJ",
        "password",
        "password=",
        "password = \"",
        "token ",
        "://a:",
        "://a:b@",
        "-u a:b curl ",
        "curl -H authorization: ",
        "%3d",
        "xoxb-1",
        "AKIA",
        "mysql -u x ",
        "kind: Secret\ndata:\n",
        "abandon ",
        "mnemonic ",
        "FwoGZXIvYXdz",
        "sntrys_eyJpYXQiOLCJyZWdpb25fdXJs",
        "s.",
        "\n",
        "YWJj",
        "616263",
        "key:key=",
        "telegram ",
        "password is ",
        " as password",
        "private key-----",
        "sshpass -p",
        "'$6$",
        "secret_access_key=",
        "identified by '",
        "discord.com/api/webhooks/1",
        begin.as_str(),
    ] {
        let (small, large) = (filled(unit, BYTES), filled(unit, 4 * BYTES));
        fastest(&scanner, &small[..small.len() / 8]);
        // Under a millisecond the clock and the scheduler decide.
        let least = Duration::from_millis(8);
        let (short, long) = (
            fastest(&scanner, &small).max(least),
            fastest(&scanner, &large),
        );
        assert!(
            long < short * GROWTH_MAX,
            "{unit:?}: {short:?}, then {long:?}"
        );
        assert!(long < Duration::from_secs(20), "{unit:?}: {long:?}");
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn a_line_of_100_mb_ten_of_one_letter_and_a_million_keywords() {
    let scanner = Scanner::new();
    for text in [
        filled("a short sentence, again and again; ", 100 << 20),
        filled("a", 10 << 20),
        filled("password ", 9_000_000),
        filled("api_key = \"", 10 << 20),
    ] {
        let start = Instant::now();
        let findings = scanner.scan(&text, &Origin::unknown());
        let rate = text.len() as f64 / 1e6 / start.elapsed().as_secs_f64();
        assert!(rate > 1.0, "{rate} MB/s, {} findings", findings.len());
    }
}
