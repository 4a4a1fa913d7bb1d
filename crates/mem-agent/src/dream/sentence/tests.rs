//! What sentences are read as, one by one.

use super::*;

/// A sentence of some day.
pub(in crate::dream) fn said(text: &str) -> Sentence {
    let date = "2026-03-04".parse().unwrap();
    Sentence::read(text, date, &mut Stems::default())
}

fn set(stems: &BTreeSet<String>) -> String {
    stems.iter().cloned().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_sentence_is_about_something_and_says_something() {
    for (text, about, says) in [
        ("The payments owner is Alice", "owner payment", "alic"),
        ("Alice owns payments", "owner payment", "alic"),
        ("Alice is the payments owner", "owner payment", "alic"),
        ("Deploy window: Tuesdays 14:00", "deploy window", "~2 14:00"),
        ("We use Postgres 16 for orders", "", "postgr 16 order"),
        ("Decision: use bun for installs", "", "bun instal"),
        ("支付服务用Postgres", "付 务 支 服", "postgres"),
        ("发布：星期二14:00", "发 布", "~2 14:00"),
        ("세션은 Redis를 사용합니다", "세션", "redis 사용"),
    ] {
        let said = said(text);
        let about_it: Vec<&str> = said.subject().into_iter().collect();
        let words = said.words.iter().filter(|word| word.is_behind);
        let stems: Vec<&str> = words.map(|word| word.stem.as_str()).collect();
        assert_eq!(
            (&*about_it.join(" "), &*stems.join(" ")),
            (about, says),
            "{text}"
        );
    }
}

#[test]
fn what_it_was_before_is_told() {
    for (text, gone) in [
        ("We switched orders from Postgres to MySQL", "postgr"),
        ("We replaced Redis with Memcached", "redi"),
        ("The order came from Berlin", ""),
        ("Trains run from Bern to Basel", ""),
    ] {
        assert_eq!(set(&said(text).gone), gone, "{text}");
    }
    assert!(said("Correction: the port is 80").is_change);
}
