//! How long files and functions may be, each and on the whole.

use super::source::{self, Source};
use super::{assert_none, functions};

const FILE_LINES_MAX: usize = 400;
const FILE_LINES_P95_MAX: usize = 350;
const FILE_LINES_MEDIAN_MAX: usize = 110;
const FUNCTION_LINES_MAX: usize = 70;
const FUNCTION_LINES_P95_MAX: usize = 50;

/// The value that this share of the values does not exceed.
fn quantile(mut values: Vec<usize>, share: f64) -> usize {
    values.sort_unstable();
    let index = (values.len() as f64 * share) as usize;
    values[index.min(values.len() - 1)]
}

/// Lines of production code.
fn length(source: &Source) -> usize {
    source.production().len()
}

#[test]
fn files_stay_short() {
    let sources = source::production();
    let long = sources
        .iter()
        .filter(|source| length(source) > FILE_LINES_MAX);
    let long = long.map(|source| format!("{}: {} lines", source.name, length(source)));
    assert_none("more than one subject?", long);
    let lengths: Vec<usize> = sources.iter().map(length).collect();
    let (median, p95) = (quantile(lengths.clone(), 0.5), quantile(lengths, 0.95));
    assert!(median <= FILE_LINES_MEDIAN_MAX, "median of files: {median}");
    assert!(p95 <= FILE_LINES_P95_MAX, "95th percentile of files: {p95}");
}

#[test]
fn functions_stay_short() {
    let mut lengths = Vec::new();
    let mut long = Vec::new();
    for source in source::production() {
        for function in functions::of(&source) {
            lengths.push(function.length);
            if function.length > FUNCTION_LINES_MAX {
                let (name, line, length) = (&source.name, function.line, function.length);
                long.push(format!("{name}:{line}: {length} lines"));
            }
        }
    }
    assert_none("a function is too long to be seen at once", long);
    let p95 = quantile(lengths, 0.95);
    assert!(p95 <= FUNCTION_LINES_P95_MAX, "95th percentile: {p95}");
}

#[test]
fn quantiles_are_values() {
    assert_eq!(quantile(vec![3, 1, 2], 0.5), 2);
    assert_eq!(quantile((1..=100).collect(), 0.95), 96);
    assert_eq!(quantile(vec![7], 0.95), 7);
}
