//! The same reading for Chinese, Japanese and Korean: what a sentence is about and what it says of that, by
//! the few words that tie, change and deny in them.
//!
//! What is not recognised ties nothing: such a sentence is compared by its characters alone, and takes
//! nobody's place.

use mem_recall::text::{Stems, emit_terms, fold_word, is_unspaced};
use mem_recall::versus::denial::unspaced::says_no;

use super::said::{ParsedSentence, Stemmed, Tie};
use super::unspaced_words::{
    CHANGE, CHOSEN, DAY_NAMES, ENDINGS, GONE_BEFORE, GONE_BEHIND, NO_BESIDE, NO_TIES, ONE_OF,
    PARTICLES, SPEAKERS, TIES,
};
use super::whole::Whole;
use super::words::weekday_token;

/// A longer text in front is no name of a thing.
const SUBJECT_CHARS_MAX: usize = 24;
/// What a sentence ends with.
const SENTENCE_ENDS: [char; 5] = ['。', '！', '？', '!', '?'];
/// Days of the week while a text is read: letters that no such text has, one for each.
const DAYS: [char; 7] = ['ㇰ', 'ㇱ', 'ㇲ', 'ㇳ', 'ㇴ', 'ㇵ', 'ㇶ'];
/// Behind the name of a day these make it a count: once a week.
const COUNTERS: [char; 6] = ['次', '个', '個', '回', '遍', '度'];

/// Reads a sentence of such a script.
pub(super) fn read(said: &mut ParsedSentence, text: &str, stems: &mut Stems) {
    let text = first_sentence(text);
    let (text, is_change) = remove_words(&text.replace("改在", "现在在"), CHANGE);
    said.is_change |= is_change;
    let (text, gone) = without_gone(&text);
    said.gone = content_stems(&gone, stems, &mut Vec::new());
    said.is_negated = says_no(&text);
    let (plain, _) = remove_words(&text, NO_BESIDE);
    said.order.clear();
    said.content = content_stems(&plain, stems, &mut said.order);
    said.content.extend(said.gone.iter().cloned());
    let Some(tied) = find_tied(&plain) else {
        return;
    };
    said.tie = if tied.verb == "use" {
        Tie::Uses
    } else {
        Tie::Is
    };
    let has_changed = tied.verb == "becomes" || (said.is_change && tied.verb == "is");
    // `是只读的` says how it is, not which one.
    let is_which = !tied.value.ends_with('的');
    let is_one_of = is_which && ONE_OF.split('|').any(|word| tied.subject.ends_with(word));
    said.is_about_one_of = is_one_of || has_changed;
    said.is_change |= has_changed;
    said.verb = tied.verb.to_owned();
    said.value = content_stems(&tied.value, stems, &mut Vec::new());
    said.is_on_a_day = said.value.len() == 1;
    said.subject = Stemmed::new();
    if !tied.subject.is_empty() {
        said.subject.insert(tied.subject);
    }
}

/// Gathers what further sentences say, which are not compared.
pub(super) fn gather_whole(text: &str, stems: &mut Stems, whole: &mut Whole) {
    let mut low = String::with_capacity(text.len());
    fold_word(text, &mut low);
    whole.says_no = says_no(&low);
    let mut parts = low.split(SENTENCE_ENDS);
    let first = parts.find(|part| !part.trim().is_empty());
    if first.is_some() {
        let rest = parts.collect::<Vec<_>>().join(" ");
        whole
            .words
            .extend(content_stems(&rest, stems, &mut Vec::new()));
    }
}

/// The first sentence, in one writing, each day of the week as one letter that stands alone.
fn first_sentence(text: &str) -> String {
    let mut low = String::with_capacity(text.len());
    fold_word(text, &mut low);
    let mut first = low
        .split(SENTENCE_ENDS)
        .find(|part| !part.trim().is_empty());
    let mut text = first.take().unwrap_or_default().trim().to_owned();
    for (names, day) in DAY_NAMES.iter().zip(DAYS) {
        for name in names.split('|') {
            text = with_day(&text, name, day);
        }
    }
    text
}

