//! What a search has seen so far, by word and by group.

use super::lexicon::Lexicon;

/// Where the words of a group stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SymbolPresence {
    /// Nowhere together.
    Absent,
    /// In comments or prose only.
    Mentioned,
    /// In code.
    Live,
}

impl SymbolPresence {
    const ALL: [Self; 3] = [Self::Absent, Self::Mentioned, Self::Live];

    /// The number that a cache has for it.
    pub(crate) fn to_stored(self) -> u8 {
        self as u8
    }

    /// The standing that a cache has a number for.
    pub(crate) fn from_stored(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// The state of one searching thread.
#[derive(Clone)]
pub(crate) struct Marks {
    /// Per word, the number of the file in which it was last seen to live, and to be mentioned.
    live_in: Vec<u32>,
    seen_in: Vec<u32>,
    touched: Vec<usize>,
    file: u32,
    standings: Vec<SymbolPresence>,
    /// Per group, the file that gave it its standing, as its number was handed in.
    places: Vec<usize>,
    /// Groups that came to live since this was last asked.
    news: Vec<usize>,
}

impl Marks {
    pub(crate) fn new(lexicon: &Lexicon) -> Self {
        Self {
            live_in: vec![0; lexicon.words_len()],
            seen_in: vec![0; lexicon.words_len()],
            touched: Vec::new(),
            file: 1,
            standings: vec![SymbolPresence::Absent; lexicon.groups_len()],
            places: vec![0; lexicon.groups_len()],
            news: Vec::new(),
        }
    }

    /// The groups that were found to live since the last call.
    pub(crate) fn take_news(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.news)
    }

    /// Whether a word is known to live in the file at hand.
    pub(super) fn is_live(&self, word: usize) -> bool {
        self.live_in[word] == self.file
    }

    /// Notes a word of the file at hand.
    pub(super) fn note_word(&mut self, word: usize, is_live: bool) {
        if self.seen_in[word] != self.file {
            self.touched.push(word);
        }
        self.seen_in[word] = self.file;
        if is_live {
            self.live_in[word] = self.file;
        }
    }

    /// Ends the file at hand, which has this number: what stood in it together is settled.
    pub(crate) fn end_file(&mut self, lexicon: &Lexicon, place: usize) {
        for at in 0..self.touched.len() {
            for &group in &lexicon.groups_of[self.touched[at]] {
                let words = &lexicon.groups[group];
                let standing = if words.iter().all(|&word| self.live_in[word] == self.file) {
                    SymbolPresence::Live
                } else if words.iter().all(|&word| self.seen_in[word] == self.file) {
                    SymbolPresence::Mentioned
                } else {
                    SymbolPresence::Absent
                };
                if standing == SymbolPresence::Live && self.standings[group] != SymbolPresence::Live
                {
                    self.news.push(group);
                }
                if standing > self.standings[group] {
                    self.standings[group] = standing;
                    self.places[group] = place;
                }
            }
        }
        self.touched.clear();
        self.file += 1;
    }

    /// What is known of a group.
    pub(crate) fn group_presence(&self, group: usize) -> SymbolPresence {
        self.standings[group]
    }

    /// The number of the file that gave a group its standing; of no meaning where it is absent.
    pub(crate) fn group_file(&self, group: usize) -> usize {
        self.places[group]
    }

    /// Adds what another thread has seen.
    pub(crate) fn merge_marks(&mut self, other: &Self) {
        for group in 0..self.standings.len() {
            if other.standings[group] > self.standings[group] {
                self.standings[group] = other.standings[group];
                self.places[group] = other.places[group];
            }
        }
    }

    /// Forgets everything, to search something else with the same words.
    pub(crate) fn clear(&mut self) {
        self.standings.fill(SymbolPresence::Absent);
        self.news.clear();
    }
}
