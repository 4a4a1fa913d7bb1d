//! Relative dates made absolute by the day on which they were said.

use std::fmt::Write as _;
use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use regex::bytes::{Regex, RegexBuilder};
use std::sync::OnceLock;


/// What an expression means; its number or name is captured.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// So many days on.
    Days(i32),
    /// The next such day of the week; with `true` the one of next week.
    Day(bool),
    /// A day of the month, without its month.
    DayOfMonth,
    /// A month and a day, without their year.
    Month,
    /// The week after, the month after, the quarter after, the year after.
    NextWeek,
    NextMonth,
    NextQuarter,
    NextYear,
    /// The last day of the week, of the month, of the quarter, of the year.
    EndOfWeek,
    EndOfMonth,
    EndOfQuarter,
    EndOfYear,
    /// The end of a month that is named.
    EndOfNamed,
    /// The week, month, quarter, year before.
    LastWeek,
    LastMonth,
    LastQuarter,
    LastYear,
    /// So many days, weeks, months from then.
    InDays,
    InWeeks,
    InMonths,
}

use Meaning::{
    Day, DayOfMonth, Days, EndOfMonth, EndOfNamed, EndOfQuarter, EndOfWeek, EndOfYear, InDays,
    InMonths, InWeeks, LastMonth, LastQuarter, LastWeek, LastYear, Month, NextMonth, NextQuarter,
    NextWeek, NextYear,
};

