//! Chinese, Japanese and Korean: characters, and the words of other scripts between them, which are values.

use mem_recall::text::{fold_word, is_unspaced};
use mem_recall::versus::denial::unspaced::says_no;

use super::{Kind, Reading, digit_shape, has_digit};
use crate::dream::words;

/// A day of the week stands before or behind one of these.
const DAY_MARKS: [&str; 5] = ["星期", "礼拜", "周", "曜日", "요일"];
const DAYS: &str = "一二三四五六日天月火水木金土월화수목금토일";

/// Reads a part of such a text.
pub(super) fn read_words(part: &str) -> Reading {
    let mut low = String::with_capacity(part.len());
    fold_word(part, &mut low);
    let mut reading = Reading {
        says_no: says_no(&low),
        is_change: words::UNSPACED_CHANGE.is_within(&low),
        is_beside: words::UNSPACED_BESIDE.is_within(&low),
        ..Reading::default()
    };
    let mut rest = low.as_str();
    while let Some(first) = rest.chars().next() {
        let len = if let Some(tie) = words::UNSPACED_TIES.prefix_len(rest) {
            reading.tie();
            tie
        } else if let Some(light) = words::UNSPACED_CHANGE
            .prefix_len(rest)
            .or_else(|| words::UNSPACED_LIGHT.prefix_len(rest))
        {
            light
        } else if let Some((day, len)) = read_day(rest) {
            reading.push(format!("~{day}"), Kind::Day);
            len
        } else {
            let is_run = |c: char| !is_unspaced(c) && (c.is_alphanumeric() || "-_.:/".contains(c));
            let len = rest.find(|c| !is_run(c)).unwrap_or(rest.len());
            let word = rest[..len].trim_matches(|c: char| !c.is_alphanumeric());
            if !word.is_empty() {
                let kind = match has_digit(word) {
                    true => Kind::Figure(digit_shape(word)),
                    false => Kind::Name,
                };
                reading.push(word.to_owned(), kind);
            } else if is_unspaced(first) {
                reading.push(first.to_string(), Kind::Plain);
            }
            len.max(first.len_utf8())
        };
        rest = &rest[len..];
    }
    reading
}

/// A day of the week at the beginning of a text, and the length of it.
fn read_day(text: &str) -> Option<(usize, usize)> {
    let number = |c: char| DAYS.chars().position(|one| one == c).map(|at| at % 7);
    let before = DAY_MARKS[..3].iter().find_map(|mark| {
        let day = text.strip_prefix(mark)?.chars().next()?;
        Some((day, mark.len() + day.len_utf8()))
    });
    let behind = || {
        let day = text.chars().next()?;
        let mark = DAY_MARKS[3..]
            .iter()
            .find(|mark| text[day.len_utf8()..].starts_with(**mark))?;
        Some((day, day.len_utf8() + mark.len()))
    };
    let (day, len) = before.or_else(behind)?;
    Some((number(day)?, len))
}
