//! How people name days without a date, in seven languages.

/// What an expression means; its number or name is read again when the day is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateMeaning {
    /// So many days on.
    Days(i32),
    /// A day of the week, and nothing that says which; it may be every week's.
    Weekday,
    /// The one that comes, the one of this week, of next week, the last one.
    ComingDay,
    ThisDay,
    NextDay,
    LastDay,
    /// A day of the month, without its month.
    DayOfMonth,
    /// A month and a day, without their year.
    Month,
    /// The week, month, quarter or year with this offset from the present one.
    Weeks(i64),
    Months(i64),
    Quarters(i64),
    Years(i64),
    /// The last day of the week, of the month, of the quarter, of the year.
    EndOfWeek,
    EndOfMonth,
    EndOfQuarter,
    EndOfYear,
    /// The end of a month that is named.
    EndOfNamed,
    /// A number of days, weeks, months from then (1) or before (-1).
    CountedDays(i64),
    CountedWeeks(i64),
    CountedMonths(i64),
}

use DateMeaning::{
    ComingDay, CountedDays, CountedMonths, CountedWeeks, DayOfMonth, Days, EndOfMonth, EndOfNamed,
    EndOfQuarter, EndOfWeek, EndOfYear, LastDay, Month, Months, NextDay, Quarters, ThisDay,
    Weekday, Weeks, Years,
};

pub(super) const EN_MONTHS: &str = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
pub(super) const DE_MONTHS: &str =
    "(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)";
pub(super) const FR_MONTHS: &str =
    "(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)";
pub(super) const ES_MONTHS: &str =
    "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)";
pub(super) const NUMBER: &str = "(?:[0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eine[mnr]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|une?|deux|trois|quatre|cinq|un|una|dos|tres|cuatro|cinco|seis|一|两|二|三|四|五|한|두|세|네)";

/// Days of the week: of English, of German, of the languages without spaces.
pub(super) const EN_DAYS: &str = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
pub(super) const DE_DAYS: &str = "(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)";
pub(super) const FR_DAYS: &str = "(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)";
pub(super) const ES_DAYS: &str = "(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)";

