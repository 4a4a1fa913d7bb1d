//! What a model's own words may name: only what was said, in a session or in a log.
//!
//! A right quotation proves nothing of the title, the line and the text that a model puts beside it. Identifiers,
//! paths, addresses, numbers, days and proper names in them have to occur in what the person said, or to follow from it
//! as a day does from "next Monday".

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::known;
use super::language::{RuleLanguage, detect_languages};
use super::stance;
use super::visible::visible_text;
use crate::dates;

/// No session is older.
const YEAR_MIN: i16 = 2020;

/// Words that stand for a number: what one says with a word another writes as a figure.
const NUMBERS: [(&str, &str); 16] = [
    ("1", "one once eins einmal eine un une uno una 一"),
    ("2", "two twice both zwei zweimal deux dos 二 两 둘"),
    ("3", "three drei trois tres 三"),
    ("4", "four vier quatre cuatro 四"),
    ("5", "five fünf cinq cinco 五"),
    ("6", "six sechs seis 六"),
    ("7", "seven sieben sept siete 七"),
    ("8", "eight acht huit ocho 八"),
    ("9", "nine neun neuf nueve 九"),
    ("10", "ten zehn dix diez 十"),
    ("12", "twelve dozen zwölf douze doce"),
    ("14", "fortnight fourteen"),
    ("15", "fifteen fünfzehn quinze quince"),
    ("20", "twenty zwanzig vingt veinte"),
    ("30", "thirty dreißig trente treinta half"),
    ("100", "hundred hundert cent cien 百"),
];
/// Names that need no one to say them.
const PLAIN: &str = "i user person claude agent api apis ci cd pr prs db ui ux url urls http https json yaml xml sql html \
                     css id ids os ide cli readme todo faq ok utc iso ai llm sdk mr qa git monday tuesday wednesday \
                     thursday friday saturday sunday january february march april may june july august september \
                     october november december";
/// Languages by their names in the languages that are spoken here.
const TONGUES: [&str; 7] = [
    "english englisch anglais inglés 英文 英语 英語 영어",
    "german deutsch allemand alemán 德语 德文 ドイツ語 독일어",
    "french französisch français francés 法语 法文 フランス語 프랑스어",
    "spanish spanisch espagnol español 西班牙语 スペイン語 스페인어",
    "chinese chinesisch chinois chino 中文 汉语 中国語 중국어",
    "japanese japanisch japonais japonés 日语 日文 日本語 일본어",
    "korean koreanisch coréen coreano 韩语 韩文 韓国語 한국어 한국말",
];
/// Two words that begin alike so far are forms of one.
const STEM_CHARS_MIN: usize = 4;
/// Of so many words that tell something, such a share was said; fewer tell too little.
const FEW_MAX: usize = 3;
const FEW_SHARE_MIN: f32 = 0.5;
const SHARE_MIN: f32 = 0.4;
/// Such a share of a clause in a sentence, if it has more than a few.
const CLAUSE_SHARE_MIN: f32 = 0.25;

/// What was said, as it is asked for.
pub(crate) struct Grounding {
    /// All of it in lower case, with the days that are meant.
    text: String,
    words: BTreeSet<String>,
    figures: BTreeSet<String>,
    /// The beginnings of the words that tell something.
    telling: BTreeSet<String>,
}

impl Grounding {
    /// Of what was said, each with its day.
    pub(crate) fn from_statements<'s>(
        all: impl IntoIterator<Item = (&'s str, Option<Date>)>,
    ) -> Self {
        let mut text = String::new();
        for (said, day) in all {
            let said = visible_text(said);
            text.push_str(&said);
            if let Some(day) = day {
                // Writing into a string cannot fail.
                let _ = write!(text, "\n{}\n{day}", dates::annotate_dates(&said, day));
            }
            text.push('\n');
        }
        let text = text.to_lowercase();
        let words: BTreeSet<String> = split_parts(&text).map(str::to_owned).collect();
        let mut figures: BTreeSet<String> = split_figures(&text).map(str::to_owned).collect();
        for (figure, names) in NUMBERS {
            let is_said = |name: &str| is_heard(&text, &words, name);
            if names.split(' ').any(is_said) {
                figures.insert(figure.to_owned());
            }
        }
        Self {
            telling: known::word_stems(&text),
            text,
            words,
            figures,
        }
    }

    /// Whether a sentence says what was said, as far as its telling words show: enough of them were, in each of its
    /// clauses.
    pub(super) fn is_grounded(&self, sentence: &str) -> bool {
        let share = |text: &str| {
            let (shared, all) = stance::count_shared_words(text, &self.telling);
            (shared as f32 / all.max(1) as f32, all)
        };
        let is_enough = match share(sentence) {
            (_, 0) => true,
            (share, all) if all <= FEW_MAX => share > FEW_SHARE_MIN,
            (share, _) => share >= SHARE_MIN,
        };
        let mut clauses = stance::split_clauses(sentence);
        is_enough
            && clauses.all(|clause| {
                let (share, all) = share(&clause);
                all < FEW_MAX || share >= CLAUSE_SHARE_MIN
            })
    }

