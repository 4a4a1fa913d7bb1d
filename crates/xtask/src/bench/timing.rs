//! Interleaved timing of two sides.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// Rounds that are run and not counted.
const WARM_UP_ROUNDS: usize = 3;

/// A side: makes ready for a round, untimed, and returns the commands to be timed together.
pub(crate) trait BenchSide: FnMut(usize) -> anyhow::Result<Vec<Command>> {}

impl<F: FnMut(usize) -> anyhow::Result<Vec<Command>>> BenchSide for F {}

/// The medians of both sides, timed in turn, so that both see the same state of the machine; which goes first
/// alternates.
///
/// # Errors
/// A command cannot be started or fails: its time would mean nothing.
pub(crate) fn interleave(
    runs: usize,
    subject: impl BenchSide,
    beside: impl BenchSide,
) -> anyhow::Result<[Duration; 2]> {
    interleave_ending(&[0], runs, subject, beside)
}

/// The same for commands that may end with other codes: a scanner that finds something.
///
/// # Errors
/// A command cannot be started, or ends with a code that is none of `codes`.
pub(crate) fn interleave_ending(
    codes: &[i32],
    runs: usize,
    mut subject: impl BenchSide,
    mut beside: impl BenchSide,
) -> anyhow::Result<[Duration; 2]> {
    in_turn(
        WARM_UP_ROUNDS,
        runs,
        &mut [
            &mut |round| time(&mut subject, round, codes),
            &mut |round| time(&mut beside, round, codes),
        ],
    )
}

/// What makes ready for a round, untimed, and tells how long the rest of it took.
pub(crate) type Timed<'t> = &'t mut dyn FnMut(usize) -> anyhow::Result<Duration>;

/// The medians of several sides that time themselves, in turn; another one goes first each time.
///
/// # Errors
/// Those of the sides.
pub(crate) fn in_turn<const N: usize>(
    warm_up: usize,
    runs: usize,
    sides: &mut [Timed<'_>; N],
) -> anyhow::Result<[Duration; N]> {
    let mut times = [const { Vec::new() }; N];
    for round in 0..runs + warm_up {
        for nth in 0..N {
            let nth = (nth + round) % N;
            let took = sides[nth](round)?;
            if round >= warm_up {
                times[nth].push(took);
            }
        }
    }
    Ok(times.map(median))
}

/// The time of commands, one after the other.
///
/// # Errors
/// As [`interleave`].
pub(crate) fn time_of(commands: Vec<Command>) -> anyhow::Result<Duration> {
    let mut commands = Some(commands);
    time(&mut |_| Ok(commands.take().unwrap_or_default()), 0, &[0])
}

/// The median of `mem` where there is nothing to compare it with.
///
/// # Errors
/// As [`interleave_ending`].
pub(crate) fn alone(
    codes: &[i32],
    runs: usize,
    mut subject: impl BenchSide,
) -> anyhow::Result<Duration> {
    let subject = &mut |round| time(&mut subject, round, codes);
    let [median] = in_turn(WARM_UP_ROUNDS, runs, &mut [subject])?;
    Ok(median)
}

/// The time of one side in one round.
fn time(side: &mut impl BenchSide, round: usize, codes: &[i32]) -> anyhow::Result<Duration> {
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
        let known = status.code().is_some_and(|code| codes.contains(&code));
        ensure!(known, "{command:?} ended with {status}");
    }
    Ok(start.elapsed())
}

/// The middle value; of two, the upper.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