fn with_day(text: &str, name: &str, day: char) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(name) {
        out.push_str(before);
        match after.starts_with(COUNTERS) {
            true => out.push_str(name),
            false => out.extend([' ', day, ' ']),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The text without some words, and whether it had any.
fn remove_words(text: &str, words: &str) -> (String, bool) {
    let mut left = text.to_owned();
    for word in words.split('|') {
        left = left.replace(word, "");
    }
    let has_any = left.len() < text.len();
    (left, has_any)
}

/// The text without what it says holds no longer, and that.
fn without_gone(text: &str) -> (String, String) {
    for word in GONE_BEFORE.split('|') {
        if let Some((before, after)) = text.split_once(word) {
            let start = run_before(before);
            let gone = strip_particle(&before[start..]).to_owned();
            let rest = after.trim_start_matches(['、', ',', '，', ' ']);
            return (format!("{} {rest}", &before[..start]), gone);
        }
    }
    if let Some((subject, gone, value)) = split_turn(text) {
        return (format!("{subject}改为{value}"), gone);
    }
    for word in GONE_BEHIND.split('|') {
        if let Some((before, after)) = text.split_once(word) {
            let is_aside = before.trim_end().ends_with(['，', ',', '、']);
            if word.starts_with("不再") && !is_aside {
                continue;
            }
            let (gone, rest) = after.split_at(run(after));
            let before = before.trim_end_matches(['，', ',', '、', ' ']);
            return (format!("{before}{rest}"), gone.trim().to_owned());
        }
    }
    (text.to_owned(), String::new())
}

/// `从A改为B`, `不是A而是B`, with what stands in front.
fn split_turn(text: &str) -> Option<(String, String, String)> {
    let owned = |text: &str| text.trim_matches([' ', ',', '，']).to_owned();
    let not = text.split_once("不是");
    let but = not.and_then(|(subject, rest)| Some((subject, rest.split_once("而是")?)));
    if let Some((subject, (gone, value))) = but {
        return Some((owned(subject), owned(gone), owned(value)));
    }
    let (subject, rest) = text.split_once('从').or_else(|| text.split_once('從'))?;
    let mut becomes = table_words(&TIES).filter(|(_, verb)| *verb == "becomes");
    let (gone, value) = becomes.find_map(|(word, _)| rest.split_once(word))?;
    Some((owned(subject), owned(gone), owned(value)))
}

/// How far a thing reaches that begins here: letters of other scripts, else all up to a mark.
fn run(text: &str) -> usize {
    let start = text.len() - text.trim_start().len();
    let is_foreign = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let rest = &text[start..];
    let end = match rest.starts_with(is_foreign) {
        true => rest.find(|c: char| !is_foreign(c) && !matches!(c, '-' | '_' | '.')),
        false => rest.find(['，', ',', '、', '；', ';']),
    };
    start + end.unwrap_or(rest.len())
}

/// Where a thing begins that ends here: behind the last particle or mark.
fn run_before(text: &str) -> usize {
    let has_spaces = text.chars().any(|c| ('\u{ac00}'..='\u{d7af}').contains(&c));
    let is_day = |c: char| DAYS.contains(&c);
    let is_end = |c: char| {
        let is_kana = ('\u{3041}'..='\u{309f}').contains(&c);
        is_kana || matches!(c, '、' | '，' | ',') || (has_spaces && c == ' ')
    };
    let trimmed = text.trim_end();
    // The letter of a day stands alone: the blank before it ends nothing.
    let body = trimmed.trim_end_matches(is_day).trim_end();
    let body = if body.len() < trimmed.len() {
        body
    } else {
        trimmed
    };
    if body.len() < trimmed.len() {
        return body.len();
    }
    body.char_indices()
        .rev()
        .find(|(_, c)| is_end(*c))
        .map_or(0, |(at, c)| at + c.len_utf8())
}

/// The words of a table, each with what it stands for.
fn table_words<'t>(table: &'t [(&'t str, &'t str)]) -> impl Iterator<Item = (&'t str, &'t str)> {
    let words = table.iter();
    words.flat_map(|(verb, words)| words.split('|').map(move |word| (word, *verb)))
}

/// What ties a sentence together.
struct Tied {
    subject: String,
    value: String,
    verb: &'static str,
}

fn find_tied(text: &str) -> Option<Tied> {
    let found = find_choice(text)
        .or_else(|| by_topic(text))
        .or_else(|| by_word(text))
        .or_else(|| by_day(text))?;
    let is_named = found.subject.chars().count() <= SUBJECT_CHARS_MAX;
    (is_named && !found.value.trim().is_empty()).then_some(found)
}

/// `…にRedisを使う`, `…에 Redis를 사용합니다`: what is chosen, and what for.
fn find_choice(text: &str) -> Option<Tied> {
    let (before, _) = CHOSEN.split('|').find_map(|word| text.split_once(word))?;
    let start = run_before(before);
    Some(Tied {
        subject: clean_name(&before[..start]),
        value: before[start..].to_owned(),
        verb: "use",
    })
}

/// `…は…です`, `…은 …입니다`.
fn by_topic(text: &str) -> Option<Tied> {
    let value = |rest: &str| {
        let rest = rest.trim();
        let mut endings = table_words(&ENDINGS);
        let ending = endings.find_map(|(ending, verb)| Some((rest.strip_suffix(ending)?, verb)));
        // `本番のDBはMySQL` ends with a name, and leaves out that it is one.
        let is_name =
            rest.starts_with(|c: char| c.is_ascii_alphabetic()) && run(rest) == rest.len();
        let ending = ending.or_else(|| is_name.then_some((rest, "is")));
        ending.map(|(value, verb)| (value.to_owned(), verb))
    };
    let topics = text.char_indices().filter(|(at, c)| {
        let rest = &text[at + c.len_utf8()..];
        let ends_word = rest.starts_with(' ');
        matches!(c, 'は' | 'が') || (matches!(c, '은' | '는' | '이' | '가') && ends_word)
    });
    topics.take(4).find_map(|(at, c)| {
        let subject = clean_name(&text[..at]);
        let (value, verb) = value(&text[at + c.len_utf8()..])?;
        (!subject.is_empty()).then_some(Tied {
            subject,
            value,
            verb,
        })
    })
}

/// `…是…`, `…改为…`, `…叫…`, `…用…`.
fn by_word(text: &str) -> Option<Tied> {
    let is_kana =
        |c: char| ('\u{3041}'..='\u{30ff}').contains(&c) || ('\u{ac00}'..='\u{d7af}').contains(&c);
    if text.chars().any(is_kana) {
        return None;
    }
    let places = text.char_indices().filter_map(|(at, _)| {
        let (word, verb) = table_words(&TIES).find(|(word, _)| text[at..].starts_with(word))?;
        // Inside another word it ties nothing.
        let is_part = NO_TIES.split('|').any(|other| {
            let start = other.find(word).and_then(|offset| at.checked_sub(offset));
            start
                .and_then(|start| text.get(start..))
                .is_some_and(|text| text.starts_with(other))
        });
        (!is_part).then_some((at, word, verb))
    });
    places.take(8).find_map(|(at, word, verb)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let end = if verb == "use" {
            run(after)
        } else {
            after.len()
        };
        let subject = match verb {
            "use" => format!("{}{}", clean_name(before), clean_name(&after[end..])),
            _ => clean_name(before),
        };
        let value = after[..end].trim().trim_end_matches('了').to_owned();
        let is_said = subject.chars().count() > 1 && !value.is_empty();
        is_said.then_some(Tied {
            subject,
            value,
            verb,
        })
    })
}

