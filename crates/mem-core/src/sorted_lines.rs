//! Lines by name, of which hardly any is ever looked at: those of a text, sorted and left as they are, and
//! what differs from them. What is known of ten thousand files is compared with them line by line, and
//! nothing is made of a line that says nothing new.
//!
//! ```text
//!  text     a..  b..  c..  d..     sorted, never changed
//!  changed       B    -        e   what was set since (`-`: no such line any more)
//!  lines    a    B         d   e   merged while they are walked
//! ```
//!
//! A map of parsed values would be simpler, and would parse every line and allocate every name at each start, of which a
//! run looks at a few. **Cost:** a lookup halves the text, a walk is linear and allocates nothing for kept lines.
//! Test: `sorted_lines::tests::they_say_what_a_map_says`.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Iter};
use std::iter::Peekable;
use std::ops::Range;

use memchr::{memchr, memrchr};

/// What a line says behind its name and a tab.
pub trait LineValue: Clone {
    /// Reads it; `None` where it makes no sense.
    fn parse(text: &str) -> Option<Self>;
    /// Writes it, without a line end.
    fn write(&self, text: &mut String);
}

/// The lines. Names have neither tabs nor line ends.
#[derive(Clone, Debug)]
pub struct SortedLines<V> {
    text: String,
    /// Where in the text they stand.
    at: Range<usize>,
    /// What differs: `None` where there is no such line any more.
    changed: BTreeMap<String, Option<V>>,
    /// Names of lines that were set since the last [`SortedLines::saved`].
    unsaved: BTreeSet<String>,
}

/// One line.
#[derive(Debug)]
pub enum SortedLine<'l, V> {
    /// As the text has it, without its name.
    Kept(&'l str),
    /// As it was set.
    Set(&'l V),
}

impl<V> Default for SortedLines<V> {
    fn default() -> Self {
        Self {
            text: String::new(),
            at: 0..0,
            changed: BTreeMap::new(),
            unsaved: BTreeSet::new(),
        }
    }
}

impl<V: LineValue> SortedLine<'_, V> {
    /// What it says; `None` where that makes no sense.
    pub fn value(&self) -> Option<V> {
        match self {
            Self::Kept(text) => V::parse(text),
            Self::Set(value) => Some((*value).clone()),
        }
    }
}

impl<V: LineValue> SortedLines<V> {
    /// The lines of a part of a text, which are sorted by their names, each with a line end.
    pub fn new(text: String, at: Range<usize>) -> Self {
        Self {
            text,
            at,
            ..Self::default()
        }
    }

    fn kept(&self) -> &str {
        self.text.get(self.at.clone()).unwrap_or_default()
    }

    /// What the line of a name says.
    pub fn get(&self, name: &str) -> Option<V> {
        match self.changed.get(name) {
            Some(changed) => changed.clone(),
            None => find(self.kept(), name).and_then(V::parse),
        }
    }

    /// Whether there is a line of that name.
    pub fn contains(&self, name: &str) -> bool {
        match self.changed.get(name) {
            Some(changed) => changed.is_some(),
            None => find(self.kept(), name).is_some(),
        }
    }

    /// Sets what the line of a name says, or takes it away.
    pub fn set(&mut self, name: &str, value: Option<V>) {
        self.changed.insert(name.to_owned(), value);
        self.unsaved.insert(name.to_owned());
    }

    /// Changes what a line says that was set before; `false` where it was not.
    pub fn amend(&mut self, name: &str, change: impl FnOnce(&mut V)) -> bool {
        let Some(Some(value)) = self.changed.get_mut(name) else {
            return false;
        };
        change(value);
        if !self.unsaved.contains(name) {
            self.unsaved.insert(name.to_owned());
        }
        true
    }

    /// All lines, in the order of their names.
    pub fn iter(&self) -> LineIterator<'_, V> {
        LineIterator {
            kept: self.kept(),
            changed: self.changed.iter().peekable(),
        }
    }

    /// Whether no line was set since they were saved.
    pub fn is_saved(&self) -> bool {
        self.unsaved.is_empty()
    }

    /// Notes that all that was set has been saved.
    pub fn saved(&mut self) {
        self.unsaved.clear();
    }

    /// Adds all lines to a text.
    pub fn write_all(&self, text: &mut String) {
        text.reserve(self.kept().len());
        for (name, line) in self.iter() {
            text.push_str(name);
            text.push('\t');
            match line {
                SortedLine::Kept(kept) => text.push_str(kept),
                SortedLine::Set(value) => value.write(text),
            }
            text.push('\n');
        }
    }

    /// Adds the lines that were set since they were saved; of one that is no more only its name.
    pub fn write_unsaved(&self, text: &mut String) {
        for name in &self.unsaved {
            text.push_str(name);
            if let Some(Some(value)) = self.changed.get(name) {
                text.push('\t');
                value.write(text);
            }
            text.push('\n');
        }
    }

    /// Takes over a line that [`SortedLines::write_unsaved`] has written; `None` where it makes no sense.
    pub fn read_unsaved(&mut self, line: &str) -> Option<()> {
        let (name, value) = match line.split_once('\t') {
            Some((name, text)) => (name, Some(V::parse(text)?)),
            None => (line, None),
        };
        self.changed.insert(name.to_owned(), value);
        Some(())
    }
}

