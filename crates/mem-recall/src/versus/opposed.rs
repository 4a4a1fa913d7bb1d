//! The words that turn a statement round: `never`, `off`, `without`, `un-`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// No.
const NO: &str = "not no never neither nor without dont doesnt isnt arent wont cant avoid avoids stop stopped quit \
    nicht nie niemals kein keine keinen keinem keiner keines ohne vermeide vermeiden \
    nunca jamás sin ningún ninguna evita evitar pas jamais sans aucun aucune évite éviter";
/// Behind a no these say that there is more, and no no.
const ONLY: &str = "only just nur solo seulement";
/// What says nothing where it is not a mark: help of a no, of a yes, and of a request.
const IDLE: &str = "do does did is are was were be been being am longer more anymore any always ever please still \
    with ist sind war waren wird werden immer bitte mehr mit es son está están siempre con ya más \
    est sont toujours ne avec plus be";
/// Two words of which one says the contrary of the other, in whatever language.
const AXES: [(&str, &str); 15] = [
    (
        "on an eingeschaltet encendido encendida allumé allumée",
        "off aus ausgeschaltet apagado apagada éteint éteinte",
    ),
    ("up hoch arriba", "down runter abajo"),
    (
        "in inside rein drinnen dentro dedans",
        "out outside raus draußen fuera dehors",
    ),
    ("am vormittags", "pm nachmittags"),
    (
        "over above über encima sobre dessus",
        "under below unter debajo bajo dessous sous",
    ),
    (
        "allow allows allowed permit permits permitted erlaubt erlauben permitido permitida autorisé autorisée",
        "forbid forbids forbidden ban banned prohibited disallowed verboten prohibido prohibida interdit interdite",
    ),
    (
        "enable enables enabled aktiviert activado activada activé activée",
        "disable disables disabled deaktiviert desactivado desactivada désactivé désactivée",
    ),
    (
        "before vor bevor antes avant",
        "after nach nachdem después après",
    ),
    (
        "include includes included including inklusive einschließlich incluye incluido inclut inclus",
        "exclude excludes excluded excluding exklusive ausschließlich excluye excluido exclut exclu",
    ),
    ("from von desde depuis", "to zu hacia vers"),
    (
        "open opened geöffnet offen abierto abierta ouvert ouverte",
        "closed geschlossen cerrado cerrada fermé fermée",
    ),
    ("only nur solo seulement", "too also auch también aussi"),
    ("online", "offline"),
    (
        "optional freiwillig opcional facultatif",
        "mandatory required obligatorisch verpflichtend obligatorio obligatoire",
    ),
    ("true wahr", "false falsch"),
];
/// These make a word the contrary of itself.
const PREFIXES: [&str; 6] = ["un", "dis", "non", "in", "im", "de"];
/// A shorter word is another word with such a beginning.
const PREFIXED_CHARS_MIN: usize = 4;

/// A word of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    axis: usize,
    is_yes: bool,
}

/// What the words of a clause say of yes and no, and the others with their places.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) is_no: bool,
    pub(super) marks: Vec<Mark>,
    pub(super) rest: Vec<(usize, String)>,
}

/// The words of the lists, each found at once: every word of every statement is looked up.
static NOS: LazyLock<HashSet<&str>> = LazyLock::new(|| NO.split_ascii_whitespace().collect());
static IDLES: LazyLock<HashSet<&str>> = LazyLock::new(|| IDLE.split_ascii_whitespace().collect());
static MARKS: LazyLock<HashMap<&str, Mark>> = LazyLock::new(|| {
    let mut marks = HashMap::new();
    for (axis, (yes, no)) in AXES.iter().enumerate() {
        for (words, is_yes) in [(yes, true), (no, false)] {
            for word in words.split_ascii_whitespace() {
                marks.entry(word).or_insert(Mark { axis, is_yes });
            }
        }
    }
    marks
});

fn is_of(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// A text without what only says that it holds from now on, and without a no to what was done.
pub(super) fn without_lead(text: &str) -> &str {
    const LEADS: [&str; 7] = [
        "from now on",
        "going forward",
        "no,",
        "ab jetzt",
        "nein,",
        "a partir de ahora",
        "désormais",
    ];
    let text = text.trim();
    let lead = LEADS.iter().find_map(|lead| {
        let head = text.get(..lead.len())?;
        (head.to_lowercase() == **lead).then(|| &text[lead.len()..])
    });
    lead.map_or(text, |rest| rest.trim_start_matches([',', ' ']))
}

pub(super) fn read(words: &[String]) -> Read {
    let mut read = Read::default();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", String::as_str);
        let before = at.checked_sub(1).map_or("", |at| words[at].as_str());
        let is_counted = before.ends_with(|c: char| c.is_ascii_digit());
        // `Ne .. plus` is `no longer`.
        let is_over = word == "plus" && words[..at].iter().any(|one| one == "ne");
        if is_no(word) || is_over {
            read.is_no ^= !is_of(ONLY, next);
            if matches!(word.as_str(), "cannot" | "can't" | "cant") {
                read.rest.push((at, "can".to_owned()));
            }
        } else if let Some((hour, half)) = hour(word) {
            read.rest.push((at, hour.to_owned()));
            read.marks.extend(mark(half));
        } else if let Some(mark) = mark(word).filter(|_| word != "am" || is_counted) {
            read.marks.push(mark);
        } else if !IDLES.contains(word.as_str()) {
            read.rest.push((at, word.clone()));
        }
    }
    read
}

fn is_no(word: &str) -> bool {
    NOS.contains(word) || word == "cannot" || word.ends_with("n't")
}

/// `9am` as its two parts.
fn hour(word: &str) -> Option<(&str, &str)> {
    let at = word.find(['a', 'p'])?;
    let (hour, half) = word.split_at(at);
    let is_hour = !hour.is_empty() && hour.chars().all(|c| c.is_ascii_digit() || c == ':');
    (is_hour && matches!(half, "am" | "pm")).then_some((hour, half))
}

fn mark(word: &str) -> Option<Mark> {
    MARKS.get(word).copied()
}

/// How many pairs have one word here and the other there.
pub(super) fn count(older: &[Mark], newer: &[Mark]) -> usize {
    let of = |marks: &[Mark], axis: usize| -> Vec<bool> {
        let marks = marks.iter().filter(|mark| mark.axis == axis);
        marks.map(|mark| mark.is_yes).collect()
    };
    let differs = |axis: &usize| {
        let (one, other) = (of(older, *axis), of(newer, *axis));
        one.len() == other.len() && one != other
    };
    (0..AXES.len()).filter(differs).count()
}

/// Whether two rows of words are one but for such a beginning, and how many words have it.
pub(super) fn by_prefix(one: &[String], other: &[String]) -> (bool, usize) {
    let is_prefixed = |short: &str, long: &str| {
        let is_long = short.chars().count() >= PREFIXED_CHARS_MIN;
        let mut prefixes = PREFIXES.iter();
        is_long && prefixes.any(|prefix| long.strip_prefix(prefix) == Some(short))
    };
    let mut prefixed = 0;
    let is_alike = one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| {
            let is_turned = is_prefixed(one, other) || is_prefixed(other, one);
            prefixed += usize::from(is_turned);
            one == other || is_turned
        });
    (is_alike, prefixed)
}
