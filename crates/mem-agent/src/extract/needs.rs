//! What a text must have in it for a pattern to match at all, read off the pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Texts of which one must be there.
pub(super) type AnyOf = Vec<Vec<u8>>;

/// Shorter texts are in whatever somebody says; of longer ones the beginning tells enough.
const BYTES_MIN: usize = 3;
const BYTES_MAX: usize = 8;
/// So many texts are made of neighbouring parts of a pattern, and of the members of a class.
const PRODUCT_MAX: usize = 60;
const MEMBERS_MAX: usize = 8;
/// More choices than this say little, and take time to look for.
const CHOICES_MAX: usize = 600;

/// What a part of a pattern needs.
#[derive(Debug, Default)]
struct Needs {
    /// All that the part matches, where that is little.
    exact: Option<AnyOf>,
    /// Where it is much: of each of these, one.
    parts: Vec<AnyOf>,
}

/// Of each of these one is in every text that the pattern matches; nothing where no such text can be named.
pub(super) fn needs(pattern: &Hir) -> Vec<AnyOf> {
    of(pattern).into_parts()
}

impl Needs {
    fn exact(texts: AnyOf) -> Self {
        Self {
            exact: Some(texts),
            parts: Vec::new(),
        }
    }

    fn into_parts(self) -> Vec<AnyOf> {
        match self.exact {
            Some(texts) => told(texts).into_iter().collect(),
            None => self.parts,
        }
    }
}

fn of(pattern: &Hir) -> Needs {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => Needs::exact(vec![Vec::new()]),
        HirKind::Literal(literal) => Needs::exact(vec![literal.0.to_vec()]),
        HirKind::Class(class) => members(class).map_or_else(Needs::default, Needs::exact),
        HirKind::Capture(group) => of(&group.sub),
        HirKind::Repetition(repeated) => match (repeated.min, repeated.max) {
            (0, Some(1)) => optional(of(&repeated.sub)),
            (0, _) => Needs::default(),
            _ => Needs {
                exact: None,
                parts: of(&repeated.sub).into_parts(),
            },
        },
        HirKind::Concat(parts) => in_a_row(parts),
        HirKind::Alternation(choices) => one_of(choices.iter().map(of).collect()),
    }
}

fn optional(part: Needs) -> Needs {
    let Some(mut texts) = part.exact else {
        return Needs::default();
    };
    texts.push(Vec::new());
    Needs::exact(texts)
}

/// Parts one after the other: what neighbours match is one text as long as that leaves few.
fn in_a_row(parts: &[Hir]) -> Needs {
    let mut run: AnyOf = vec![Vec::new()];
    let (mut told_apart, mut is_whole) = (Vec::new(), true);
    for part in parts {
        let next = of(part);
        if let Some(more) = &next.exact
            && run.len() * more.len() <= PRODUCT_MAX
        {
            run = crossed(&run, more);
            continue;
        }
        is_whole = false;
        told_apart.extend(told(std::mem::take(&mut run)));
        match next.exact {
            Some(more) => run = more,
            None => {
                run.push(Vec::new());
                told_apart.extend(next.parts);
            }
        }
    }
    if is_whole {
        return Needs::exact(run);
    }
    told_apart.extend(told(run));
    Needs {
        exact: None,
        parts: told_apart,
    }
}

fn crossed(heads: &AnyOf, tails: &AnyOf) -> AnyOf {
    let pairs = heads
        .iter()
        .flat_map(|head| tails.iter().map(move |tail| (head, tail)));
    pairs
        .map(|(head, tail)| [head.as_slice(), tail.as_slice()].concat())
        .collect()
}

/// One of several: of each the part that tells most.
fn one_of(choices: Vec<Needs>) -> Needs {
    let count: Option<usize> = choices
        .iter()
        .map(|one| one.exact.as_ref().map(Vec::len))
        .sum();
    if count.is_some_and(|count| count <= CHOICES_MAX) {
        let all = choices.into_iter().filter_map(|one| one.exact);
        return Needs::exact(all.flatten().collect());
    }
    let best = |one: Needs| {
        let parts = one.into_parts().into_iter();
        parts.max_by_key(|part| (shortest(part), usize::MAX - part.len()))
    };
    let best: Option<Vec<AnyOf>> = choices.into_iter().map(best).collect();
    let all: Option<AnyOf> = best.map(|all| all.into_iter().flatten().collect());
    Needs {
        exact: None,
        parts: all.and_then(told).into_iter().collect(),
    }
}

/// Texts, where looking for them tells anything.
fn told(mut texts: AnyOf) -> Option<AnyOf> {
    texts.iter_mut().for_each(|text| text.truncate(BYTES_MAX));
    texts.sort_unstable();
    texts.dedup();
    let is_telling = shortest(&texts) >= BYTES_MIN && texts.len() <= CHOICES_MAX;
    is_telling.then_some(texts)
}

fn shortest(texts: &AnyOf) -> usize {
    texts.iter().map(Vec::len).min().unwrap_or_default()
}

/// The members of a class of bytes, where they are few.
fn members(class: &Class) -> Option<AnyOf> {
    let Class::Bytes(class) = class else {
        return None;
    };
    let ranges = class.ranges().iter();
    let all = ranges.flat_map(|range| range.start()..=range.end());
    let members: AnyOf = all
        .take(MEMBERS_MAX + 1)
        .map(|member| vec![member])
        .collect();
    (1..=MEMBERS_MAX)
        .contains(&members.len())
        .then_some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_text(pattern: &str) -> Vec<Vec<String>> {
        let mut parser = regex_syntax::ParserBuilder::new().utf8(false).build();
        let parsed = parser.parse(&format!("(?-u){pattern}")).unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let parts = needs(&parsed).into_iter();
        parts
            .map(|part| part.into_iter().map(text).collect())
            .collect()
    }

    #[test]
    fn what_every_match_holds_is_told() {
        for (pattern, needs) in [
            ("\\bkeep it up\\b", vec![vec!["keep it "]]),
            (
                "(?:we|you) (?:always|never) [a-z]+",
                vec![vec!["we alway", "we never", "you alwa", "you neve"]],
            ),
            (
                "colou?r.{0,20}names?",
                vec![vec!["color", "colour"], vec!["name", "names"]],
            ),
            ("(?:every )+time", vec![vec!["every "], vec!["time"]]),
            ("[ab]cd|[^x]yes[^x]", vec![vec!["acd", "bcd", "yes"]]),
            ("不要.{0,9}用", vec![vec!["不要"], vec!["用"]]),
        ] {
            assert_eq!(of_text(pattern), needs, "{pattern}");
        }
    }

    #[test]
    fn what_can_match_without_needs_nothing() {
        for pattern in [
            "",
            "[a-z]+",
            "(?:always)?",
            "(?:always)*x",
            "always|",
            "^a$",
            "always|[a-z]+ed",
        ] {
            assert_eq!(of_text(pattern), Vec::<Vec<String>>::new(), "{pattern}");
        }
    }
}
