//! A day of 100,000 developers over 1,000,000 repositories, event by event.
//!
//! What is measured of `mem` and of real work, and what is assumed:
//!
//! - A daemon looks every five minutes while its repository is in use, and at once before it sends (`mem-daemon`).
//! - Work follows the hours of a real project: 11,227 commits to Cargo since 2023, by the hour in UTC.
//! - A day on which 18 % of a week's work is done, the busiest of that project.
//! - Repositories are used unequally (Zipf): each developer works in ten, most of the time in the first ones.
//! - Assumed: eight hours of work, ten memories saved a day, 1.4 KB each, two repositories in use at a time.

/// By the hour in UTC, of 1,000 commits.
const HOURS: [u32; 24] = [
    35, 39, 42, 31, 24, 17, 15, 15, 17, 16, 17, 20, 33, 44, 59, 71, 79, 67, 67, 69, 73, 73, 49, 31,
];
const DEVELOPERS: usize = 100_000;
const REPOSITORIES: usize = 1_000_000;
/// Repositories of one developer, and those in use at a time.
const MEMBERSHIPS: usize = 10;
const IN_USE: usize = 2;
/// Looks of one daemon in an hour.
const LOOKS_AN_HOUR: usize = 12;
/// Hours of work, and memories saved in them.
const WORK_HOURS: usize = 8;
const SAVES_A_DAY: usize = 10;
const MEMORY_BYTES: f64 = 1400.0;

/// What the servers are asked in the busiest hour, a second.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PeakRates {
    /// Conditional reads of what is known.
    pub(super) looks: f64,
    /// Reads of what somebody else has changed.
    pub(super) pulls: f64,
    /// Writes.
    pub(super) puts: f64,
    /// Of the contents of new versions.
    pub(super) bytes_a_day: f64,
}

/// xorshift64*: the same day each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn number_below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// From 0 to 1.
    fn random_share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of so many, the n-th in proportion to 1 / n.
    fn zipf_number(&mut self, end: usize) -> usize {
        ((end as f64).powf(self.random_share()) as usize).saturating_sub(1)
    }

    /// An hour in which somebody works.
    fn work_hour(&mut self) -> usize {
        let mut left = self.number_below(HOURS.iter().sum::<u32>() as usize) as u32;
        for (hour, share) in HOURS.iter().enumerate() {
            if left < *share {
                return hour;
            }
            left -= share;
        }
        0
    }
}

/// One repository of a developer, and the change of it that they know.
#[derive(Clone, Copy, Default)]
struct Membership {
    repository: u32,
    known: u32,
}

/// Simulates the busiest day of a week.
pub(super) fn simulate() -> PeakRates {
    let mut random = Random(0x5EED_1234_5678_9ABC);
    let mut changes = vec![0_u32; REPOSITORIES];
    let mut members = vec![[Membership::default(); MEMBERSHIPS]; DEVELOPERS];
    for member in members.iter_mut().flatten() {
        member.repository = random.zipf_number(REPOSITORIES) as u32;
    }
    // Who works in which hour: each hour of work is drawn from the hours of the project.
    let mut working = vec![Vec::new(); HOURS.len()];
    for developer in 0..DEVELOPERS {
        for _ in 0..WORK_HOURS {
            working[random.work_hour()].push(developer);
        }
    }
    let mut counts = vec![[0_u64; 3]; HOURS.len()];
    for (hour, developers) in working.iter().enumerate() {
        let [looks, pulls, puts] = &mut counts[hour];
        // The events of an hour mix: five minutes of everybody, then the next.
        for _ in 0..LOOKS_AN_HOUR {
            for &developer in developers {
                for _ in 0..IN_USE {
                    let place = random.zipf_number(MEMBERSHIPS);
                    let member = &mut members[developer][place];
                    let change = &mut changes[member.repository as usize];
                    match member.known == *change {
                        true => *looks += 1,
                        false => *pulls += 1,
                    }
                    member.known = *change;
                    if random.random_share() < save_share() {
                        *puts += 1;
                        *change += 1;
                        member.known = *change;
                    }
                }
            }
        }
    }
    let busiest = counts.iter().max_by_key(|count| count.iter().sum::<u64>());
    let [looks, pulls, puts] = busiest.copied().unwrap_or_default();
    let saved: u64 = counts.iter().map(|[_, _, puts]| puts).sum();
    let second = |count: u64| count as f64 / 3600.0;
    PeakRates {
        looks: second(looks),
        pulls: second(pulls),
        puts: second(puts),
        bytes_a_day: saved as f64 * MEMORY_BYTES,
    }
}

/// How many looks have a save after them.
fn save_share() -> f64 {
    SAVES_A_DAY as f64 / (WORK_HOURS * LOOKS_AN_HOUR * IN_USE) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_hour_has_the_work_that_the_model_says() {
        let PeakRates {
            looks,
            pulls,
            puts,
            bytes_a_day,
        } = simulate();
        println!(
            "{looks:.0} looks, {pulls:.0} pulls, {puts:.0} writes a second, {bytes_a_day:.0} bytes"
        );
        // Of 800,000 hours of work 7.9 % fall into the busiest hour, each with 24 looks.
        let asked = 800_000.0 * 79.0 / 1003.0 * 24.0 / 3600.0;
        assert!(
            (looks + pulls - asked).abs() < 0.05 * asked,
            "{looks} {pulls}"
        );
        assert!(pulls > 0.0 && pulls < looks);
        let saved = bytes_a_day / MEMORY_BYTES;
        assert!((saved - 1e6).abs() < 1e4, "{saved}");
    }
}
