//! One line of the table.

use std::time::Duration;

/// The head of the table.
pub(crate) const HEADER: &str = "\
| | `mem` | beside | `mem` ms (goal) | beside ms | ratio (goal) | `mem` / beside |
|---|---|---|---:|---:|---:|---|";

/// What a scenario found.
pub(crate) struct BenchRow {
    /// The command line of `mem`.
    subject: &'static str,
    /// What it is compared with.
    beside: &'static str,
    took: Duration,
    other: Option<Duration>,
    /// The ratio not to exceed.
    ratio: Option<f64>,
    /// The milliseconds not to exceed.
    milliseconds: Option<f64>,
    /// What else was measured of both, in words.
    also: String,
}

impl BenchRow {
    /// A line about both medians, without goals.
    pub(crate) fn new(
        subject: &'static str,
        beside: &'static str,
        [took, other]: [Duration; 2],
    ) -> Self {
        Self {
            beside,
            other: Some(other),
            ..Self::alone(subject, took)
        }
    }

    /// A line about what nothing is compared with.
    pub(crate) fn alone(subject: &'static str, took: Duration) -> Self {
        Self {
            subject,
            beside: "",
            took,
            other: None,
            ratio: None,
            milliseconds: None,
            also: String::new(),
        }
    }

    /// A line about how long so many requests take, and how long what is beside them; with both rates.
    pub(crate) fn rates(
        subject: &'static str,
        beside: &'static str,
        times: [Duration; 2],
        count: usize,
    ) -> Self {
        let [rate, other] = times.map(|took| count as f64 / took.as_secs_f64());
        let words = format!("{rate:.0} / {other:.0} a second");
        Self::new(subject, beside, times).also(words)
    }

    /// With a ratio not to exceed.
    pub(crate) fn at_most(mut self, ratio: f64) -> Self {
        self.ratio = Some(ratio);
        self
    }

    /// With a time not to exceed.
    pub(crate) fn within(mut self, milliseconds: f64) -> Self {
        self.milliseconds = Some(milliseconds);
        self
    }

    /// With what else was measured.
    pub(crate) fn also(mut self, words: String) -> Self {
        self.also = words;
        self
    }

    /// The line.
    pub(crate) fn markdown(&self, name: &str) -> String {
        let subject = ms(self.took);
        let goal = |goal: Option<f64>| goal.map_or_else(String::new, |goal| format!(" ({goal})"));
        let (beside, ratio) = match self.other.map(ms) {
            Some(beside) => (
                figure(beside),
                format!("{}{}", share(subject / beside), goal(self.ratio)),
            ),
            None => Default::default(),
        };
        format!(
            "| {name} | `{}` | {} | {}{} | {beside} | {ratio} | {} |",
            self.subject,
            match self.beside {
                "" => String::new(),
                beside => format!("`{beside}`"),
            },
            figure(subject),
            goal(self.milliseconds),
            self.also,
        )
    }
}

/// Milliseconds.
pub(crate) fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// Two digits that say something.
fn share(ratio: f64) -> String {
    match ratio {
        ratio if ratio < 0.1 => format!("{ratio:.3}"),
        ratio => format!("{ratio:.2}"),
    }
}

/// Three digits that say something.
fn figure(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms < 0.1 => format!("{ms:.4}"),
        ms if ms < 10.0 => format!("{ms:.2}"),
        ms if ms < 100.0 => format!("{ms:.1}"),
        ms => format!("{ms:.0}"),
    }
}
