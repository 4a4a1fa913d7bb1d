//! The time of a scan grows with the input and with nothing else.

use std::time::Duration;

use mem_secrets::{Config, InputOrigin, Scanner};

/// Bytes of the smaller input; the larger one is four times as long. A time
/// that grows with the square would be sixteen times as long.
const BYTES: usize = 24 << 10;
const GROWTH_MAX: u32 = 9;

/// The processor time of this thread: what else runs on the machine does not count.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap(),
        u32::try_from(time.tv_nsec).unwrap(),
    )
}

fn fastest(scanner: &Scanner, text: &[u8]) -> Duration {
    fastest_of(scanner, text, &InputOrigin::unknown())
}

fn fastest_of(scanner: &Scanner, text: &[u8], origin: &InputOrigin) -> Duration {
    let once = || {
        let start = processor_time();
        let findings = scanner.scan(text, origin);
        assert!(findings.len() <= text.len());
        processor_time() - start
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
        "/eyJ",
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
        "kind: Secret\ndata: {\n",
        "{\"kind\":\"Secret\",",
        "| password |\n|-|-|\n",
        "insert into a (password) values (",
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
        concat!("tok", "en=Zx9k2LmQ8vRt5wYp "),
        begin.as_str(),
    ] {
        assert_linear(&scanner, unit, &InputOrigin::unknown());
    }
}

#[test]
fn time_is_linear_on_hostile_settings() {
    let (scanner, origin) = (Scanner::new(), InputOrigin::path("a.yaml"));
    let value = "Zx9k2LmQ8vRt5wYp".repeat(5);
    let sealed = format!("encryptedData:\n  token: AgB{value}\n");
    for unit in ["encryptedData:\n", "token: {", "key:\n", sealed.as_str()] {
        assert_linear(&scanner, unit, &origin);
    }
}

fn assert_linear(scanner: &Scanner, unit: &str, origin: &InputOrigin) {
    let (small, large) = (filled(unit, BYTES), filled(unit, 4 * BYTES));
    fastest_of(scanner, &small[..small.len() / 8], origin);
    // Under a millisecond the clock and the scheduler decide.
    let least = Duration::from_millis(8);
    let short = fastest_of(scanner, &small, origin).max(least);
    let long = fastest_of(scanner, &large, origin);
    assert!(
        long < short * GROWTH_MAX,
        "{unit:?}: {short:?}, then {long:?}"
    );
}

/// Twice the input may take so many times as long; a time that grows with the square takes four.
const DOUBLING_MAX: f64 = 3.2;

#[test]
fn time_is_linear_in_the_findings_of_one_line() {
    let config = "[[rules]]\nid = \"x\"\nregex = 'x([0-9])'\n[[rules.allowlists]]\n\
                  regexTarget = \"line\"\nregexes = ['never']\n[[allowlists]]\n\
                  regexTarget = \"line\"\nregexes = ['neither']\n";
    let scanner = Scanner::new()
        .with_comments(true)
        .with_config(Config::parse(config).unwrap());
    let text = filled(concat!("tok", "en=Zx9k2LmQ8vRt5wYp x1 "), 16 * BYTES);
    let (short, long) = (
        fastest(&scanner, &text[..4 * BYTES]).max(Duration::from_millis(8)),
        fastest(&scanner, &text),
    );
    assert!(long < short * GROWTH_MAX, "{short:?}, then {long:?}");
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn a_line_of_100_mb_ten_of_one_letter_and_a_million_keywords() {
    let scanner = Scanner::new();
    let begin = format!("-----BEGIN RSA {} ", "PRIVATE KEY-----");
    for (name, unit, bytes) in [
        ("line", "a short sentence, again and again; ", 100 << 20),
        ("letter", "a", 10 << 20),
        ("keywords", "password ", 9_000_000),
        ("assignments", "api_key = \"", 10 << 20),
        ("values", concat!("tok", "en=Zx9k2LmQ8vRt5wYp "), 10 << 20),
        ("urls", "https://user:pw@host/ ", 10 << 20),
        ("blocks", begin.as_str(), 10 << 20),
        ("base64", "cGFzc3dvcmQ9aHVudGVyMg", 10 << 20),
    ] {
        let text = filled(unit, bytes);
        let half = fastest(&scanner, &text[..bytes / 2]).as_secs_f64();
        let whole = fastest(&scanner, &text).as_secs_f64();
        let rate = bytes as f64 / 1e6 / whole;
        println!(
            "{name}: {rate:.0} MB/s; twice as much takes {:.2} times as long",
            whole / half
        );
        assert!(
            whole < half * DOUBLING_MAX,
            "{name}: {half} s, then {whole} s"
        );
    }
}
