//! Whether an entry begins with the name of a work, and says what holds of it: `Merging to main requires two reviews`.
//!
//! `Merging the branch` begins with the same word and is done with when the branch is in.

/// What says of a thing what holds of it. What was is done with: no past stands among these.
const HOLDS: &str = "is are isn't aren't has have requires require needs need happens happen goes go runs run stays stay \
                     lives live sits belongs belong takes take costs cost starts ends opens closes means includes uses \
                     use works must mustn't should shouldn't may can can't cannot";
/// Of those, what tells of things that were worked on how they are: `merged branches are`.
const TELLS: [&str; 4] = ["are", "aren't", "have", "has"];
/// What no name of a work goes on with up to there: from these on another clause is read.
const TURNS: &str = "that which who whether why how what because since so and but or if while where as then until be i we \
                     he she they it this";
/// What tells how the work of a day stands, and not what holds.
const STANDS: &str = "done finished complete completed over started begun failed been merged pushed deployed reviewed \
                      fixed tested blocked stuck slow hard tedious boring annoying fun nice pain fine ok okay good great \
                      well bad badly green red work working underway ongoing progress pending today now still currently \
                      almost nearly half more longer another forever ages painful tricky late again live up";
/// Behind what is done stands how: `is done by two people`, `are reviewed on staging`.
const HOW: [&str; 8] = ["by", "with", "via", "in", "on", "through", "from", "using"];
/// Works that are never of more than a day.
const PASSING: &str = "waiting looking trying continuing starting finishing working";
/// Of the words that a work of a day begins with, names of what comes again.
const NAMES: [&str; 2] = ["meeting", "standup"];
/// So many words name a work at most.
const WORDS_MAX: usize = 6;
/// Of things that were worked on, so many words tell more than how they are.
const TOLD_MIN: usize = 3;

/// Whether the first word of a text, one of those that a work of a day begins with, is what the text is about.
pub(super) fn is_first_word(text: &str) -> bool {
    let low = text.to_lowercase().replace('’', "'");
    let words: Vec<&str> = low.split_whitespace().collect();
    let Some(tie) = words.iter().position(|word| is_in(HOLDS, word)) else {
        return false;
    };
    let (named, told) = (&words[..tie], &words[tie + 1..]);
    let Some((first, rest)) = named.split_first() else {
        return false;
    };
    let is_more = !TELLS.contains(&words[tie]) || told.len() >= TOLD_MIN;
    // `Merged branches are deleted`: those that are merged. `Merged the branch` tells what somebody did.
    let is_name = match () {
        () if first.ends_with("ing") => rest.len() < WORDS_MAX && !is_in(PASSING, first),
        () if NAMES.contains(first) => rest.is_empty(),
        () => rest.len() == 1 && rest[0].len() > 3 && rest[0].ends_with('s') && is_more,
    };
    let is_told = told
        .first()
        .is_some_and(|word| word.chars().any(char::is_alphanumeric));
    is_name && is_told && !named.iter().any(|word| goes_on(word)) && !tells_progress(told)
}

/// Whether a word ends what names a thing.
fn goes_on(word: &str) -> bool {
    word.ends_with([',', ';', ':', '.', '!', '?']) || is_in(TURNS, word)
}

/// Whether what is said of a work is how far it is.
fn tells_progress(told: &[&str]) -> bool {
    let bare = |word: &str| -> String { word.chars().filter(|c| c.is_alphanumeric()).collect() };
    told.iter().enumerate().any(|(at, word)| {
        let is_how = word.ends_with("ed") && *word != "red" || *word == "done";
        let next = told.get(at + 1).is_some_and(|next| HOW.contains(next));
        is_in(STANDS, &bare(word)) && !(is_how && next)
    })
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
            "Merging is done with squash",
            "Merging can only be done by maintainers",
            "Merging without review isn't allowed",
            "Testing uses vitest",
            "Closed tickets need a comment",
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
            "Testing is",
            "Waiting for CI to be fixed is a pain",
            "Testing whether the cache is Redis",
            "Added indexes are big",
            "Added tests are merged",
            "Testing has started",
            "Testing works now",
            "Updating is half done",
        ] {
            assert!(!is_first_word(text), "{text}");
        }
    }
}
