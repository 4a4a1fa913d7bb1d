//! Figures over days: a table from here, which a script draws as a plot.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::{ToSpan as _, tz::TimeZone};
use maud::{Markup, html};

use super::answers::{Change, DayFigures};
use super::texts;

/// Days that a plot shows at most.
const DAYS_MAX: usize = 365;
/// Days that a table shows: the newest.
const ROWS_MAX: usize = 30;

/// Named lines of figures, one figure a day, without a gap.
#[derive(Debug, Default)]
pub(crate) struct Plot {
    title: &'static str,
    days: Vec<Date>,
    lines: Vec<(String, Vec<usize>)>,
    is_bars: bool,
}

/// The name of a line, and its figure of a day.
type FigureLine = (&'static str, fn(&DayFigures) -> usize);

impl Plot {
    /// Changes of a history, by who made them.
    pub(crate) fn of_changes(changes: &[Change], today: Date) -> Self {
        let mut counts: BTreeMap<&str, BTreeMap<Date, usize>> = BTreeMap::new();
        for change in changes {
            let of = counts.entry(&change.actor).or_default();
            *of.entry(day_of(change)).or_default() += 1;
        }
        let counts = counts.into_iter();
        let lines = counts.map(|(actor, of)| (actor.to_owned(), of)).collect();
        Self::of_days(texts::PLOT_CHANGES, lines, today)
    }

    /// Bars of named figures; a day without one has none.
    fn of_days(
        title: &'static str,
        lines: Vec<(String, BTreeMap<Date, usize>)>,
        today: Date,
    ) -> Self {
        let first = lines.iter().filter_map(|(_, of)| of.keys().next()).min();
        let days = days_since(first.copied(), today);
        let lines = lines.into_iter().map(|(name, of)| {
            let figure = |day| of.get(day).copied().unwrap_or_default();
            (name, days.iter().map(figure).collect())
        });
        Self {
            title,
            lines: lines.collect(),
            days,
            is_bars: true,
        }
    }

    /// How many memories there were, from what a history made and deleted.
    pub(crate) fn of_memories(changes: &[Change], now: usize, today: Date) -> Self {
        let mut steps: BTreeMap<Date, isize> = BTreeMap::new();
        for change in changes {
            let memories = change
                .versions
                .iter()
                .filter(|version| !version.file.ends_with("MEMORY.md"));
            let step: isize = memories
                .map(|version| match version.operation.as_str() {
                    "created" => 1,
                    "deleted" => -1,
                    _ => 0,
                })
                .sum();
            *steps.entry(day_of(change)).or_default() += step;
        }
        let days = days_since(steps.keys().next().copied(), today);
        // Backwards from what there is: a history may begin later than its memories.
        let mut count = isize::try_from(now).unwrap_or_default();
        let mut line: Vec<usize> = Vec::with_capacity(days.len());
        for day in days.iter().rev() {
            line.push(usize::try_from(count).unwrap_or_default());
            count -= steps.get(day).copied().unwrap_or_default();
        }
        line.reverse();
        Self {
            title: texts::PLOT_MEMORIES,
            days,
            lines: vec![(texts::KEPT.to_owned(), line)],
            is_bars: false,
        }
    }

    /// Figures that a command gives by day.
    pub(crate) fn of_figures(
        title: &'static str,
        figures: &[DayFigures],
        lines: &[FigureLine],
        today: Date,
    ) -> Self {
        let line = |(name, read): &FigureLine| {
            let of = figures
                .iter()
                .filter_map(|one| Some((one.day.parse().ok()?, read(one))));
            ((*name).to_owned(), of.collect())
        };
        Self::of_days(title, lines.iter().map(line).collect(), today)
    }

    /// Whether there is anything to draw.
    pub(crate) fn is_empty(&self) -> bool {
        self.days.len() < 2
            || self
                .lines
                .iter()
                .all(|(_, line)| line.iter().all(|figure| *figure == 0))
    }

    /// The table, with the data for the script.
    pub(crate) fn render(&self) -> Markup {
        if self.is_empty() {
            return html! {};
        }
        let seconds = |day: &Date| {
            day.to_zoned(TimeZone::UTC)
                .map_or(0, |zoned| zoned.timestamp().as_second())
        };
        let data = serde_json::json!({
            "days": self.days.iter().map(seconds).collect::<Vec<_>>(),
            "lines": self.lines.iter().map(|(name, line)| serde_json::json!({ "name": name, "figures": line })).collect::<Vec<_>>(),
            "bars": self.is_bars,
        });
        let rows: Vec<usize> = (0..self.days.len())
            .rev()
            .filter(|at| !self.is_bars || self.lines.iter().any(|(_, line)| line[*at] > 0))
            .take(ROWS_MAX)
            .collect();
        html! {
            figure.plot data-plot=(data.to_string()) {
                figcaption { (self.title) }
                details {
                    summary { (texts::AS_TABLE) }
                    table {
                        thead { tr { th scope="col" { (texts::DAY) } @for (name, _) in &self.lines { th.figure scope="col" { (name) } } } }
                        tbody { @for at in rows { tr {
                            td { (self.days[at]) }
                            @for (_, line) in &self.lines { td.figure { (line[at]) } }
                        } } }
                    }
                }
            }
        }
    }
}

/// The day of a change, in UTC.
pub(crate) fn day_of(change: &Change) -> Date {
    change.time().to_zoned(TimeZone::UTC).date()
}

/// Every day from `first` to `today`.
fn days_since(first: Option<Date>, today: Date) -> Vec<Date> {
    let Some(first) = first else {
        return Vec::new();
    };
    let earliest = today.saturating_sub((DAYS_MAX as i64 - 1).days());
    first
        .max(earliest)
        .series(1.day())
        .take_while(|day| *day <= today)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::answers::Version;
    use super::*;

    fn change(time: &str, actor: &str, operations: &[&str]) -> Change {
        let versions = operations.iter().map(|operation| Version {
            file: "x.md".to_owned(),
            operation: (*operation).to_owned(),
            ..Version::default()
        });
        Change {
            time: time.to_owned(),
            actor: actor.to_owned(),
            versions: versions.collect(),
            ..Change::default()
        }
    }

    #[test]
    fn days_without_a_change_have_a_figure_too() {
        let changes = [
            change("2026-11-03T23:59:00Z", "agent", &["deleted"]),
            change("2026-11-01T00:00:00Z", "person", &["created", "created"]),
        ];
        let today = "2026-11-04".parse().unwrap();
        let plot = Plot::of_changes(&changes, today);
        assert_eq!(
            plot.lines,
            [
                ("agent".to_owned(), vec![0, 0, 1, 0]),
                ("person".to_owned(), vec![1, 0, 0, 0])
            ]
        );
        let plot = Plot::of_memories(&changes, 6, today);
        assert_eq!(
            plot.lines[0].1,
            [7, 7, 6, 6],
            "five were there before the history"
        );
        assert!(Plot::of_figures("", &[], &[], today).is_empty());
    }
}
