//! The words by which a sentence shows what it is about, what it says of that, and that something changed; they are
//! data of `templates/distill`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use mem_recall::text::fold_word;
use mem_recall::versus::denial;

/// Words of a kind, as they are compared: in lower case and without accents.
pub(super) type Words = LazyLock<HashSet<String>>;

const RULES: &str = mem_templates::DISTILL_WORDS;

/// The lines of a list; none where there is no such list.
fn lines_of(name: &str) -> impl Iterator<Item = &'static str> {
    let mut lines = RULES.lines().skip_while(move |line| {
        let inner = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'));
        inner != Some(name)
    });
    lines.next();
    lines.take_while(|line| !line.is_empty())
}

fn word_set<'w>(lines: impl Iterator<Item = &'w str>) -> HashSet<String> {
    let folded = |word: &str| {
        let mut low = String::with_capacity(word.len());
        fold_word(word, &mut low);
        low
    };
    lines.flat_map(str::split_whitespace).map(folded).collect()
}

fn word_list(name: &str) -> HashSet<String> {
    word_set(lines_of(name))
}

/// The words of a list of Chinese, Japanese and Korean.
fn unspaced_list(name: &str) -> Vec<&'static str> {
    let words = lines_of(name).flat_map(|line| line.split('|'));
    words.filter(|word| !word.is_empty()).collect()
}

/// Something is something: there is one answer at a time.
pub(super) static IS: Words = LazyLock::new(|| word_list("is"));
/// What ties as well, where nothing before it says what something is: a change, a name, a means.
pub(super) static TURNS: Words = LazyLock::new(|| word_list("turns"));
/// Who answers for something.
pub(super) static OWNS: Words = LazyLock::new(|| word_list("owns"));
/// What more than one may do for the same thing.
pub(super) static SHARED: Words = LazyLock::new(|| word_list("shared"));
/// A choice among several.
pub(super) static USES: Words = LazyLock::new(|| word_list("uses"));
/// What narrows a sentence: without it something else is said.
pub(super) static LIMITS: Words = LazyLock::new(|| word_list("limits"));
/// That it was otherwise before.
pub(super) static CHANGE: Words = LazyLock::new(|| word_list("change"));
/// Beside what is known, not in its place.
pub(super) static BESIDE: Words = LazyLock::new(|| word_list("beside"));
/// Words that carry nothing of what is compared.
pub(super) static EMPTY: Words = LazyLock::new(|| {
    let denied = [denial::NOT, denial::SHUN].into_iter();
    word_set(lines_of("empty").chain(denied))
});
/// Where something is: a thing and its place are one subject.
pub(super) static PLACES: Words = LazyLock::new(|| word_list("places"));
/// A thing has one of these at a time.
pub(super) static ONE_OF: Words = LazyLock::new(|| word_list("one_of"));
/// Words before a colon that only say what kind of entry follows.
pub(super) static LABELS: Words = LazyLock::new(|| word_list("labels"));
/// The same, and that something before it was wrong.
pub(super) static CORRECTIONS: Words = LazyLock::new(|| word_list("corrections"));
/// Work in progress at the beginning of an entry: done with when it is done.
pub(super) static ACTIVITY: Words = LazyLock::new(|| word_list("activity"));
/// The months, which are figures of a date.
pub(super) static MONTHS: Words = LazyLock::new(|| word_list("months"));
/// Behind these stands what it was.
pub(super) static GONE: Words = LazyLock::new(|| word_list("gone"));
/// In front of these it ends.
pub(super) static GONE_ENDS: Words = LazyLock::new(|| word_list("gone_ends"));
/// The days of the week, each by the number that is compared.
pub(super) static WEEKDAYS: LazyLock<HashMap<String, u8>> = LazyLock::new(|| {
    let numbered = lines_of("weekdays").zip(1..);
    let words = numbered.flat_map(|(line, day)| line.split_whitespace().map(move |one| (one, day)));
    let folded = words.flat_map(|(one, day)| {
        word_set([one].into_iter())
            .into_iter()
            .map(move |one| (one, day))
    });
    folded.collect()
});
/// What ties a sentence in Chinese, Japanese and Korean, the longer ones first.
pub(super) static UNSPACED_TIES: LazyLock<Vec<&str>> =
    LazyLock::new(|| unspaced_list("unspaced_ties"));
/// That it was otherwise.
pub(super) static UNSPACED_CHANGE: LazyLock<Vec<&str>> =
    LazyLock::new(|| unspaced_list("unspaced_change"));
/// That it comes beside what is known.
pub(super) static UNSPACED_BESIDE: LazyLock<Vec<&str>> =
    LazyLock::new(|| unspaced_list("unspaced_beside"));
/// What carries nothing.
pub(super) static UNSPACED_LIGHT: LazyLock<Vec<&str>> =
    LazyLock::new(|| unspaced_list("unspaced_light"));
