//! The words by which a sentence shows what it is about, what it says of that, and that something changed; they are
//! lists of [`mem_recall::lexicon`].

use mem_recall::lexicon::{WordGroups, WordList};

/// Something is something: there is one answer at a time.
pub(super) static IS: WordList = WordList::folded(&["is"]);
/// What ties as well, where nothing before it says what something is: a change, a name, a means.
pub(super) static TURNS: WordList = WordList::folded(&["turns"]);
/// Who answers for something.
pub(super) static OWNS: WordList = WordList::folded(&["owns"]);
/// What more than one may do for the same thing.
pub(super) static SHARED: WordList = WordList::folded(&["shared"]);
/// A choice among several, and what something cannot do without.
pub(super) static USES: WordList = WordList::folded(&["uses"]);
/// What narrows a sentence: without it something else is said.
pub(super) static LIMITS: WordList = WordList::folded(&["limits"]);
/// That it was otherwise before.
pub(super) static CHANGE: WordList = WordList::folded(&["change"]);
/// Beside what is known, not in its place.
pub(super) static BESIDE: WordList = WordList::folded(&["beside"]);
/// Words that carry nothing of what is compared.
pub(super) static EMPTY: WordList = WordList::folded(&["empty", "not", "shun"]);
/// Where something is: a thing and its place are one subject.
pub(super) static PLACES: WordList = WordList::folded(&["places"]);
/// A thing has one of these at a time.
pub(super) static ONE_OF: WordList = WordList::folded(&["one_of"]);
/// Words before a colon that only say what kind of entry follows.
pub(super) static LABELS: WordList = WordList::folded(&["labels"]);
/// The same, and that something before it was wrong.
pub(super) static CORRECTIONS: WordList = WordList::folded(&["corrections"]);
/// Work in progress at the beginning of an entry: done with when it is done.
pub(super) static ACTIVITY: WordList = WordList::folded(&["activity"]);
/// The months, which are figures of a date.
pub(super) static MONTHS: WordList = WordList::folded(&["months"]);
/// Behind these stands what it was.
pub(super) static GONE: WordList = WordList::folded(&["gone"]);
/// In front of these it ends.
pub(super) static GONE_ENDS: WordList = WordList::folded(&["gone_ends"]);
/// The days of the week, each by the number that is compared.
pub(super) static WEEKDAYS: WordGroups = WordGroups::of("weekdays");
/// Of scripts without spaces, that one thing is said of another's place: a no to that.
pub(super) static UNSPACED_ASIDE: WordList = WordList::unspaced(&["aside_leads", "aside_ends"]);
