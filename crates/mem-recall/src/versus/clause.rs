//! A content as words, up to its verb and behind it: what is spoken of stands in front, what is said of it behind.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The verbs that records are written with; of other sentences it is not known what they speak of.
const VERBS: &str = "is are was were be has have had do does did can could may might must should shall will would \
    use uses used need needs run runs ran start starts begin begins end ends stop stops open opens close closes \
    live lives take takes keep keeps stand stands belong belongs ask asked asks want wants wait waits prefer prefers \
    like likes dislike dislikes listen listens return returns hold holds allow allows accept accepts support supports \
    expire expires rotate rotates fail fails pass passes pay pays review reviews own owns lead leads manage manages \
    work works speak speaks write writes read reads send sends store stores contain contains require requires include \
    includes provide provides expose exposes deploy deploys release releases go goes come comes get gets give gives \
    cost costs mean means meet meets move moved moves replace replaces replaced become becomes became depend depends \
    sleep sleeps connect connects call calls chose choose chooses decided avoid always never answer answers handle \
    handles serve serves speichert \
    ist sind war waren hat haben endet enden beginnt beginnen läuft laufen nutzt nutzen verwendet verwenden wird \
    werden heißt heisst heißen braucht brauchen liegt liegen steht stehen kann können muss müssen soll sollen darf \
    dürfen möchte will gehört lauscht kostet es son está están tiene tienen usa usan corre empieza termina necesita \
    llama llaman se est sont a ont utilise utilisent appelle commence finit tourne";
/// Of these in front of the verb nobody knows more about what is spoken of.
const EMPTY: &str = "a an the this that these those our your my his her its their we i you he she it they us one \
    all both every each any some no not and or because since so of for in on at to by with from per as than der die das den dem des \
    ein eine einer einem unser unsere wir ich sie er und oder von für im in am auf bei mit zu el la los las un una \
    ne pas jamais nuestro nuestra y o de del en para con por le les une notre nos nous et ou du des dans pour avec au aux l d";
/// Verbs that are nouns in front of another verb: `Read access needs ..`, `Releases are ..`.
const NOUNS: &str = "read write release releases support store stores answer answers review reviews call calls deploy \
    deploys start starts end ends run runs work works need needs sleep cost costs return returns";
/// In front of a noun.
const ARTICLES: &str = "a an the this that these those our your my his her its their each every der die das den dem \
    ein eine einer unser unsere el la los las un una le les une notre";
/// That it was otherwise before.
const CHANGE: &str =
    "now currently instead meanwhile still jetzt nun inzwischen ahora maintenant désormais";
/// What stands before and behind a thing that is called by a letter.
const BEFORE_LETTERS: &str = "from to into onto than before after between and or on of via by";
const BEHIND_LETTERS: &str = "to from and or into onto than before after is are";
const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve half all both none some many \
    most zwei drei vier fünf sechs sieben acht neun zehn alle dos tres cuatro cinco seis siete deux trois quatre cinq";

/// The long lists, each word of which is found at once: every word of every statement is looked up.
static EMPTIES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| EMPTY.split_ascii_whitespace().collect());
static VERBS_KNOWN: LazyLock<HashSet<&str>> =
    LazyLock::new(|| VERBS.split_ascii_whitespace().collect());

/// Whether a word is one of a list.
pub(super) fn is_of(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// Whether a word counts.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) || is_of(NUMBERS, word)
}

/// Whether a word says anything of its own.
pub(super) fn is_said(word: &str) -> bool {
    !EMPTIES.contains(word)
}

/// Whether it may be a verb.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS_KNOWN.contains(word)
}

/// A word without its ending.
pub(super) fn stem_word(word: &str) -> &str {
    const ENDINGS: [&str; 6] = ["ing", "ed", "es", "s", "e", "d"];
    const STEM_MIN: usize = 3;
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    let cut = ENDINGS.iter().filter_map(|end| word.strip_suffix(end));
    cut.into_iter()
        .find(|stem| stem.chars().count() >= STEM_MIN)
        .unwrap_or(word)
}

