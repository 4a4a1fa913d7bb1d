//! The static table: one vector a token of the vocabulary, and each word's nearest words.

use std::sync::OnceLock;

use super::{ModelParts, Rows, u16_at, u32_at};
use crate::vector::Embedding;
use crate::wordpiece;

/// Numbers in a static vector.
pub const DIMS: usize = 128;

/// Vectors that meet each other when their texts speak of the same things. The rows already carry
/// the weight of their token, so that a text is the plain sum of its rows.
#[derive(Debug)]
pub struct Table {
    rows: &'static [u8],
    vectors: Rows<4>,
    offsets: &'static [u8],
    near: &'static [u8],
    cosines: &'static [u8],
    /// Token of each row, for the way back from neighbours.
    tokens: Vec<u16>,
}

impl Table {
    /// The embedded table.
    pub fn embedded() -> &'static Self {
        static READ: OnceLock<Table> = OnceLock::new();
        READ.get_or_init(Self::read)
    }

    fn read() -> Self {
        let mut parts = ModelParts::new(mem_model::static_table());
        let [vocabulary, count, dims, links] = parts.read_header(b"MEMSTAT2");
        debug_assert_eq!(dims, DIMS);
        let rows = parts.take_part(2 * vocabulary);
        let vectors = Rows::read(&mut parts, count, DIMS);
        let offsets = parts.take_part(4 * (count + 1));
        let (near, cosines) = (parts.take_part(2 * links), parts.take_part(links));
        debug_assert!(parts.is_empty());
        let mut tokens = vec![wordpiece::UNKNOWN; count];
        for token in 0..vocabulary {
            if let Some(entry) = tokens.get_mut(usize::from(u16_at(rows, token))) {
                *entry = token as u16;
            }
        }
        Self {
            rows,
            vectors,
            offsets,
            near,
            cosines,
            tokens,
        }
    }

    /// Adds the rows of `text`'s first `limit` tokens to `sum`.
    pub fn add_text_rows(&self, text: &str, limit: usize, sum: &mut [f32; DIMS]) {
        for token in wordpiece::tokenize_text(text, limit) {
            let Some(row) = self.token_row(token) else {
                continue;
            };
            for (to, from) in sum.iter_mut().zip(self.vectors.row_values(row)) {
                *to += from;
            }
        }
    }

    /// The vector of `text`; nothing where none of its tokens has a row.
    pub fn text_vector(&self, text: &str, limit: usize) -> Option<Embedding<DIMS>> {
        let mut sum = [0.0; DIMS];
        self.add_text_rows(text, limit, &mut sum);
        Embedding::from_values(&sum)
    }

    /// The nearest words of a folded word, with their cosines, nearest first. Only words that are
    /// one token have any.
    pub fn nearest_words(&self, word: &str) -> impl Iterator<Item = (&'static str, f32)> + '_ {
        let vocabulary = wordpiece::Vocabulary::embedded();
        let row = vocabulary
            .find_token(word.as_bytes())
            .and_then(|token| self.token_row(token));
        let links = row.map_or(0..0, |row| {
            u32_at(self.offsets, row)..u32_at(self.offsets, row + 1)
        });
        links.map(move |link| {
            let row = usize::from(u16_at(self.near, link as usize));
            let cosine = f32::from(self.cosines[link as usize]) / 255.0;
            (vocabulary.token_text(self.tokens[row]), cosine)
        })
    }

    fn token_row(&self, token: u16) -> Option<usize> {
        let row = u16_at(self.rows, usize::from(token));
        (row != u16::MAX).then_some(usize::from(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> f32 {
        let table = Table::embedded();
        let (a, b) = (table.text_vector(a, 64), table.text_vector(b, 64));
        a.zip(b).map_or(0.0, |(a, b)| a.cosine(&b))
    }

    #[test]
    fn texts_of_one_subject_are_nearer_than_others() {
        let near = cosine(
            "how do we ship a release",
            "deployment procedure for new versions",
        );
        let far = cosine(
            "how do we ship a release",
            "the parser rejects duplicate keys",
        );
        assert!(near > far + 0.1, "{near} {far}");
        assert!(cosine("database migration", "database migration") > 0.999);
    }

    #[test]
    fn a_text_without_rows_has_no_vector() {
        assert!(
            Table::embedded()
                .text_vector("\u{7f13}\u{5b58}", 64)
                .is_none()
        );
        assert!(Table::embedded().text_vector("", 64).is_none());
    }

    #[test]
    fn words_have_neighbours_in_order() {
        let near: Vec<_> = Table::embedded().nearest_words("deploy").collect();
        assert!(
            !near.is_empty() && near.is_sorted_by(|a, b| a.1 >= b.1),
            "{near:?}"
        );
        assert_eq!(Table::embedded().nearest_words("qqzzx").count(), 0);
    }
}