/// Walks all lines.
#[derive(Debug)]
pub struct LineIterator<'l, V> {
    kept: &'l str,
    changed: Peekable<Iter<'l, String, Option<V>>>,
}

impl<'l, V> Iterator for LineIterator<'l, V> {
    type Item = (&'l str, SortedLine<'l, V>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let kept = (!self.kept.is_empty()).then(|| first_of(self.kept));
            let set = self.changed.peek().map(|(name, _)| name.as_str());
            match (kept, set) {
                (None, None) => return None,
                (Some(line), None) => return Some(self.take(line)),
                (Some(line), Some(set)) if line.name < set => return Some(self.take(line)),
                (Some(line), Some(set)) if line.name == set => self.kept = line.after,
                _ => {}
            }
            if let Some((name, Some(value))) = self.changed.next() {
                return Some((name, SortedLine::Set(value)));
            }
        }
    }
}

impl<'l, V> LineIterator<'l, V> {
    fn take(&mut self, line: First<'l>) -> (&'l str, SortedLine<'l, V>) {
        self.kept = line.after;
        (line.name, SortedLine::Kept(line.said))
    }
}

/// The first line of a text.
#[derive(Clone, Copy)]
struct First<'l> {
    name: &'l str,
    said: &'l str,
    after: &'l str,
}

fn first_of(text: &str) -> First<'_> {
    let end = memchr(b'\n', text.as_bytes()).unwrap_or(text.len());
    let (line, after) = text.split_at(end);
    let (name, said) = split(line);
    First {
        name,
        said,
        after: after.get(1..).unwrap_or_default(),
    }
}

fn split(line: &str) -> (&str, &str) {
    match memchr(b'\t', line.as_bytes()) {
        Some(tab) => (&line[..tab], &line[tab + 1..]),
        None => (line, ""),
    }
}

/// What the line of a name says, searched by halves.
fn find<'l>(text: &'l str, name: &str) -> Option<&'l str> {
    let bytes = text.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        // The middle byte is mostly inside of a line: its line is found around it. `low` and `high` stay at line starts,
        // so each round drops at least one line.
        let middle = low + (high - low) / 2;
        let start = memrchr(b'\n', &bytes[low..middle]).map_or(low, |at| low + at + 1);
        let end = memchr(b'\n', &bytes[middle..high]).map_or(high, |at| middle + at);
        let (there, said) = split(&text[start..end]);
        match there.cmp(name) {
            std::cmp::Ordering::Equal => return Some(said),
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl LineValue for u32 {
        fn parse(text: &str) -> Option<Self> {
            text.parse().ok()
        }

        fn write(&self, text: &mut String) {
            text.push_str(&self.to_string());
        }
    }

    proptest! {
        #[test]
        fn they_say_what_a_map_says(
            kept in proptest::collection::btree_map("[a-cü/.]{1,4}", any::<u32>(), 0..40),
            changes in proptest::collection::vec(("[a-cü/.]{1,4}", proptest::option::of(any::<u32>())), 0..20),
        ) {
            let mut first = SortedLines::<u32>::default();
            for (name, value) in &kept {
                first.set(name, Some(*value));
            }
            let mut text = "head\n".to_owned();
            first.write_all(&mut text);
            let length = text.len();
            let mut lines = SortedLines::<u32>::new(text, 5..length);
            let mut again = lines.clone();
            let mut map = kept.clone();
            for (name, value) in changes {
                lines.set(&name, value);
                match value {
                    Some(value) => drop(map.insert(name, value)),
                    None => drop(map.remove(&name)),
                }
            }
            let mut piece = String::new();
            lines.write_unsaved(&mut piece);
            for line in piece.lines() {
                again.read_unsaved(line).unwrap();
            }
            prop_assert!(again.is_saved());
            for lines in [&lines, &again] {
                let all: BTreeMap<String, u32> = lines
                    .iter()
                    .map(|(name, line)| (name.to_owned(), line.value().unwrap()))
                    .collect();
                prop_assert_eq!(&all, &map);
                prop_assert!(lines.iter().map(|(name, _)| name).is_sorted());
                for name in kept.keys().chain(map.keys()) {
                    prop_assert_eq!(lines.get(name), map.get(name).copied());
                    prop_assert_eq!(lines.contains(name), map.contains_key(name));
                }
            }
        }
    }
}
