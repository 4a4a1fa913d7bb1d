//! Whether an entry begins with the name of a work, and says what holds of it: `Merging to main requires two reviews`.
//!
//! `Merging the branch` begins with the same word and is done with when the branch is in.

/// What says of a thing what holds of it. What was is done with: no past stands among these.
const HOLDS: &str = "is are requires require needs need happens happen goes go runs run stays stay lives live sits \
                     belongs belong takes take costs cost starts ends opens closes means includes must should may";
/// What no name of a work goes on with up to there: from these on another clause is read.
const TURNS: &str = "that which who because since so and but or if while where as then until i we he she they it this";
/// What tells how the work of a day stands, and not what holds.
const STANDS: &str = "done finished complete completed over blocked stuck slow hard tedious boring annoying fun fine ok \
                      okay good great well bad badly green red underway ongoing progress pending today now still \
                      currently almost nearly half more longer another forever ages painful tricky late again live up";
/// Of the words that a work of a day begins with, names of what comes again.
const NAMES: [&str; 2] = ["meeting", "standup"];
/// So many words name a work at most.
const WORDS_MAX: usize = 6;

/// Whether the first word of a text, one of those that a work of a day begins with, is what the text is about.
pub(super) fn is_first_word(text: &str) -> bool {
    let low = text.to_lowercase();
    let words: Vec<&str> = low.split_whitespace().collect();
    let Some(tie) = words.iter().position(|word| is_in(HOLDS, word)) else {
        return false;
    };
    let (named, told) = (&words[..tie], &words[tie + 1..]);
    let Some((first, rest)) = named.split_first() else {
        return false;
    };
    // `Merged branches are deleted`: one that is merged. `Merged the branch` tells what somebody did.
    let is_name = match () {
        () if first.ends_with("ing") => rest.len() < WORDS_MAX,
        () if NAMES.contains(first) => rest.is_empty(),
        () => rest.len() == 1 && rest[0].len() > 3 && rest[0].ends_with('s'),
    };
    let goes_on =
        |word: &&str| word.ends_with([',', ';', ':', '.', '!', '?']) || is_in(TURNS, word);
    let is_status = |word: &&str| is_in(STANDS, word.trim_matches(|c: char| !c.is_alphanumeric()));
    // `Is done by two people` says how it is done, and not that it is.
    let is_by = told.get(1).is_some_and(|word| *word == "by");
    let clause = told.iter().skip(usize::from(is_by));
    let is_told = told
        .first()
        .is_some_and(|word| word.chars().any(char::is_alphanumeric));
    is_name
        && is_told
        && !named.iter().any(goes_on)
        && !clause.copied().any(|word| is_status(&word))
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_work_is_named_by_is_told_from_what_was_worked_on() {
        for text in [
            "Merging requires two reviews",
            "Merging to main requires two reviews",
            "Testing happens on staging",
            "Renaming tables needs approval by the DBA",
            "Reviewing is done by two people",
            "Adding a dependency must go through legal",
            "Merged branches are deleted by a job at night",
            "Meeting is in the small room",
        ] {
            assert!(is_first_word(text), "{text}");
        }
        for text in [
            "Merging the branch",
            "Testing the import, looks fine",
            "Testing the import, it is slow",
            "Debugging the flake that is on staging",
            "Renaming tables is done",
            "Testing is in progress",
            "Merging needs more time",
            "Reviewing is blocked",
            "Reading the docs was tedious",
            "Merged the fix because the cache is Redis",
            "Merged the branches that are old",
            "Fixed tests are green",
            "Waiting is",
        ] {
            assert!(!is_first_word(text), "{text}");
        }
    }
}
