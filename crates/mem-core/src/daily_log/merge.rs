//! Two logs of one day, written on two machines, as one: entries are added to a log, so both sides' stand.

use std::collections::BTreeMap;

/// A log file, taken apart: what stands before the first bullet, and each bullet with the lines that belong to it.
struct LogParts<'t> {
    head: &'t str,
    bullets: Vec<&'t str>,
}

/// Merges two logs that come from `base`, in the order of the times that entries begin with. What one side removed
/// goes. `None` where one is no text, or the two begin differently.
pub fn merge_logs(base: Option<&[u8]>, ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let text = |bytes| std::str::from_utf8(bytes).ok();
    let (ours, theirs) = (
        LogParts::from_text(text(ours)?),
        LogParts::from_text(text(theirs)?),
    );
    if ours.head.trim_end() != theirs.head.trim_end() {
        return None;
    }
    let base = base.and_then(text).map(LogParts::from_text);
    let counts = [base.as_ref(), Some(&ours), Some(&theirs)].map(count);
    let mut left = BTreeMap::new();
    for bullet in ours.bullets.iter().chain(&theirs.bullets) {
        let [base, ours, theirs] = counts.each_ref().map(|one| of(one, bullet));
        // Added by either, or removed by one.
        let wanted = match ours >= base && theirs >= base {
            true => ours.max(theirs),
            false => ours.min(theirs),
        };
        left.insert(bullet.trim_end(), wanted);
    }
    let mut take = |bullet: &&str| match left.get_mut(bullet.trim_end()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let first: Vec<&str> = ours.bullets.iter().copied().filter(&mut take).collect();
    let rest: Vec<&str> = theirs.bullets.iter().copied().filter(&mut take).collect();
    Some(written(ours.head, &timed(&first), &timed(&rest)))
}

impl<'t> LogParts<'t> {
    fn from_text(text: &'t str) -> Self {
        let mut starts = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if line.starts_with("- ") || line.starts_with("* ") {
                starts.push(at);
            }
            at += line.len();
        }
        let ends = starts.iter().copied().skip(1).chain([text.len()]);
        let bullets = starts.iter().zip(ends).map(|(&from, to)| &text[from..to]);
        Self {
            head: &text[..starts.first().copied().unwrap_or(text.len())],
            bullets: bullets.collect(),
        }
    }
}

fn count<'t>(parts: Option<&LogParts<'t>>) -> BTreeMap<&'t str, usize> {
    let mut counts = BTreeMap::new();
    for bullet in parts.iter().flat_map(|parts| &parts.bullets) {
        *counts.entry(bullet.trim_end()).or_insert(0) += 1;
    }
    counts
}

fn of(counts: &BTreeMap<&str, usize>, bullet: &str) -> usize {
    counts.get(bullet.trim_end()).copied().unwrap_or_default()
}

/// Each bullet with its time; one without has that of the one before.
fn timed<'t>(bullets: &[&'t str]) -> Vec<(String, &'t str)> {
    let mut time = String::new();
    let mut timed = Vec::new();
    for &bullet in bullets {
        if let (Some(own), _) = super::split_time(bullet.get(2..).unwrap_or_default()) {
            time = own;
        }
        timed.push((time.clone(), bullet));
    }
    timed
}

/// Both, each in its own order, the earlier ones first.
fn written(head: &str, ours: &[(String, &str)], theirs: &[(String, &str)]) -> Vec<u8> {
    let mut bytes = head.as_bytes().to_vec();
    let mut add = |bullet: &str| {
        bytes.extend_from_slice(bullet.as_bytes());
        if !bullet.ends_with('\n') {
            bytes.push(b'\n');
        }
    };
    let mut rest = theirs.iter().peekable();
    for (time, bullet) in ours {
        while let Some((_, earlier)) = rest.next_if(|(other, _)| other < time) {
            add(earlier);
        }
        add(bullet);
    }
    rest.for_each(|(_, bullet)| add(bullet));
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn both(base: Option<&str>, ours: &str, theirs: &str) -> Option<String> {
        let merged = merge_logs(base.map(str::as_bytes), ours.as_bytes(), theirs.as_bytes());
        merged.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    const HEAD: &str = "# 2026-11-23\n\n";

    #[test]
    fn what_both_machines_logged_stands_in_the_order_of_time() {
        let ours = format!("{HEAD}- 09:00 one\n  more of it\n\n  and more\n- 11:00 three");
        let theirs = format!("{HEAD}- 10:00 two\n- 12:00 four\n");
        let all =
            "- 09:00 one\n  more of it\n\n  and more\n- 10:00 two\n- 11:00 three\n- 12:00 four\n";
        let all = Some(format!("{HEAD}{all}"));
        assert_eq!(both(None, &ours, &theirs), all);
        assert_eq!(both(Some(HEAD), &theirs, &ours), all);
    }

    #[test]
    fn what_one_removed_goes_and_what_is_said_twice_stays_twice() {
        let base = format!("{HEAD}- 09:00 wrong\n- 09:10 right\n");
        let ours = format!("{HEAD}- 09:10 right\n- 09:30 again\n- 09:30 again\n");
        let theirs = format!("{base}- 09:20 theirs\n");
        let want = format!("{HEAD}- 09:10 right\n- 09:20 theirs\n- 09:30 again\n- 09:30 again\n");
        assert_eq!(both(Some(&base), &ours, &theirs), Some(want));
    }

    #[test]
    fn logs_that_begin_differently_are_for_a_person() {
        assert_eq!(both(None, "# One\n\n- a\n", "# Two\n\n- b\n"), None);
        assert_eq!(merge_logs(None, b"- a\n", b"\xff"), None);
    }

    proptest! {
        #[test]
        fn nothing_that_was_added_is_lost_and_both_sides_agree(
            base in prop::collection::vec("[a-c]", 0..4),
            ours in prop::collection::vec("[a-f]", 0..4),
            theirs in prop::collection::vec("[a-f]", 0..4),
        ) {
            let text = |bullets: &[&Vec<String>]| {
                let lines = bullets.iter().copied().flatten();
                let lines: String = lines.map(|word| format!("- {word}\n")).collect();
                format!("{HEAD}{lines}")
            };
            let (old, one) = (text(&[&base]), text(&[&base, &ours]));
            let other = text(&[&base, &theirs]);
            let there = both(Some(&old), &one, &other).unwrap();
            for line in one.lines().chain(other.lines()) {
                prop_assert!(there.lines().any(|held| held == line), "{line} of {there}");
            }
            let sorted = |text: &str| {
                let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            // Whoever merges, the other has nothing to add.
            let again = both(Some(&one), &one, &there).unwrap();
            prop_assert_eq!(sorted(&there), sorted(&again));
            let back = both(Some(&old), &other, &one).unwrap();
            prop_assert_eq!(sorted(&there), sorted(&back));
        }
    }
}
