//! Days that come again and again: "only on Tuesdays", "le mardi", 毎週火曜日. Whatever date stood beside one would be
//! false from the next time on.

use std::sync::OnceLock;

use regex::bytes::Regex;

use super::compile_pattern;
use super::table::DateMeaning::{
    self, ComingDay, DayOfMonth, EndOfMonth, EndOfNamed, EndOfQuarter, EndOfWeek, EndOfYear,
    LastDay, Month, Weekday,
};

/// Of what stands before a day, so much is looked at.
const BEFORE_BYTES_MAX: usize = 120;

/// What stands before a day of the week or of the month that recurs; other days may stand between.
const BEFORE: &[&str] = &[
    r"\b(?:every|each|any|most|an?|no)(?: (?:other|single|first|second|third|fourth|last|2nd|3rd|4th))? ",
    r"\b(?:first|second|third|fourth|1st|2nd|3rd|4th) ",
    r"\bonly(?: on)? ",
    r"\b(?:never|always|usually|normally|typically|weekly|monthly)\b[^,;:]{0,60}\bon ",
    r"\b(?:jede[nrms]?|nur|immer|nie|niemals|stets|eine[mn])(?: (?:erste|zweite|dritte|vierte|letzte)[nrms]?)?(?: am| an| zum)? ",
    r"\b(?:erste|zweite|dritte|vierte|letzte)[nrms]? ",
    r"\b(?:immer|nie|niemals)\b[^,;:]{0,60}\bam ",
    r"\b(?:les?|chaque|un|seulement|uniquement|premier|second) ",
    r"\b(?:los|cada|un|primer|segundo|tercer)(?: (?:primer|segundo|tercer|otro))? ",
    r"\b(?:solo|sólo|solamente|siempre|nunca)(?: (?:el|los|en))* ",
    r"每(?:个|逢|到|隔)?(?:一|两|二|三)?个?(?:周|月|年|季度|星期|礼拜)?的? ?",
    r"(?:逢|(?:只|仅|总是|从不)(?:能|会|可以)?(?:在|于|有)?)",
    r"(?:毎週?月?年?|隔週|いつも|必ず)の?、?",
    r"(?:매|매주|격주|매월|매달|매년|항상|오직) ?",
];

/// What makes any day recur that stands behind it.
const EVERY: &[&str] = &[
    r"\b(?:every|each) (?:week|month|quarter|year|sprint)\b[^,;:]{0,40} ",
    r"\bjede[nrms]? (?:woche|monat|quartal|jahr)\b[^,;:]{0,40} ",
    r"\bchaque (?:semaine|mois|trimestre|année)\b[^,;:]{0,40} ",
    r"\b(?:cada|todos los|todas las) (?:semanas?|mes(?:es)?|trimestres?|años?)\b[^,;:]{0,40} ",
];

/// A day and what leads to the next one.
const CHAIN: &str = r"(?:(?:[a-z]+day|[a-z]+tag|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)s?(?:,|/| and| or| und| oder| et| ou| y| o|, and|, or)(?: on| am| le| el| los)? ?|(?:(?:周|星期|礼拜)(?:一|二|三|四|五|六|日|天)|(?:月|火|水|木|金|土|日)曜日?|(?:월|화|수|목|금|토|일)요일)(?:和|或|、|と|や|과 |와 |, ?| 및 ))*$";

/// What stands behind a day that recurs.
const BEHIND: &str = r"^(?: (?:mornings|afternoons|evenings|nights)\b| (?:of|in) (?:the|each|every|any|a) (?:week|month|quarter|year|sprint)\b|,? (?:every|each) (?:week|month|quarter|year|sprint)\b| (?:des monats|im monat|du mois|del mes)\b| ?(?:に|で)?(?:だけ|のみ|しか|ごと)|에?만|마다|에?밖에|都)";

/// Whether a day between two texts is one of many.
pub(super) fn is_recurring(before: &str, behind: &str, meaning: DateMeaning) -> bool {
    let from = before.ceil_char_boundary(before.len().saturating_sub(BEFORE_BYTES_MAX));
    let ends = ['.', '!', '?', ';', '\n', '，', '。', '；', '！', '？'];
    let clause = before[from..].rsplit(ends).next().unwrap_or_default();
    let clause = clause.to_lowercase();
    let all = recurrence_patterns();
    let says = |some: &[Regex]| some.iter().any(|one| one.is_match(clause.as_bytes()));
    let follows = || all.behind.iter().any(|one| one.is_match(behind.as_bytes()));
    match meaning {
        Weekday | DayOfMonth | EndOfWeek | EndOfMonth | EndOfQuarter | EndOfYear => {
            says(&all.before) || says(&all.every) || follows()
        }
        ComingDay | LastDay => says(&all.every) || follows(),
        Month | EndOfNamed => is_yearly(&clause),
        _ => false,
    }
}