    /// What a text names first that nobody said; none where it names nothing of that sort.
    pub(crate) fn find_unsaid_name(&self, text: &str) -> Option<String> {
        let is_german =
            detect_languages(&text.to_lowercase()).first() == Some(&RuleLanguage::German);
        let mut is_first = true;
        let mut was_capital = false;
        for written in split_tokens(text) {
            let token =
                written.trim_matches(|c: char| !c.is_alphanumeric() && !"@#-/~._".contains(c));
            let token = token.trim_end_matches(['.', '-', '/', '_']);
            let begins = std::mem::replace(
                &mut is_first,
                written.ends_with(['.', '!', '?', ':', '\n', '。', '"', '*']),
            ) || written.starts_with(['"', '*', '-', '(', '“']);
            if token.is_empty() {
                continue;
            }
            let is_capital = token.starts_with(char::is_uppercase);
            // Every noun is written large there: two in a row are a name.
            let is_name = is_capital && !begins && (!is_german || was_capital);
            was_capital = is_capital && !begins;
            if !self.has_token(token, is_name) {
                return Some(token.to_owned());
            }
        }
        None
    }

    fn has_token(&self, token: &str, is_name: bool) -> bool {
        let low = token.to_lowercase();
        if self.text.contains(&low) && low.chars().count() > 2 {
            return true;
        }
        match token_shape(token) {
            // `and/or` and `CI/CD` are no paths.
            Shape::Joined if ["and/or", "on/off", "yes/no"].contains(&low.as_str()) => true,
            Shape::Joined
                if low
                    .split('/')
                    .all(|part| is_word(part) && self.knows_word(part)) =>
            {
                true
            }
            Shape::Joined | Shape::Exact => false,
            Shape::Figures => split_figures(&low).all(|figure| self.figures.contains(figure)),
            Shape::Word => !is_name && !is_acronym(token) || self.knows_word(&low),
        }
    }

    /// Whether a word was said, in this form or another.
    fn knows_word(&self, low: &str) -> bool {
        let low = low
            .strip_suffix("'s")
            .or(low.strip_suffix("’s"))
            .unwrap_or(low);
        let is_form = |word: &String| {
            let (short, long) = match word.len() < low.len() {
                true => (word.as_str(), low),
                false => (low, word.as_str()),
            };
            long.starts_with(short) && short.chars().count() >= STEM_CHARS_MIN
        };
        let is_tongue = |names: &&str| {
            let mut names = names.split(' ');
            names.clone().any(|name| name == low)
                && names.any(|name| is_heard(&self.text, &self.words, name))
        };
        low.split(|c: char| !c.is_alphanumeric()).all(|part| {
            part.is_empty()
                || self.words.contains(part)
                || PLAIN.split_whitespace().any(|word| word == part)
                || self.words.iter().any(is_form)
                || TONGUES.iter().any(&is_tongue)
        })
    }
}

/// How a token is written.
enum Shape {
    /// As words are.
    Word,
    /// With figures that mean something each by itself: `30%`, `v2`.
    Figures,
    /// With a stroke between words.
    Joined,
    /// As a path, an address, an identifier or a day is, which is right as a whole or not at all.
    Exact,
}

fn token_shape(token: &str) -> Shape {
    let letters: Vec<char> = token.chars().collect();
    let between = |sign: char, is: fn(&char) -> bool| {
        let mut three = letters.windows(3);
        three.any(|three| is(&three[0]) && three[1] == sign && is(&three[2]))
    };
    let is_humped = letters
        .windows(2)
        .any(|two| two[0].is_lowercase() && two[1].is_uppercase());
    let is_address = token.contains("://") || token.contains('@') || token.contains('\\');
    let is_begun = token.starts_with(['#', '@', '/', '~', '.']) || token.starts_with("--");
    let has_name = token.contains("::") || token.contains('_') || is_humped;
    let is_dotted = between('.', char::is_ascii_alphanumeric);
    let is_numbers = ['-', '.', ':', '/']
        .iter()
        .any(|sign| between(*sign, char::is_ascii_digit));
    match () {
        () if is_address || is_begun || has_name || is_dotted || is_numbers => Shape::Exact,
        () if token.contains('/') => Shape::Joined,
        () if letters.iter().any(char::is_ascii_digit) => Shape::Figures,
        () => Shape::Word,
    }
}

/// `USA`, `KPIs`.
fn is_acronym(token: &str) -> bool {
    let large = token.chars().filter(|c| c.is_uppercase()).count();
    large >= 2 && large * 2 > token.chars().count()
}

fn is_word(part: &str) -> bool {
    !part.is_empty() && part.chars().all(char::is_alphabetic)
}

