//! Words in pairs of which one says the contrary of the other: `on`, `off`; `before`, `after`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How the two words of a pair stand to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Of one thing only one of them is true.
    State,
    /// The same of words so small that they say it only beside the same words.
    Small,
    /// When or how much something holds: what holds before noon need not hold after.
    Beside,
    /// Where to and from.
    Way,
}

/// Two words of which one says the contrary of the other, in whatever language.
const AXES: [(Kind, &str, &str); 13] = [
    (
        Kind::Small,
        "on an eingeschaltet encendido encendida allumé allumée",
        "off aus ausgeschaltet apagado apagada éteint éteinte",
    ),
    (Kind::Small, "up hoch arriba", "down runter abajo"),
    (
        Kind::Small,
        "in inside rein drinnen dentro dedans",
        "out outside raus draußen fuera dehors",
    ),
    (Kind::Beside, "am vormittags", "pm nachmittags"),
    (
        Kind::Beside,
        "over above über encima sobre dessus",
        "under below unter debajo bajo dessous sous",
    ),
    (
        Kind::State,
        "enable enables enabled aktiviert activado activada activé activée",
        "disable disables disabled deaktiviert desactivado desactivada désactivé désactivée",
    ),
    (
        Kind::Beside,
        "before vor bevor antes avant",
        "after nach nachdem después après",
    ),
    (
        Kind::State,
        "include includes included including inklusive einschließlich incluye incluido inclut inclus",
        "exclude excludes excluded excluding exklusive ausschließlich excluye excluido exclut exclu",
    ),
    (Kind::Way, "from von desde depuis", "to zu hacia vers"),
    (
        Kind::State,
        "open opened geöffnet offen abierto abierta ouvert ouverte",
        "closed geschlossen cerrado cerrada fermé fermée",
    ),
    (
        Kind::Small,
        "only nur solo seulement",
        "too also auch también aussi",
    ),
    (Kind::State, "online", "offline"),
    (Kind::State, "true wahr", "false falsch"),
];

/// A word of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    axis: usize,
    is_yes: bool,
}

impl Mark {
    /// The one or the other of its pair.
    pub(super) fn that_is(self, is_yes: bool) -> Self {
        Self { is_yes, ..self }
    }
}

/// The words of the pairs, each found at once: every word of every statement is looked up.
static MARKS: LazyLock<HashMap<&str, Mark>> = LazyLock::new(|| {
    let mut marks = HashMap::new();
    for (axis, (_, yes, no)) in AXES.iter().enumerate() {
        for (words, is_yes) in [(yes, true), (no, false)] {
            for word in words.split_ascii_whitespace() {
                marks.entry(word).or_insert(Mark { axis, is_yes });
            }
        }
    }
    marks
});

/// What a word is of a pair.
pub(super) fn word_mark(word: &str) -> Option<Mark> {
    MARKS.get(word).copied()
}

/// Whether not the same is said of when and how much.
pub(super) fn differ_beside(older: &[Mark], newer: &[Mark]) -> bool {
    let beside = |marks: &[Mark]| -> Vec<Mark> {
        let marks = marks.iter();
        let of = |mark: &&Mark| AXES[mark.axis].0 == Kind::Beside;
        marks.filter(of).copied().collect()
    };
    beside(older) != beside(newer)
}

/// How many pairs have one word here and the other there, and how many of them say of something how it is.
pub(super) fn count_opposed_pairs(older: &[Mark], newer: &[Mark]) -> (usize, usize) {
    let of = |marks: &[Mark], axis: usize| -> Vec<bool> {
        let marks = marks.iter().filter(|mark| mark.axis == axis);
        marks.map(|mark| mark.is_yes).collect()
    };
    let differs = |axis: &usize| {
        let (one, other) = (of(older, *axis), of(newer, *axis));
        one.len() == other.len() && one != other
    };
    let differing = (0..AXES.len()).filter(differs);
    differing.fold((0, 0), |(all, states), axis| {
        let is_state = matches!(AXES[axis].0, Kind::State | Kind::Small);
        (all + 1, states + usize::from(is_state))
    })
}