const DAY_NAMES: [&[&str]; 7] = [
    &["monday", "montag", "lundi", "lunes", "周一", "星期一", "礼拜一", "月曜", "월요일"],
    &["tuesday", "dienstag", "mardi", "martes", "周二", "星期二", "礼拜二", "火曜", "화요일"],
    &["wednesday", "mittwoch", "mercredi", "miércoles", "周三", "星期三", "礼拜三", "水曜", "수요일"],
    &["thursday", "donnerstag", "jeudi", "jueves", "周四", "星期四", "礼拜四", "木曜", "목요일"],
    &["friday", "freitag", "vendredi", "viernes", "周五", "星期五", "礼拜五", "金曜", "금요일"],
    &["saturday", "samstag", "samedi", "sábado", "周六", "星期六", "礼拜六", "土曜", "토요일"],
    &["sunday", "sonntag", "dimanche", "domingo", "周日", "周天", "星期日", "星期天", "日曜", "일요일"],
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

const EN_MONTHS: &str = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DE_MONTHS: &str = "(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)";
const FR_MONTHS: &str = "(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)";
const ES_MONTHS: &str = "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)";
const NUMBER: &str = "(?:[0-9]{1,3}|an?|one|two|three|four|five|six|eine[mnr]?|zwei|drei|vier|fünf|sechs|une?|deux|trois|quatre|cinq|un|una|dos|tres|cuatro|cinco|seis|一|两|二|三|四|五|한|두|세|네)";

/// Earlier ones go before later ones where both would begin at the same place.
const EXPRESSIONS: &[(&str, Meaning)] = &[
    (r"\b(?:the )?day after tomorrow\b|\bübermorgen\b|\baprès-demain\b|\bpasado mañana\b|后天|明後日|あさって|모레", Days(2)),
    (r"\btomorrow\b|\bdemain\b|明天|明日|내일", Days(1)),
    (r"\b(?:bis|ab|vor|nach|für) morgen\b|\bmorgen (?:ist|wird|geht|kommt|beginnt|endet)\b|\b(?:para|hasta|desde) mañana\b", Days(1)),
    (r"\btoday\b|\btonight\b|\bheute\b|\baujourd'hui\b|\bhoy\b|今天|今日|오늘", Days(0)),
    (r"\byesterday\b|\bgestern\b|\bhier soir\b|\bayer\b|昨天|昨日|어제", Days(-1)),
    (r"\b(?:the )?end of (?:this |the )?week\b|\beow\b|\bende der woche\b|\bfin de la semaine\b|\bfin de semana\b", EndOfWeek),
    (r"\b(?:the )?end of (?:this |the )?month\b|\beom\b|\bende des monats\b|\bmonatsende\b|\bfin du mois\b|\b(?:a )?fin(?:al|ales)? de(?:l)? mes\b|月底|月末|월말", EndOfMonth),
    (r"\b(?:the )?end of (?:this |the )?quarter\b|\beoq\b|\bende des quartals\b|\bquartalsende\b|\bfin du trimestre\b|\bfin(?:al)? del trimestre\b|季度末|期末", EndOfQuarter),
    (r"\b(?:the )?end of (?:this |the )?year\b|\beoy\b|\bende des jahres\b|\bjahresende\b|\bfin de l'année\b|\bfin(?:al|ales)? de año\b|年底|年末|연말", EndOfYear),
    (r"\b(?:the )?end of {EN}\b|\bende {DE}\b|\bfin {FR}\b|\bfin(?:al|ales)? de {ES}\b|[0-9]{1,2} ?月(?:底|末)|[0-9]{1,2}월 ?말", EndOfNamed),
    (r"\bnext (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bnächste[nrms]? (?:mon|diens|donners|frei|sams|sonn)tag\b|\bnächste[nrms]? mittwoch\b|下(?:周|个?星期|个?礼拜)(?:一|二|三|四|五|六|日|天)|来週の?(?:月|火|水|木|金|土|日)曜日?|다음 ?주 ?(?:월|화|수|목|금|토|일)요일", Day(true)),
    (r"\b(?:this |coming )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:mon|diens|donners|frei|sams|sonn)tag\b|\bmittwoch\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: prochain)?\b|\b(?:próximo )?(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b|(?:这|本)?(?:周|星期|礼拜)(?:一|二|三|四|五|六|日|天)|(?:今週の?)?(?:月|火|水|木|金|土|日)曜日?|(?:이번 ?주 ?)?(?:월|화|수|목|금|토|일)요일", Day(false)),
    (r"\bnext week\b|\bnächste[rn]? woche\b|\bla semaine prochaine\b|\bla próxima semana\b|\bla semana que viene\b|下周|来週|다음 ?주", NextWeek),
    (r"\bnext month\b|\bnächste[nm]? monat\b|\ble mois prochain\b|\bel próximo mes\b|\bel mes que viene\b|下个?月|来月|다음 ?달", NextMonth),
    (r"\bnext quarter\b|\bnächste[sn]? quartal\b|\ble trimestre prochain\b|\bel próximo trimestre\b|下个?季度|来期|다음 ?분기", NextQuarter),
    (r"\bnext year\b|\bnächste[sn]? jahr\b|\bl'année prochaine\b|\bel próximo año\b|明年|来年|내년", NextYear),
    (r"\blast week\b|\bletzte[rn]? woche\b|\bla semaine dernière\b|\bla semana pasada\b|上周|先週|지난 ?주", LastWeek),
    (r"\blast month\b|\bletzte[nm]? monat\b|\ble mois dernier\b|\bel mes pasado\b|上个?月|先月|지난 ?달", LastMonth),
    (r"\blast quarter\b|\bletzte[sn]? quartal\b|\ble trimestre dernier\b|\bel trimestre pasado\b|上个?季度|前の四半期|지난 ?분기", LastQuarter),
    (r"\blast year\b|\bletzte[sn]? jahr\b|\bl'année dernière\b|\bel año pasado\b|去年|작년", LastYear),
    (r"\bin {N} days?\b|\bin {N} tag(?:en)?\b|\bdans {N} jours?\b|\ben {N} días?\b|{N} ?天(?:后|内|之内|之后)|[0-9]{1,3} ?日(?:後|以内)|[0-9]{1,3} ?일 ?(?:후|뒤)", InDays),
    (r"\bin {N} weeks?\b|\bin {N} wochen?\b|\bdans {N} semaines?\b|\ben {N} semanas?\b|{N} ?(?:周|个?星期)(?:后|内|之内|之后)|[0-9]{1,3} ?週間(?:後|以内)|{N} ?주 ?(?:후|뒤)", InWeeks),
    (r"\bin {N} months?\b|\bin {N} monat(?:en)?\b|\bdans {N} mois\b|\ben {N} mes(?:es)?\b|{N} ?个月(?:后|内|之内|之后)|[0-9]{1,3} ?(?:か月|ヶ月)(?:後|以内)|{N} ?(?:달|개월) ?(?:후|뒤)", InMonths),
    (r"\b{EN} [0-9]{1,2}(?:st|nd|rd|th)?\b|\b[0-9]{1,2}(?:st|nd|rd|th)?(?: of)? {EN}\b|\b[0-9]{1,2}\. ?{DE}\b|\b[0-9]{1,2}(?:er)? {FR}\b|\b[0-9]{1,2} de {ES}\b|[0-9]{1,2} ?月 ?[0-9]{1,2} ?(?:日|号)|[0-9]{1,2}월 ?[0-9]{1,2}일", Month),
    (r"\bthe [0-9]{1,2}(?:st|nd|rd|th)\b|[0-9]{1,2}号", DayOfMonth),
];

/// A text with every relative date followed by the day that it means: `Friday (2026-03-06)`.
pub(super) fn absolute(text: &str, said_on: Date) -> String {
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    for (pattern, meaning) in patterns() {
        for place in pattern.find_iter(text.as_bytes()) {
            let (start, end) = (place.start(), place.end());
            let is_taken = found.iter().any(|(from, to, _)| start < *to && *from < end);
            let expression = text.get(start..end).filter(|_| !is_taken);
            let day = expression.and_then(|text| resolved(&text.to_lowercase(), *meaning, said_on));
            if let Some(day) = day.filter(|_| !is_dated(&text[end..])) {
                found.push((start, end, day));
            }
        }
    }
    found.sort();
    let (mut made, mut at) = (String::with_capacity(text.len()), 0);
    for (_, end, day) in found {
        made.push_str(&text[at..end]);
        let _ = write!(made, " ({day})");
        at = end;
    }
    made + &text[at..]
}

/// Whether a date follows anyway.
fn is_dated(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ',', '(']);
    rest.len() >= 4 && rest.as_bytes()[..4].iter().all(u8::is_ascii_digit)
}