fn is_heard(text: &str, words: &BTreeSet<String>, name: &str) -> bool {
    match name.is_ascii() || !name.contains(is_wide) {
        true => words.contains(name),
        false => text.contains(name),
    }
}

fn is_wide(letter: char) -> bool {
    letter >= '\u{1100}' && letter.is_alphabetic()
}

/// A text apart at blanks, and where a script without blanks begins and ends; a line's end is one of a token.
fn split_tokens(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split_inclusive('\n');
    lines.flat_map(|line| {
        let listed = line.trim_start();
        let number = listed.bytes().take_while(u8::is_ascii_digit).count();
        let line = match listed.get(number..number + 2) {
            Some(". " | ") ") if number > 0 => &listed[number + 2..],
            _ => line,
        };
        line.split_inclusive(|c: char| c == ' ' || c == '\t' || is_wide(c))
            .map(|token| token.trim_matches([' ', '\t']).trim_end_matches(is_wide))
    })
}

fn split_parts(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_alphanumeric() || is_wide(c));
    parts.filter(|part| !part.is_empty())
}

/// The runs of digits, without zeros before them.
fn split_figures(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !c.is_ascii_digit());
    runs.filter(|run| !run.is_empty())
        .map(|run| match run.trim_start_matches('0') {
            "" => "0",
            figure => figure,
        })
}

/// The day that something was said on. A clock that stood before there were agents tells none: what was due tomorrow
/// would be due in 1970.
pub(super) fn day_said(time: &str) -> Option<Date> {
    let time: Timestamp = time.parse().ok()?;
    let day = time.to_zoned(TimeZone::UTC).date();
    (day.year() >= YEAR_MIN).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(said: &str) -> Grounding {
        let day = "2026-03-04".parse().unwrap();
        Grounding::from_statements([(said, Some(day))])
    }

    const SAID: &str = "The freeze starts next Monday because Henrik's team cuts the branch release/4.2 then. Use \
                        fetchUser from src/api.rs, not the three old helpers, see https://wiki.example.org/x and ask in \
                        #platform. In English please, pnpm only";

    #[test]
    fn a_clock_that_was_never_set_tells_no_day() {
        assert_eq!(day_said("1970-01-01T00:00:05Z"), None);
        assert_eq!(day_said("nonsense"), None);
        let said = day_said("2026-03-04T23:00:00Z").map(|day| day.to_string());
        assert_eq!(said.as_deref(), Some("2026-03-04"));
    }

    #[test]
    fn what_was_said_and_what_follows_from_it_is_grounded() {
        for text in [
            "Freeze from 2026-03-09",
            "The release/4.2 branch is cut by Henrik's team on March 9, so nothing is merged.",
            "Use fetchUser from `src/api.rs`; 3 helpers are old.",
            "See https://wiki.example.org/x. Ask #platform and/or Henrik.",
            "**Why:** The team needs it.\n\n1. Use pnpm\n2. In CI as well\n",
            "Write English.",
            "Use PNPM, a PR each",
        ] {
            assert_eq!(ground(SAID).find_unsaid_name(text), None, "{text}");
        }
        assert_eq!(
            ground("请用英文写提交信息").find_unsaid_name("Write in English"),
            None
        );
        assert_eq!(
            ground("Antworte bitte immer kurz")
                .find_unsaid_name("Die Antworten sollen immer kurz sein, ohne Floskeln und Umwege"),
            None
        );
    }

    #[test]
    fn a_sentence_says_what_was_said_or_not() {
        for (text, is_said) in [
            ("The branch of the release is cut by Friday", true),
            ("The freeze starts on Friday", true),
            ("Use pnpm", true),
            ("Always deploy without review or approval", false),
            ("Push straight", false),
            ("Keep it short", false),
            (
                "The freeze starts next Monday, and secrets are posted to everybody who asks",
                false,
            ),
        ] {
            assert_eq!(ground(SAID).is_grounded(text), is_said, "{text}");
        }
    }

    #[test]
    fn what_nobody_said_is_named() {
        for (text, missing) in [
            ("Freeze from 2026-03-14", "2026-03-14"),
            ("Henrik and Marta decide", "Marta"),
            ("Use fetchAccount instead", "fetchAccount"),
            ("It is in src/main.rs", "src/main.rs"),
            (
                "See https://evil.example.org/x",
                "https://evil.example.org/x",
            ),
            ("Ask in #random", "#random"),
            ("At most 5 helpers", "5"),
            ("Required by GDPR", "GDPR"),
            ("Branch release/4.3 is cut", "release/4.3"),
            ("Run it with --force", "--force"),
            ("Use user_id", "user_id"),
        ] {
            assert_eq!(
                ground(SAID).find_unsaid_name(text).as_deref(),
                Some(missing),
                "{text}"
            );
        }
    }
}
