//! What a search has seen so far, by word and by group.

use super::lexicon::Lexicon;

/// Where the words of a group stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// Nowhere together.
    Absent,
    /// In comments or prose only.
    Mentioned,
    /// In code.
    Live,
}

/// The state of one searching thread.
#[derive(Clone)]
pub(crate) struct Marks {
    /// Per word, the number of the file in which it was last seen to live, and to be mentioned.
    live_in: Vec<u32>,
    seen_in: Vec<u32>,
    touched: Vec<usize>,
    file: u32,
    standings: Vec<Standing>,
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
            standings: vec![Standing::Absent; lexicon.groups_len()],
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
    pub(super) fn note(&mut self, word: usize, is_live: bool) {
        if self.seen_in[word] != self.file {
            self.touched.push(word);
        }
        self.seen_in[word] = self.file;
        if is_live {
            self.live_in[word] = self.file;
        }
    }

    /// Ends the file at hand: what stood in it together is settled.
    pub(crate) fn end_file(&mut self, lexicon: &Lexicon) {
        for at in 0..self.touched.len() {
            for &group in &lexicon.groups_of[self.touched[at]] {
                let words = &lexicon.groups[group];
                let standing = if words.iter().all(|&word| self.live_in[word] == self.file) {
                    Standing::Live
                } else if words.iter().all(|&word| self.seen_in[word] == self.file) {
                    Standing::Mentioned
                } else {
                    Standing::Absent
                };
                if standing == Standing::Live && self.standings[group] != Standing::Live {
                    self.news.push(group);
                }
                self.standings[group] = self.standings[group].max(standing);
            }
        }
        self.touched.clear();
        self.file += 1;
    }

    /// What is known of a group.
    pub(crate) fn standing(&self, group: usize) -> Standing {
        self.standings[group]
    }

    /// Adds what another thread has seen.
    pub(crate) fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.standings.iter_mut().zip(&other.standings) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Forgets everything, to search something else with the same words.
    pub(crate) fn clear(&mut self) {
        self.standings.fill(Standing::Absent);
        self.news.clear();
    }
}
