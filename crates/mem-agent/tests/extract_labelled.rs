//! What rules and clues find in the labelled sessions, and that the clues were fitted to those.

use std::fs;
use std::path::Path;

use crate::labelled::{FITTED, Judged, origin, rates, read};

#[test]
fn the_labelled_sessions_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    for (text, least) in [
        (include_str!("../eval/extract/tuning.txt"), (90.0, 80.0)),
        (include_str!("../eval/extract/others.txt"), (90.0, 65.0)),
        (include_str!("../eval/extract/sentences.txt"), (90.0, 80.0)),
        (include_str!("../eval/extract/heldout.txt"), (85.0, 55.0)),
    ] {
        let sessions = read(text).unwrap();
        let (empty, full): (Vec<_>, Vec<_>) =
            sessions.iter().partition(|one| one.wanted.is_empty());
        assert!(
            sessions.len() >= 25 && empty.len() * 3 >= full.len(),
            "{}",
            sessions.len()
        );
        let judged: Vec<Judged> = sessions
            .iter()
            .map(|one| one.judge(folder.path()).unwrap())
            .collect();
        let (precision, recall) = rates(&judged);
        assert!(
            precision >= least.0 && recall >= least.1,
            "{precision:.1} {recall:.1}"
        );
        let missed: usize = judged
            .iter()
            .map(|one| one.missed.len() + one.dropped.len())
            .sum();
        let mistyped: usize = judged.iter().map(|one| one.mistyped).sum();
        assert!(missed > 0, "nothing is ever left out");
        assert!(mistyped * 10 < missed.max(50), "{mistyped} of another type");
    }
}

#[test]
fn the_weights_of_clues_are_of_what_is_labelled_now() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let clues = fs::read_to_string(folder.join("../../templates/extract/clues.txt"));
    let origin = origin(&folder.join("eval/extract"), &FITTED).expect("what is labelled");
    assert!(
        clues.expect("the weights").contains(&origin),
        "`cargo xtask eval extract --fit` fits them again: {origin}"
    );
}
