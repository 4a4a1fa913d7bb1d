//! Interleaved timing of two sides.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// Rounds that are run and not counted.
const WARM_UP_ROUNDS: usize = 3;

/// The medians of both sides.
pub(crate) struct Medians {
    /// `mem`.
    pub subject: Duration,
    /// What it is compared with.
    pub beside: Duration,
}

/// A side: makes ready for a round, untimed, and returns the commands to be timed together.
pub(crate) trait Side: FnMut(usize) -> anyhow::Result<Vec<Command>> {}

impl<F: FnMut(usize) -> anyhow::Result<Vec<Command>>> Side for F {}

/// Times both sides in turn, so that both see the same state of the machine; which goes first
/// alternates.
///
/// # Errors
/// A command cannot be started or fails: its time would mean nothing.
pub(crate) fn interleave(
    runs: usize,
    mut subject: impl Side,
    mut beside: impl Side,
) -> anyhow::Result<Medians> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for round in 0..runs + WARM_UP_ROUNDS {
        let (a, b) = if round % 2 == 0 {
            let a = time(&mut subject, round)?;
            (a, time(&mut beside, round)?)
        } else {
            let b = time(&mut beside, round)?;
            (time(&mut subject, round)?, b)
        };
        if round >= WARM_UP_ROUNDS {
            first.push(a);
            second.push(b);
        }
    }
    Ok(Medians {
        subject: median(first),
        beside: median(second),
    })
}

/// The time of one side in one round.
fn time(side: &mut impl Side, round: usize) -> anyhow::Result<Duration> {
    let mut commands = side(round)?;
    for command in &mut commands {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
    }
    let start = Instant::now();
    for command in &mut commands {
        let status = command
            .status()
            .with_context(|| format!("cannot start {command:?}"))?;
        ensure!(status.success(), "{command:?} ended with {status}");
    }
    Ok(start.elapsed())
}

/// The middle value; of two, the upper.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