fn is_yearly(clause: &str) -> bool {
    const EVERY_YEAR: &[&str] = &[
        "every year",
        "each year",
        "every ",
        "yearly",
        "annually",
        "jedes jahr",
        "jährlich",
        "chaque année",
        "tous les ans",
        "cada año",
        "todos los años",
        "每年",
        "毎年",
        "매년",
    ];
    EVERY_YEAR.iter().any(|words| match *words {
        "every " => clause.ends_with(words),
        _ => clause.contains(words),
    })
}

/// The patterns of the three places.
struct Patterns {
    before: Vec<Regex>,
    every: Vec<Regex>,
    behind: Vec<Regex>,
}

fn recurrence_patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    let leads = |some: &[&str], end: &str| {
        let some = some.iter();
        some.filter_map(|lead| compile_pattern(&format!("(?:{lead}){end}")))
            .collect()
    };
    PATTERNS.get_or_init(|| Patterns {
        before: leads(BEFORE, CHAIN),
        every: leads(EVERY, "$"),
        behind: compile_pattern(BEHIND).into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dates::{annotate_dates, replace_dates};

    #[test]
    fn every_pattern_compiles() {
        let all = recurrence_patterns();
        let compiled = (all.before.len(), all.every.len(), all.behind.len());
        assert_eq!(compiled, (BEFORE.len(), EVERY.len(), 1));
    }

    /// Said, and written, on Wednesday, 4 March 2026.
    #[test]
    fn what_recurs_gets_no_date() {
        let on = jiff::civil::date(2026, 3, 4);
        for text in [
            "We deploy to production only on Tuesdays",
            "we deploy only on Tuesday",
            "Never deploy on a Friday",
            "never deploy on Friday",
            "We always release on Monday or Thursday",
            "releases every second Thursday",
            "every Monday and Thursday",
            "no Friday deploys",
            "no deploys on Friday afternoons",
            "the first Monday of the month",
            "patches land on the last Friday of the month",
            "reports are due every week by Friday",
            "never run it on the 1st of the month",
            "billing runs every month on the 15th",
            "licences are renewed every year on March 14",
            "solo los martes",
            "cada martes",
            "uniquement le mardi",
            "tous les mardis, et le vendredi aussi",
            "Wir deployen immer dienstags",
            "Releases gibt es nur jeden Dienstag",
            "nie am Freitag deployen",
            "jeden zweiten Donnerstag",
            "我们只在周二发布",
            "每周二发布",
            "每个星期二和星期四发布",
            "每月1号结算",
            "每月底结算",
            "リリースは毎週火曜日だけです",
            "火曜日のみ",
            "毎月末に締めます",
            "배포는 매주 화요일에만 합니다",
            "금요일마다",
            "매년 4월 10일",
        ] {
            assert_eq!(annotate_dates(text, on), text);
            assert_eq!(replace_dates(text, on), text);
        }
    }

    #[test]
    fn what_is_one_day_keeps_its_date() {
        let on = jiff::civil::date(2026, 3, 4);
        for (text, dated) in [
            ("only until Friday", "only until Friday (2026-03-06)"),
            (
                "never mind, ship on Friday",
                "never mind, ship on Friday (2026-03-06)",
            ),
            (
                "every test has to pass by Friday",
                "every test has to pass by Friday (2026-03-06)",
            ),
            ("nur bis Freitag", "nur bis Freitag (2026-03-06)"),
            ("el viernes", "el viernes (2026-03-06)"),
            ("le 14 juillet", "le 14 juillet (2026-07-14)"),
            (
                "每个人都要交。周五截止",
                "每个人都要交。周五 (2026-03-06)截止",
            ),
            ("last Friday", "last Friday (2026-02-27)"),
            ("le vendredi dernier", "le vendredi dernier (2026-02-27)"),
        ] {
            assert_eq!(annotate_dates(text, on), dated);
        }
    }
}
