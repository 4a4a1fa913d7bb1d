//! Names of days, months and numbers.

use jiff::civil::Weekday;

const DAY_NAMES: [&[&str]; 7] = [
    &[
        "monday",
        "montag",
        "lundi",
        "lunes",
        "周一",
        "星期一",
        "礼拜一",
        "月曜",
        "월요일",
    ],
    &[
        "tuesday",
        "dienstag",
        "mardi",
        "martes",
        "周二",
        "星期二",
        "礼拜二",
        "火曜",
        "화요일",
    ],
    &[
        "wednesday",
        "mittwoch",
        "mercredi",
        "miércoles",
        "周三",
        "星期三",
        "礼拜三",
        "水曜",
        "수요일",
    ],
    &[
        "thursday",
        "donnerstag",
        "jeudi",
        "jueves",
        "周四",
        "星期四",
        "礼拜四",
        "木曜",
        "목요일",
    ],
    &[
        "friday",
        "freitag",
        "vendredi",
        "viernes",
        "周五",
        "星期五",
        "礼拜五",
        "金曜",
        "금요일",
    ],
    &[
        "saturday",
        "samstag",
        "samedi",
        "sábado",
        "周六",
        "星期六",
        "礼拜六",
        "土曜",
        "토요일",
    ],
    &[
        "sunday",
        "sonntag",
        "dimanche",
        "domingo",
        "周日",
        "周天",
        "星期日",
        "星期天",
        "日曜",
        "일요일",
    ],
];

const MONTH_NAMES: [&[&str]; 12] = [
    &["jan", "januar", "janvier", "enero"],
    &["feb", "februar", "février", "febrero"],
    &["mar", "märz", "mars", "marzo"],
    &["apr", "april", "avril", "abril"],
    &["may", "mai", "mayo"],
    &["jun", "juni", "juin", "junio"],
    &["jul", "juli", "juillet", "julio"],
    &["aug", "august", "août", "agosto"],
    &["sep", "september", "septembre", "septiembre"],
    &["oct", "okt", "oktober", "octobre", "octubre"],
    &["nov", "november", "novembre", "noviembre"],
    &["dec", "dez", "dezember", "décembre", "diciembre"],
];

pub(super) fn day_name(text: &str) -> Option<i8> {
    let short = ["一", "二", "三", "四", "五", "六"];
    let named = DAY_NAMES
        .iter()
        .position(|names| names.iter().any(|name| text.contains(name)));
    let at = named.or_else(|| short.iter().position(|name| text.ends_with(name)));
    i8::try_from(at?)
        .ok()
        .filter(|at| *at <= Weekday::Sunday.to_monday_zero_offset())
}

pub(super) fn month_number(text: &str) -> Option<i8> {
    if let Some(before) = text
        .split(['月', '월'])
        .next()
        .filter(|part| part.len() < text.len())
    {
        return before.trim().parse().ok();
    }
    let at = MONTH_NAMES.iter().rposition(|names| {
        names
            .iter()
            .any(|name| split_words(text).any(|word| word.starts_with(name)))
    })?;
    i8::try_from(at + 1).ok()
}

fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic())
}

/// The day in an expression with a month.
pub(super) fn day_within(text: &str) -> Option<i8> {
    let rest = text.split(['月', '월']).next_back().unwrap_or(text);
    i8::try_from(parse_digits(rest)?).ok()
}

fn parse_digits(text: &str) -> Option<i32> {
    let run = text
        .split(|c: char| !c.is_ascii_digit())
        .find(|run| !run.is_empty())?;
    run.parse().ok()
}

pub(super) fn parse_number(text: &str) -> Option<i32> {
    const WORDS: [(&[&str], i32); 10] = [
        (
            &[
                "a", "an", "one", "ein", "eine", "einem", "einer", "un", "une", "una", "一", "한",
            ],
            1,
        ),
        (&["two", "zwei", "deux", "dos", "两", "二", "두"], 2),
        (&["three", "drei", "trois", "tres", "三", "세"], 3),
        (&["four", "vier", "quatre", "cuatro", "四", "네"], 4),
        (&["five", "fünf", "cinq", "cinco", "五"], 5),
        (&["six", "sechs", "seis"], 6),
        (&["seven", "sieben"], 7),
        (&["eight", "acht"], 8),
        (&["nine", "neun"], 9),
        (&["ten", "zehn"], 10),
    ];
    parse_digits(text).or_else(|| {
        let is = |name: &&str| match name.is_ascii() || name.chars().count() > 1 {
            true => split_words(text).any(|word| word == *name),
            false => text.starts_with(*name),
        };
        let found = WORDS.iter().find(|(names, _)| names.iter().any(is));
        found.map(|(_, value)| *value)
    })
}
