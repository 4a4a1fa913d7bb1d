//! Where identifiers stand: worked out anew only as far as files changed since an earlier run.

use super::files::{Searched, scan};
use super::lexicon::Lexicon;
use super::marks::{Marks, Standing};
use crate::checkout::{Checkout, Listing};
use crate::earlier::{Earlier, Sighting};

/// Finds every group of words; files that are not tracked (`extra`) are always searched.
pub(crate) fn survey(
    checkout: &Checkout,
    listing: &Listing,
    extra: &[Vec<u8>],
    groups: &[Vec<String>],
    earlier: &Earlier,
) -> Vec<Sighting> {
    let known = groups
        .iter()
        .map(|group| earlier.symbols.get(group).copied());
    let mut found: Vec<Option<Sighting>> = known.collect();
    let mut look = |chosen: Option<&[usize]>, is_wanted: &dyn Fn(Option<Sighting>) -> bool| {
        let wanted = (0..groups.len()).filter(|&group| is_wanted(found[group]));
        let wanted: Vec<usize> = wanted.collect();
        let words: Vec<Vec<String>> = wanted.iter().map(|&group| groups[group].clone()).collect();
        let lexicon = Lexicon::new(&words);
        let searched = Searched {
            listing,
            chosen,
            extra,
        };
        let marks = scan(checkout, searched, &lexicon);
        for (at, &group) in wanted.iter().enumerate() {
            let seen = sighting(&marks, at, listing);
            // What stood nowhere is known to, once every file was searched.
            let is_news =
                found[group].map_or(chosen.is_none(), |known| seen.standing > known.standing);
            if is_news || seen.standing == Standing::Live {
                found[group] = Some(seen);
            }
        }
    };
    if let Some(changed) = &earlier.changed {
        look(Some(changed), &|known| {
            known.is_none_or(|known| known.standing != Standing::Live)
        });
    }
    look(None, &|known| known.is_none());
    let nowhere = Sighting {
        standing: Standing::Absent,
        place: None,
    };
    found
        .into_iter()
        .map(|one| one.unwrap_or(nowhere))
        .collect()
}

fn sighting(marks: &Marks, group: usize, listing: &Listing) -> Sighting {
    let standing = marks.standing(group);
    let place = marks.place(group);
    let is_tracked = standing != Standing::Absent && place < listing.entries().len();
    Sighting {
        standing,
        place: is_tracked.then_some(place),
    }
}
