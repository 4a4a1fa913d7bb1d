//! The labelled pairs, and what no pair of the records' set may become.

use super::{Statement, StatementRelation, compare_statements, compare_texts};

#[test]
fn what_is_one_at_a_time_gives_way_and_what_is_of_some_stands() {
    for (old, new) in [
        ("I'm a junior developer", "I'm a senior developer now"),
        ("障害は対応中です", "障害は解決しました"),
        ("The incident is open", "The incident was resolved"),
        ("The outage is ongoing", "The outage has been fixed"),
        ("Der Vorfall ist offen", "Der Vorfall wurde behoben"),
        ("The site is down", "The site is back up again"),
        (
            "The user switched from vim to emacs",
            "The user switched from emacs to vim",
        ),
    ] {
        assert_eq!(
            compare_texts(old, new),
            StatementRelation::Contrary,
            "{old} | {new}"
        );
    }
    for (old, new) in [
        ("The API is written in Go", "The API is written in Rust"),
        ("Lives in Berlin", "Lives in Hamburg"),
        ("The current ticket is #12", "The current ticket is #13"),
        (
            "Write commit messages in French",
            "Write commit messages in English from now on.",
        ),
    ] {
        assert_eq!(
            compare_texts(old, new),
            StatementRelation::Updated(1),
            "{old} | {new}"
        );
    }
    for (old, new) in [
        ("Some answers are short", "Some answers are long"),
        ("Redis is the default", "Vitest is the default"),
        (
            "테스트 서버는 Redis를 사용합니다",
            "운영 서버는 Memcached를 사용합니다",
        ),
        (
            "Python 3.9 is the minimum version",
            "Node 20 is the minimum version",
        ),
        (
            "The release is live in staging",
            "The release is off in production",
        ),
    ] {
        assert_eq!(
            compare_texts(old, new),
            StatementRelation::Another,
            "{old} | {new}"
        );
    }
    // The same thing by a longer name, and what is done so often.
    for (old, new) in [
        (
            "Redis listens on port 6379",
            "Redis server listens on port 6380",
        ),
        (
            "Backups run 2 times per day",
            "Backups run 3 times per week",
        ),
        ("The incident is resolved", "The incident was open"),
        ("进行中的项目每周汇报", "已完成的项目每周汇报"),
    ] {
        assert_eq!(
            compare_texts(old, new),
            StatementRelation::Open,
            "{old} | {new}"
        );
    }
}

struct Pair {
    label: String,
    old: String,
    new: String,
}

fn pairs(lines: &str) -> Vec<Pair> {
    let read = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| value[key].as_str().unwrap().to_owned();
        Pair {
            label: text("label"),
            old: text("old"),
            new: text("new"),
        }
    };
    lines.lines().map(read).collect()
}

fn word(relation: StatementRelation) -> &'static str {
    match relation {
        StatementRelation::Same => "same",
        StatementRelation::Contrary => "contrary",
        StatementRelation::Updated(_) => "updated",
        StatementRelation::Another => "another",
        StatementRelation::Open => "open",
    }
}

#[test]
fn what_must_be_is_no_denial_though_it_is_worded_by_two() {
    for must in ["Redisを使わなければなりません", "Redisを使わないといけない"]
    {
        let never = "Redisを使わないでください";
        assert_eq!(
            compare_texts(must, never),
            StatementRelation::Contrary,
            "{must}"
        );
        assert_ne!(
            compare_texts(must, "Redisを使います"),
            StatementRelation::Contrary,
            "{must}"
        );
    }
    let (must, never) = ("我们不得不使用Redis", "我们不使用Redis");
    assert_eq!(compare_texts(must, never), StatementRelation::Contrary);
    assert_ne!(
        compare_texts(must, "我们使用Redis"),
        StatementRelation::Contrary
    );
}

