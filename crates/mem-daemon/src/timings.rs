//! How patient a daemon is: as the settings say, and for tests as the environment says.

use std::time::Duration;

use crate::state_machine::DaemonTimings;
use mem_core::Environment;
use mem_core::config::Config;

/// For tests: `team_quiet=50,idle=1000`, each in milliseconds.
const VARIABLE: &str = "MEM_DAEMON_PACE";
const SECONDS_PER_MINUTE: u64 = 60;

/// The settings of a daemon; one that is a service does not end by itself.
pub fn daemon_timings(config: &Config, env: &Environment, is_service: bool) -> DaemonTimings {
    let seconds = config
        .values
        .daemon
        .idle_minutes
        .saturating_mul(SECONDS_PER_MINUTE);
    let mut settings = DaemonTimings {
        idle: (seconds > 0).then_some(Duration::from_secs(seconds)),
        ..DaemonTimings::default()
    };
    for word in env.get(VARIABLE).unwrap_or_default().split(',') {
        if let Some((name, number)) = word.split_once('=')
            && let Ok(number) = number.parse()
        {
            set_timing(&mut settings, name, Duration::from_millis(number));
        }
    }
    if is_service {
        settings.idle = None;
    }
    settings
}

/// For tests: how soon a night that was missed is made up for.
pub fn night_delay(env: &Environment) -> Option<Duration> {
    let words = env.get(VARIABLE).unwrap_or_default().split(',');
    let number = words.filter_map(|word| word.strip_prefix("night="));
    let number = number.filter_map(|number| number.parse().ok()).next();
    number.map(Duration::from_millis)
}

fn set_timing(settings: &mut DaemonTimings, name: &str, time: Duration) {
    match name {
        "team_quiet" => settings.team_quiet = time,
        "team_longest" => settings.team_longest = time,
        "tend_quiet" => settings.maintenance_quiet = time,
        "tend_longest" => settings.maintenance_longest = time,
        "poll" => settings.poll = time,
        "retry_first" => settings.retry_first = time,
        "retry_longest" => settings.retry_longest = time,
        "idle" => settings.idle = Some(time),
        "drain" => settings.drain = time,
        _ => {}
    }
}