/// What happens on a day of the week, where nothing else ties.
fn by_day(text: &str) -> Option<Tied> {
    let mut days = text.match_indices(DAYS);
    let (Some((at, day)), None) = (days.next(), days.next()) else {
        return None;
    };
    let rest = text[at + day.len()..].trim_start();
    // `Tuesday's meeting` is another thing than Wednesday's.
    if rest.starts_with(['的', 'の', '의']) {
        return None;
    }
    let subject = format!("{}~{}", clean_name(&text[..at]), clean_name(rest));
    (subject.chars().count() > 2).then(|| Tied {
        subject,
        value: day.to_owned(),
        verb: "on",
    })
}

/// A name without particles, speakers and blanks.
fn clean_name(text: &str) -> String {
    let mut name = text.trim().trim_end_matches([',', '，', '、']);
    for speaker in SPEAKERS.split('|') {
        name = name.strip_prefix(speaker).unwrap_or(name).trim_start();
    }
    strip_particle(name).split_whitespace().collect()
}

fn strip_particle(text: &str) -> &str {
    let text = text.trim();
    let stripped = PARTICLES.split('|').find_map(|one| text.strip_suffix(one));
    stripped.unwrap_or(text)
}

/// What is compared of a text, in order too.
fn content_stems(text: &str, stems: &mut Stems, order: &mut Vec<String>) -> Stemmed {
    emit_terms(text, stems, &mut |term| {
        let day = DAYS
            .iter()
            .zip(1..)
            .find(|(day, _)| term.chars().eq([**day]));
        order.push(day.map_or_else(|| term.to_owned(), |(_, day)| weekday_token(day)));
    });
    order.iter().cloned().collect()
}

#[cfg(test)]
mod tests;