/// Earlier ones go before later ones where both would begin at the same place. Where only a part of an
/// expression is the name of the day, that part is a group.
pub(super) const EXPRESSIONS: &[(&str, DateMeaning)] = &[
    (
        r"\b(?:the )?day after tomorrow\b|(?:ü|Ü)bermorgen\b|\baprès-demain\b|\bpasado mañana\b|后天|明後日|あさって|모레",
        Days(2),
    ),
    (
        r"\b(?:the )?day before yesterday\b|\bvorgestern\b|\bavant-hier\b|\banteayer\b|前天|一昨日|그저께",
        Days(-2),
    ),
    (r"\btomorrow\b|\bdemain\b|明天|明日|내일", Days(1)),
    (r"\bmorgen\b|\bmañana\b", Days(1)),
    (
        r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|\bheute\b|\baujourd'hui\b|\bhoy\b|今天|今日|오늘",
        Days(0),
    ),
    (
        r"\byesterday\b|\bgestern\b|\bhier soir\b|\bayer\b|昨天|昨日|어제",
        Days(-1),
    ),
    (
        r"\b(?:the )?end of (?:this |the )?week\b|\beow\b|\bende der woche\b|\bfin de la semaine\b|\bfin de semana\b",
        EndOfWeek,
    ),
    (
        r"\b(?:the )?end of (?:this |the )?month\b|\beom\b|\bende des monats\b|\bmonatsende\b|\bfin du mois\b|\b(?:a )?fin(?:al|ales)? de(?:l)? mes\b|月底|月末|월말",
        EndOfMonth,
    ),
    (
        r"\b(?:the )?end of (?:this |the )?quarter\b|\beoq\b|\bende des quartals\b|\bquartalsende\b|\bfin du trimestre\b|\bfin(?:al)? del trimestre\b|季度末|期末",
        EndOfQuarter,
    ),
    (
        r"\b(?:the )?end of (?:this |the )?year\b|\beoy\b|\bende des jahres\b|\bjahresende\b|\bfin de l'année\b|\bfin(?:al|ales)? de año\b|年底|年末|연말",
        EndOfYear,
    ),
    (
        r"\b(?:the )?end of {EN}\b|\bende {DE}\b|\bfin {FR}\b|\bfin(?:al|ales)? de {ES}\b|[0-9]{1,2} ?月(?:底|末)|[0-9]{1,2}월 ?말",
        EndOfNamed,
    ),
    (
        r"\bnext {ED}\b|\bnächste[nrms]? {DD}\b|下(?:周|个?星期|个?礼拜)(?:一|二|三|四|五|六|日|天)|来週の?(?:月|火|水|木|金|土|日)曜日?|다음 ?주 ?(?:월|화|수|목|금|토|일)요일",
        NextDay,
    ),
    (
        r"\blast {ED}\b|\bletzte[nrms]? {DD}\b|\b{FD} dernier\b|\b(?:el )?{SD} pasado\b|上(?:周|个?星期|个?礼拜)(?:一|二|三|四|五|六|日|天)|先週の?(?:月|火|水|木|金|土|日)曜日?|지난 ?주 ?(?:월|화|수|목|금|토|일)요일",
        LastDay,
    ),
    (
        r"\bthis {ED}\b|\bdiese[nrms]? {DD}\b|(?:这|本)(?:周|星期|礼拜)(?:一|二|三|四|五|六|日|天)|今週の?(?:月|火|水|木|金|土|日)曜日?|이번 ?주 ?(?:월|화|수|목|금|토|일)요일",
        ThisDay,
    ),
    (
        r"\b(?:this )?coming {ED}\b|\b(?:by|until|before|due) ({ED})\b|\bkommende[nrms]? {DD}\b|\bbis ({DD})\b|\b{FD} prochain\b|\bavant ({FD})\b|\bpróximo {SD}\b|\bantes del ({SD})\b",
        ComingDay,
    ),
    (
        r"\b{ED}\b|\b{DD}\b|\b{FD}\b|\b{SD}\b|(?:周|星期|礼拜)(?:一|二|三|四|五|六|日|天)|(?:月|火|水|木|金|土|日)曜日?|(?:월|화|수|목|금|토|일)요일",
        Weekday,
    ),
    (
        r"\bthis week\b|\bdiese[rn]? woche\b|\bcette semaine\b|\besta semana\b|这周|本周|今週|이번 ?주",
        Weeks(0),
    ),
    (
        r"\bthis month\b|\bdiese[nm]? monat\b|\bce mois-ci\b|\beste mes\b|这个月|本月|今月|이번 ?달",
        Months(0),
    ),
    (
        r"\bthis year\b|\bdieses jahr\b|\bcette année\b|\beste año\b|今年|올해",
        Years(0),
    ),
    (
        r"\bnext week\b|\bnächste[rn]? woche\b|\bla semaine prochaine\b|\bla próxima semana\b|\bla semana que viene\b|下周|来週|다음 ?주",
        Weeks(1),
    ),
    (
        r"\bnext month\b|\bnächste[nm]? monat\b|\ble mois prochain\b|\bel próximo mes\b|\bel mes que viene\b|下个?月|来月|다음 ?달",
        Months(1),
    ),
    (
        r"\bnext quarter\b|\bnächste[sn]? quartal\b|\ble trimestre prochain\b|\bel próximo trimestre\b|下个?季度|来期|다음 ?분기",
        Quarters(1),
    ),
    (
        r"\bnext year\b|\bnächste[sn]? jahr\b|\bl'année prochaine\b|\bel próximo año\b|明年|来年|내년",
        Years(1),
    ),
    (
        r"\blast week\b|\bletzte[rn]? woche\b|\bla semaine dernière\b|\bla semana pasada\b|上周|先週|지난 ?주",
        Weeks(-1),
    ),
    (
        r"\blast month\b|\bletzte[nm]? monat\b|\ble mois dernier\b|\bel mes pasado\b|上个?月|先月|지난 ?달",
        Months(-1),
    ),
    (
        r"\blast quarter\b|\bletzte[sn]? quartal\b|\ble trimestre dernier\b|\bel trimestre pasado\b|上个?季度|前の四半期|지난 ?분기",
        Quarters(-1),
    ),
    (
        r"\blast year\b|\bletzte[sn]? jahr\b|\bl'année dernière\b|\bel año pasado\b|去年|작년",
        Years(-1),
    ),
    (
        r"\bin {N} days?\b|\bin {N} tag(?:en)?\b|\bdans {N} jours?\b|\ben {N} días?\b|{N} ?天(?:后|内|之内|之后)|[0-9]{1,3} ?日(?:後|以内)|[0-9]{1,3} ?일 ?(?:후|뒤)",
        CountedDays(1),
    ),
    (
        r"\bin {N} weeks?\b|\bin {N} wochen?\b|\bdans {N} semaines?\b|\ben {N} semanas?\b|{N} ?(?:周|个?星期)(?:后|内|之内|之后)|[0-9]{1,3} ?週間(?:後|以内)|{N} ?주 ?(?:후|뒤)",
        CountedWeeks(1),
    ),
    (
        r"\bin {N} months?\b|\bin {N} monat(?:en)?\b|\bdans {N} mois\b|\ben {N} mes(?:es)?\b|{N} ?个月(?:后|内|之内|之后)|[0-9]{1,3} ?(?:か月|ヶ月)(?:後|以内)|{N} ?(?:달|개월) ?(?:후|뒤)",
        CountedMonths(1),
    ),
    (
        r"\b{N} days? ago\b|\bvor {N} tag(?:en)?\b|\bil y a {N} jours?\b|\bhace {N} días?\b|{N} ?天(?:之?前)|[0-9]{1,3} ?日前|[0-9]{1,3} ?일 ?전",
        CountedDays(-1),
    ),
    (
        r"\b{N} weeks? ago\b|\bvor {N} wochen?\b|\bil y a {N} semaines?\b|\bhace {N} semanas?\b|{N} ?(?:周|个?星期)(?:之?前)|[0-9]{1,3} ?週間前|{N} ?주 ?전",
        CountedWeeks(-1),
    ),
    (
        r"\b{N} months? ago\b|\bvor {N} monat(?:en)?\b|\bil y a {N} mois\b|\bhace {N} mes(?:es)?\b|{N} ?个月(?:之?前)|[0-9]{1,3} ?(?:か月|ヶ月)前|{N} ?(?:달|개월) ?전",
        CountedMonths(-1),
    ),
    (
        r"\b{EN} [0-9]{1,2}(?:st|nd|rd|th)?\b|\b[0-9]{1,2}(?:st|nd|rd|th)?(?: of)? {EN}\b|\b[0-9]{1,2}\. ?{DE}\b|\b[0-9]{1,2}(?:er)? {FR}\b|\b[0-9]{1,2} de {ES}\b|[0-9]{1,2} ?月 ?[0-9]{1,2} ?(?:日|号)|[0-9]{1,2}월 ?[0-9]{1,2}일",
        Month,
    ),
    (
        r"\bthe [0-9]{1,2}(?:st|nd|rd|th)\b|[0-9]{1,2}号",
        DayOfMonth,
    ),
];