fn patterns() -> &'static [(Regex, Meaning)] {
    static PATTERNS: OnceLock<Vec<(Regex, Meaning)>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let parts = [
            ("{EN}", EN_MONTHS),
            ("{DE}", DE_MONTHS),
            ("{FR}", FR_MONTHS),
            ("{ES}", ES_MONTHS),
            ("{N}", NUMBER),
        ]
        .map(|(name, part)| (name.to_owned(), part.to_owned()));
        let compile = |(pattern, meaning): &(&str, Meaning)| {
            let mut builder = RegexBuilder::new(&filled(pattern, &parts));
            let regex = builder.unicode(false).case_insensitive(true).build();
            Some((regex.ok()?, *meaning))
        };
        EXPRESSIONS.iter().filter_map(compile).collect()
    })
}

fn filled(pattern: &str, parts: &[(String, String)]) -> String {
    let put = |text: String, (name, part): &(String, String)| text.replace(name, part);
    parts.iter().fold(pattern.to_owned(), put)
}

/// The day, month, quarter or year that an expression means.
fn resolved(text: &str, meaning: Meaning, today: Date) -> Option<String> {
    let plus = |days: i32| today.checked_add(days.days()).ok();
    let day = match meaning {
        Days(days) => plus(days),
        Day(is_next) => {
            let wanted = i32::from(day_name(text)?);
            let now = i32::from(today.weekday().to_monday_zero_offset());
            match is_next {
                true => plus(7 - now + wanted),
                // Said on a Friday, "Friday" is that very day only with "this".
                false => plus(match (wanted - now).rem_euclid(7) {
                    0 => 7,
                    days => days,
                }),
            }
        }
        DayOfMonth => {
            let day = i8::try_from(number(text)?).ok()?;
            let this = today.with().day(day).build().ok();
            let is_past = this.is_none_or(|this| this < today);
            match is_past {
                true => today.first_of_month().checked_add(1.month()).ok()?.with().day(day).build().ok(),
                false => this,
            }
        }
        Month => near(today, month(text)?, day_within(text)?),
        NextWeek => return Some(format!("week of {}", monday(plus(7)?))),
        LastWeek => return Some(format!("week of {}", monday(plus(-7)?))),
        NextMonth => return Some(month_of(today.first_of_month().checked_add(1.month()).ok()?)),
        LastMonth => return Some(month_of(today.first_of_month().checked_sub(1.month()).ok()?)),
        NextQuarter => return Some(quarter_of(today.first_of_month().checked_add(3.months()).ok()?)),
        LastQuarter => return Some(quarter_of(today.first_of_month().checked_sub(3.months()).ok()?)),
        NextYear => return Some((i32::from(today.year()) + 1).to_string()),
        LastYear => return Some((i32::from(today.year()) - 1).to_string()),
        EndOfWeek => monday(today).checked_add(4.days()).ok(),
        EndOfMonth => Some(today.last_of_month()),
        EndOfQuarter => {
            let last = (today.month() + 2) / 3 * 3;
            today.first_of_month().with().month(last).build().ok().map(Date::last_of_month)
        }
        EndOfYear => Some(today.last_of_year()),
        EndOfNamed => near(today, month(text)?, 1).map(Date::last_of_month),
        InDays => plus(number(text)?),
        InWeeks => plus(number(text)?.checked_mul(7)?),
        InMonths => today.checked_add(number(text)?.months()).ok(),
    };
    day.map(|day| day.to_string())
}

fn monday(day: Date) -> Date {
    let back = i32::from(day.weekday().to_monday_zero_offset());
    day.checked_sub(back.days()).unwrap_or(day)
}

fn month_of(day: Date) -> String {
    day.strftime("%Y-%m").to_string()
}

fn quarter_of(day: Date) -> String {
    format!("{}-Q{}", day.year(), (day.month() + 2) / 3)
}