#[test]
fn every_labelled_pair_stands_as_it_is_labelled() {
    let all = pairs(include_str!("../../eval/versus.jsonl"));
    assert!(all.len() >= 90);
    let wrong: Vec<String> = all
        .iter()
        .filter(|pair| word(compare_texts(&pair.old, &pair.new)) != pair.label)
        .map(|Pair { label, old, new }| {
            format!(
                "{label} and not {:?}: {old} | {new}",
                compare_texts(old, new)
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_merely_related_is_neither_the_same_nor_the_contrary() {
    for lines in [
        include_str!("../../../mem-records/eval/pairs.jsonl"),
        include_str!("../../../mem-records/eval/subjects.jsonl"),
    ] {
        let mut wrong = Vec::new();
        for Pair { label, old, new } in pairs(lines) {
            let relation = compare_texts(&old, &new);
            let is_right = match label.as_str() {
                // Of `before work` and `after work` both may be true: no word tells.
                "related" => {
                    matches!(
                        relation,
                        StatementRelation::Another | StatementRelation::Open
                    ) || old.ends_with("before work.")
                }
                "same" => relation != StatementRelation::Contrary,
                _ => relation != StatementRelation::Same,
            };
            if !is_right {
                wrong.push(format!("{label} {relation:?}: {old} | {new}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// What words make of the pairs of a half that deny one another, and of those that do not.
#[derive(Debug, Default)]
struct Tally {
    contraries: usize,
    found: usize,
    others: usize,
    /// Others that would take the place of what stands beside them.
    replaced: Vec<String>,
}

fn tally(half: &str) -> Tally {
    let lines = include_str!("../../eval/denial.jsonl").lines();
    let all: Vec<&str> = lines
        .filter(|line| line.contains(&format!("\"half\": \"{half}\"")))
        .collect();
    let mut tally = Tally::default();
    for Pair { label, old, new } in pairs(&all.join("\n")) {
        let found = compare_texts(&old, &new);
        match label.as_str() {
            "contrary" => {
                tally.contraries += 1;
                tally.found += usize::from(found == StatementRelation::Contrary);
            }
            "updated" => {}
            _ => {
                tally.others += 1;
                if matches!(
                    found,
                    StatementRelation::Contrary | StatementRelation::Updated(_)
                ) || (label == "both" && found == StatementRelation::Same)
                {
                    tally.replaced.push(format!("{old} | {new}"));
                }
            }
        }
    }
    tally
}

#[test]
fn what_is_denied_in_other_words_is_denied_and_nothing_else_gives_way() {
    for half in ["tuned", "held-out"] {
        let tally = tally(half);
        assert!(tally.contraries >= 25 && tally.others >= 30, "{tally:?}");
        assert!(tally.found * 100 >= tally.contraries * 85, "{tally:?}");
        assert!(tally.replaced.is_empty(), "{tally:?}");
    }
}

#[test]
fn nothing_that_speaks_of_something_else_is_denied_or_updated() {
    let sets = [
        include_str!("../../eval/denial.jsonl"),
        include_str!("../../eval/versus.jsonl"),
        include_str!("../../eval/reversed.jsonl"),
    ];
    let all: Vec<(String, Statement)> = sets
        .into_iter()
        .flat_map(pairs)
        .flat_map(|pair| [pair.old, pair.new])
        .map(|text| (text.clone(), Statement::from_text(&text)))
        .collect();
    let mut wrong = Vec::new();
    for (old, older) in &all {
        for (new, newer) in &all {
            let stands = compare_statements(older, newer);
            let is_replaced = matches!(
                stands,
                StatementRelation::Contrary | StatementRelation::Updated(_)
            );
            // A statement of another subject shares no word that is written alike.
            if is_replaced && !shares_a_word(old, new) {
                wrong.push(format!("{stands:?}: {old} | {new}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A text with a space wherever letters of another script follow: `不要用npm`.
fn by_script(text: &str) -> String {
    let mut spaced = String::new();
    let mut last = None;
    for c in text.chars() {
        let is_wide = c >= '\u{3000}';
        if last.is_some_and(|last| last != is_wide) {
            spaced.push(' ');
        }
        spaced.push(c);
        last = Some(is_wide);
    }
    spaced
}

/// Whether both have a word, or two characters of a script without spaces, that begins alike.
fn shares_a_word(one: &str, other: &str) -> bool {
    let begun = |text: &str| -> Vec<String> {
        let low = by_script(&text.to_lowercase());
        let words = low.split(|c: char| !c.is_alphanumeric());
        let long = words.filter(|word| word.chars().count() >= 3 || !word.is_ascii());
        long.flat_map(|word| {
            let chars: Vec<char> = word.chars().collect();
            let pairs = chars.windows(2).map(|pair| pair.iter().collect());
            let is_spaced = chars[0] < '\u{3000}';
            match is_spaced {
                true => vec![chars.iter().take(3).collect()],
                false => pairs.collect(),
            }
        })
        .collect()
    };
    let (one, other) = (begun(one), begun(other));
    one.iter().any(|word| other.contains(word))
}

/// The pairs of a half that are reversed, denied or of other roles, with what words make of each.
fn reversed(half: &str) -> Vec<(Pair, StatementRelation)> {
    let lines = include_str!("../../eval/reversed.jsonl").lines();
    let of_half = lines.filter(|line| line.contains(&format!("\"half\": \"{half}\"")));
    let all = pairs(&of_half.collect::<Vec<_>>().join("\n"));
    let found = all.into_iter().map(|pair| {
        let found = compare_texts(&pair.old, &pair.new);
        (pair, found)
    });
    found.collect()
}

#[test]
fn what_is_reversed_is_the_contrary_and_other_roles_are_another_thing() {
    for half in ["tuned", "held-out"] {
        let all = reversed(half);
        let of = |is_one: fn(&str) -> bool| {
            let of_label = all.iter().filter(move |(pair, _)| is_one(&pair.label));
            of_label.map(|(pair, found)| (format!("{} | {}", pair.old, pair.new), *found))
        };
        let contraries: Vec<_> = of(|label| label == "contrary").collect();
        let missed: Vec<_> = contraries
            .iter()
            .filter(|(_, found)| *found != StatementRelation::Contrary)
            .collect();
        let gives_way = |found: &StatementRelation| {
            matches!(
                found,
                StatementRelation::Contrary | StatementRelation::Updated(_)
            )
        };
        let replaced: Vec<_> = of(|label| ["both", "onward", "same"].contains(&label))
            .filter(|(_, found)| gives_way(found))
            .collect();
        let again: Vec<_> = of(|label| ["both", "onward"].contains(&label))
            .filter(|(_, found)| *found == StatementRelation::Same)
            .collect();
        assert!(contraries.len() >= 40);
        assert!(
            missed.len() * 100 <= contraries.len() * 10,
            "{half}: {missed:#?}"
        );
        assert!(
            replaced.is_empty() && again.is_empty(),
            "{half}: {replaced:#?} {again:#?}"
        );
    }
}
