//! Choices in Chinese, Japanese and Korean: what is set aside stands in front of what says so, or behind it, or is
//! what a part of a sentence says no to.

use super::super::denial::unspaced::{CEASED, NO, YES};
use super::ChoiceSides;
use crate::text::fold_word;

/// In front of these stands what is set aside.
const BEHIND_IT: &str = "ではなくて|ではなく|じゃなくて|じゃなく|でなくて|でなく|の代わりに|のかわりに|よりも|이 아니라|가 아니라|이 아닌|가 아닌|\
    아니라|대신에|대신|말고|보다는";
/// Behind these it stands.
const BEFORE_IT: &str = "而不是用|而不是|而不要|而不用|而非|来代替|代替|取代|替代";
/// Behind these stands what is chosen.
const CHOOSING: &str = "而是|而要|改为|改成";
/// Said of a whole part: it sets aside what it names.
const NO_BESIDE: &str = "使わず|用いず|せず|ずに|没用|지 않고";
/// In front of what is chosen or set aside: where that holds.
const TOPICS_JAPANESE: &str = "では|には|なら|は|も";
const TOPICS_KOREAN: [&str; 6] = ["에서는", "에는", "에서", "에선", "은", "는"];
/// To use, and who is asked to.
const IDLE: &str = "使用|采用|採用|改用|选用|選用|利用|请|請|我们|我們|从现在起|從現在起|以后|以後|今后|今後|사용하지|사용하세요|사용해|사용하고|\
    사용|쓰지|쓰세요|써 주세요|써주세요|쓰고|씁니다|쓴다|써요|앞으로|이제부터|用|使|选|選";
/// Behind a word.
const PARTICLES: [char; 9] = ['을', '를', '은', '는', '이', '가', '에', '로', '도'];
const MARKS: [char; 12] = [
    '，', ',', '。', '.', '；', ';', '！', '!', '、', '：', ':', '\n',
];

/// Reads both sides; nothing where nothing is set aside.
pub(super) fn read(text: &str) -> ChoiceSides {
    let mut low = String::with_capacity(text.len());
    fold_word(text, &mut low);
    let says = |rows: &str| rows.split('|').any(|row| low.contains(row));
    if ![BEHIND_IT, BEFORE_IT, NO, NO_BESIDE, CEASED]
        .into_iter()
        .any(says)
    {
        return ChoiceSides::default();
    }
    let mut sides = ChoiceSides::default();
    for part in low.split(MARKS) {
        // What follows a choice says why.
        if sides.is_whole() {
            break;
        }
        take_part(part, &mut sides);
    }
    sides
}

fn take_part(part: &str, sides: &mut ChoiceSides) {
    if let Some((front, back)) = split_at_marker(part, BEHIND_IT) {
        let (topic, aside) = by_topic(front);
        sides.aside.extend(split_tokens(aside));
        sides.chosen.extend(split_tokens(topic));
        sides.chosen.extend(split_tokens(back));
        return;
    }
    if let Some((front, back)) = split_at_marker(part, BEFORE_IT) {
        sides.chosen.extend(split_tokens(front));
        sides.aside.extend(split_tokens(back));
        return;
    }
    let is_ideographic = !part.chars().any(|c| is_kana(c) || is_hangul(c));
    let no = split_at_marker(part, CEASED).or_else(|| split_at_marker(part, NO));
    match no {
        // The no stands in front of what is set aside, and what it holds of in front of that.
        Some((front, back)) if is_ideographic => {
            let (aside, chosen) = split_at_marker(back, CHOOSING).unwrap_or((back, ""));
            sides.chosen.extend(split_tokens(front));
            sides.aside.extend(split_tokens(aside));
            sides.chosen.extend(split_tokens(chosen));
        }
        Some(_) => sides.aside.extend(split_tokens(part)),
        None if split_at_marker(part, NO_BESIDE).is_some() => {
            sides.aside.extend(split_tokens(part));
        }
        None => sides.chosen.extend(split_tokens(part)),
    }
}

/// What stands in front of the first of some rows, and behind it.
fn split_at_marker<'t>(text: &'t str, rows: &str) -> Option<(&'t str, &'t str)> {
    let found = rows
        .split('|')
        .filter_map(|row| Some((text.find(row)?, row)));
    let (at, row) = found.min_by_key(|(at, row)| (*at, std::cmp::Reverse(row.len())))?;
    Some((&text[..at], &text[at + row.len()..]))
}

/// What says where something holds, and the rest.
fn by_topic(front: &str) -> (&str, &str) {
    if front.chars().any(is_hangul) {
        let ends = |word: &str| TOPICS_KOREAN.iter().any(|end| word.ends_with(end));
        let mut words = front
            .split_whitespace()
            .filter(|word| ends(word) && word.chars().count() > 2);
        let last = words
            .next_back()
            .and_then(|word| Some(front.rfind(word)? + word.len()));
        return front.split_at(last.unwrap_or(0));
    }
    let ends = TOPICS_JAPANESE
        .split('|')
        .filter_map(|row| Some(front.rfind(row)? + row.len()));
    front.split_at(ends.max().unwrap_or(0))
}

/// Each name in Latin letters, and every other character that names something.
fn split_tokens(text: &str) -> Vec<String> {
    let mut text = text.to_owned();
    for row in YES
        .split('|')
        .chain(IDLE.split('|'))
        .filter(|row| text_has(row))
    {
        if text.contains(row) {
            text = text.replace(row, " ");
        }
    }
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let mut is_name = false;
        for c in strip_particle(word).chars().filter(|c| !is_hiragana(*c)) {
            match (c.is_ascii(), found.last_mut()) {
                (true, Some(last)) if is_name => last.push(c),
                _ => found.push(c.to_string()),
            }
            is_name = c.is_ascii();
        }
    }
    found
}

/// One character says too much to be taken out of every word: `都` is in names of towns.
fn text_has(row: &str) -> bool {
    row.chars().count() > 1 || IDLE.split('|').any(|one| one == row)
}

/// A word without its particle.
fn strip_particle(word: &str) -> &str {
    let is_long = word.chars().count() >= 2 && word.chars().next_back().is_some_and(is_hangul);
    match is_long {
        true => word.strip_suffix(PARTICLES).unwrap_or(word),
        false => word,
    }
}

fn is_hangul(c: char) -> bool {
    ('\u{ac00}'..='\u{d7af}').contains(&c)
}

fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

fn is_kana(c: char) -> bool {
    ('\u{3041}'..='\u{30ff}').contains(&c)
}