/// The month and day of the year that is nearest ahead; one of the last weeks is meant as past.
fn near(today: Date, month: i8, day: i8) -> Option<Date> {
    let this = Date::new(today.year(), month, day).ok()?;
    let passed = today.checked_sub(60.days()).ok()?;
    if this >= passed {
        return Some(this);
    }
    Date::new(today.year() + 1, month, day).ok()
}

fn day_name(text: &str) -> Option<i8> {
    let short = ["一", "二", "三", "四", "五", "六"];
    let named = DAY_NAMES
        .iter()
        .position(|names| names.iter().any(|name| text.contains(name)));
    let at = named.or_else(|| short.iter().position(|name| text.ends_with(name)));
    i8::try_from(at?).ok().filter(|at| *at <= Weekday::Sunday.to_monday_zero_offset())
}

fn month(text: &str) -> Option<i8> {
    if let Some(before) = text.split(['月', '월']).next().filter(|part| part.len() < text.len()) {
        return before.trim().parse().ok();
    }
    let at = MONTH_NAMES
        .iter()
        .rposition(|names| names.iter().any(|name| words(text).any(|word| word.starts_with(name))))?;
    i8::try_from(at + 1).ok()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic())
}

/// The day in an expression with a month.
fn day_within(text: &str) -> Option<i8> {
    let rest = text.split(['月', '월']).next_back().unwrap_or(text);
    i8::try_from(digits(rest)?).ok()
}

fn digits(text: &str) -> Option<i32> {
    let run = text.split(|c: char| !c.is_ascii_digit()).find(|run| !run.is_empty())?;
    run.parse().ok()
}

fn number(text: &str) -> Option<i32> {
    const WORDS: [(&[&str], i32); 6] = [
        (&["a", "an", "one", "ein", "eine", "einem", "einer", "un", "une", "una", "一", "한"], 1),
        (&["two", "zwei", "deux", "dos", "两", "二", "두"], 2),
        (&["three", "drei", "trois", "tres", "三", "세"], 3),
        (&["four", "vier", "quatre", "cuatro", "四", "네"], 4),
        (&["five", "fünf", "cinq", "cinco", "五"], 5),
        (&["six", "sechs", "seis"], 6),
    ];
    digits(text).or_else(|| {
        let is = |name: &&str| match name.is_ascii() || name.chars().count() > 1 {
            true => words(text).any(|word| word == *name),
            false => text.starts_with(*name),
        };
        let found = WORDS.iter().find(|(names, _)| names.iter().any(is));
        found.map(|(_, value)| *value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Said on Wednesday, 4 March 2026.
    fn on_wednesday(text: &str) -> String {
        absolute(text, jiff::civil::date(2026, 3, 4))
    }

    #[test]
    fn every_expression_compiles() {
        assert_eq!(patterns().len(), EXPRESSIONS.len());
    }

    #[test]
    fn days_are_told_in_seven_languages() {
        for (text, day) in [
            ("after Thursday", "2026-03-05"),
            ("by next Friday", "2026-03-13"),
            ("on Wednesday", "2026-03-11"),
            ("the day after tomorrow", "2026-03-06"),
            ("in two weeks", "2026-03-18"),
            ("by the end of the month", "2026-03-31"),
            ("by end of June", "2026-06-30"),
            ("on May 12th", "2026-05-12"),
            ("on the 2nd", "2026-04-02"),
            ("since last quarter", "2025-Q4"),
            ("next week", "week of 2026-03-09"),
            ("bis Freitag", "2026-03-06"),
            ("ab dem 3. Februar", "2026-02-03"),
            ("übermorgen", "2026-03-06"),
            ("avant vendredi", "2026-03-06"),
            ("le 14 juillet", "2026-07-14"),
            ("antes del viernes", "2026-03-06"),
            ("la semana que viene", "week of 2026-03-09"),
            ("下周五", "2026-03-13"),
            ("周五", "2026-03-06"),
            ("月底", "2026-03-31"),
            ("三天后", "2026-03-07"),
            ("来週の金曜日", "2026-03-13"),
            ("4月10日", "2026-04-10"),
            ("다음 주 금요일", "2026-03-13"),
            ("금요일", "2026-03-06"),
            ("4월 10일", "2026-04-10"),
        ] {
            assert_eq!(on_wednesday(text), format!("{text} ({day})"));
        }
    }

    #[test]
    fn what_is_no_date_or_has_one_stays() {
        for text in ["may 99 times", "Friday (2026-03-06)", "in 400000000 days", "guten Morgen", "a marching band"] {
            assert_eq!(on_wednesday(text), text);
        }
    }
}