/// Where the verb stands.
fn verb_of(words: &[String]) -> Option<usize> {
    let is_noun = |at: usize| at > 0 && is_of(ARTICLES, &words[at - 1]);
    let mut verbs = (0..words.len()).filter(|at| is_verb(&words[*at]) && !is_noun(*at));
    let first = verbs.next()?;
    match first == 0 && is_of(NOUNS, &words[0]) {
        true => verbs.next().or(Some(first)),
        false => Some(first),
    }
}

/// The words of a text in small letters, of names as much as tells them from other words.
pub(super) fn words_of(content: &str) -> Vec<String> {
    let pieces = content.split_whitespace().flat_map(|word| {
        // `n'utilisons` and `d'utiliser` are two words.
        let elided = [
            ("n'", "ne"),
            ("n’", "ne"),
            ("N'", "ne"),
            ("N’", "ne"),
            ("d'", "de"),
            ("d’", "de"),
        ];
        let found = elided
            .iter()
            .find_map(|(head, whole)| Some((word.strip_prefix(head)?, *whole)));
        let first = found.map(|(_, whole)| (false, whole));
        let parts = found.map_or(word, |(rest, _)| rest).split('-').enumerate();
        first
            .into_iter()
            .chain(parts.map(|(at, part)| (at > 0, part)))
    });
    let bare = pieces.enumerate().map(|(at, (is_behind, piece))| {
        let inner = piece.trim_matches(|c: char| !c.is_alphanumeric());
        // `orders-us`, `node-a` and `US` are names, whatever such a word says by itself.
        let is_upper = inner.len() > 1 && inner.chars().all(char::is_uppercase);
        if (is_behind || is_upper) && EMPTIES.contains(inner.to_lowercase().as_str()) {
            return format!("-{}", inner.to_lowercase());
        }
        // `service A`, not an article.
        let is_letter = at > 0 && inner.len() == 1 && inner != "I";
        if is_letter && inner.chars().all(char::is_uppercase) {
            return inner.to_owned();
        }
        let lower = inner.to_lowercase().replace('’', "'");
        lower.strip_suffix("'s").unwrap_or(&lower).to_owned()
    });
    let told = bare.filter(|word| !word.is_empty());
    let mut words: Vec<String> = told.take(Clause::WORDS_MAX).collect();
    // `From a to b`, not an article.
    for at in 1..words.len() {
        let next = words.get(at + 1).map_or("", String::as_str);
        if words[at] == "a"
            && (next.is_empty() || is_of(BEHIND_LETTERS, next))
            && is_of(BEFORE_LETTERS, &words[at - 1])
        {
            words[at].insert(0, '-');
        }
    }
    words
}

/// The words of a content.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) words: Vec<String>,
    /// Where the verb stands.
    pub(super) verb: Option<usize>,
}

impl Clause {
    /// Of so many words at most: a longer content says more than one thing.
    const WORDS_MAX: usize = 64;

    pub(super) fn from_content(content: &str) -> Self {
        let mut words = words_of(content);
        words.retain(|word| !is_of(CHANGE, word));
        let verb = verb_of(&words);
        Self { words, verb }
    }

    /// The words in front of the verb; none where there is none.
    pub(super) fn subject_words(&self) -> &[String] {
        &self.words[..self.verb.unwrap_or(0)]
    }

    /// Whether a word occurs, whatever its ending.
    pub(super) fn contains_word(&self, word: &str) -> bool {
        self.words
            .iter()
            .any(|one| stem_word(one) == stem_word(word))
    }

    /// Whether any of these words says something that does not occur.
    pub(super) fn lacks_any(&self, words: &[String]) -> bool {
        words
            .iter()
            .any(|word| is_said(word) && !self.contains_word(word))
    }
}
