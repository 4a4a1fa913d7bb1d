//! The numbers that tell encoders apart, and the head of the file of a larger one (`pack` in `models/large.py`):
//! `MEMLARG1`, the SHA-256 of what follows it and 24 zeros, then the shape, then the weights.

use super::{TOKENS_MAX, WIDTH};
use crate::model::ModelParts;
use crate::simd::{BLOCK, GROUP};
use crate::wordpiece;

const MAGIC: &[u8; 8] = b"MEMLARG1";
/// Bytes before those that the checksum is of.
const HEAD: usize = 64;
/// Sums of products of this count of numbers fit 32 bits.
const INNER_MAX: usize = 8192;
const LAYERS_MAX: usize = 48;

/// Why bytes are no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Something else.
    #[error("not a model file of mem")]
    Foreign,
    /// Of a shape that this version cannot run.
    #[error("a model of a shape that this version cannot run")]
    Shape,
    /// Cut off, or with something behind it.
    #[error("the model file has {found} bytes, expected {expected}")]
    Size {
        /// Bytes in the file.
        found: usize,
        /// Bytes of a model of its shape.
        expected: usize,
    },
}

/// The head of a model file, read and found right; its weights are read where they lie.
#[derive(Debug, Clone, Copy)]
pub struct ModelFile<'a> {
    pub(super) shape: EncoderShape,
    bytes: &'a [u8],
}

impl<'a> ModelFile<'a> {
    /// Reads the head, and checks that the file is as long as it says. The checksum is not looked at: over all of the
    /// file it takes longer than a prompt.
    ///
    /// # Errors
    /// The bytes are no model of this version.
    pub fn read(bytes: &'a [u8]) -> Result<Self, ModelError> {
        let head = bytes.get(..HEAD + 64).ok_or(ModelError::Foreign)?;
        if !head.starts_with(MAGIC) {
            return Err(ModelError::Foreign);
        }
        let number = |i: usize| crate::model::u32_at(&head[HEAD..], i) as usize;
        let shape = EncoderShape {
            vocabulary: number(0),
            width: number(1),
            inner: number(2),
            heads: number(3),
            layers: number(4),
            positions: number(5),
            offset: number(6),
            first: number(7),
            last: number(8),
        };
        let expected = shape.file_bytes().ok_or(ModelError::Shape)?;
        match bytes.len() == expected {
            true => Ok(Self { shape, bytes }),
            false => Err(ModelError::Size {
                found: bytes.len(),
                expected,
            }),
        }
    }

    /// The SHA-256 that the head names.
    pub fn checksum(&self) -> &'a [u8] {
        &self.bytes[MAGIC.len()..MAGIC.len() + 32]
    }

    /// What that is of.
    pub fn summed_bytes(&self) -> &'a [u8] {
        &self.bytes[HEAD..]
    }

    /// The number by which an index knows whose its vectors are; never 0, which is the embedded encoder's.
    pub fn encoder_id(&self) -> u64 {
        let start = self.checksum().first_chunk().copied();
        u64::from_le_bytes(start.unwrap_or_default()) | 1
    }
}

impl ModelFile<'static> {
    /// The weights.
    pub(super) fn parts(&self) -> ModelParts {
        ModelParts::new(&self.bytes[HEAD + 64..])
    }
}

/// How wide, deep and long an encoder is, and how it names words.
#[derive(Debug, Clone, Copy)]
pub(super) struct EncoderShape {
    /// Words.
    pub(super) vocabulary: usize,
    /// Numbers of a state.
    pub(super) width: usize,
    /// Numbers between the two matrices of a layer.
    pub(super) inner: usize,
    /// Heads of attention.
    pub(super) heads: usize,
    /// Layers.
    pub(super) layers: usize,
    /// Tokens of the longest text, marks included.
    pub(super) positions: usize,
    /// What is added to the number of a word.
    pub(super) offset: usize,
    /// The mark of a text's beginning.
    pub(super) first: usize,
    /// The mark of its end.
    pub(super) last: usize,
}

impl EncoderShape {
    /// Numbers of the table of distances.
    pub(super) fn distances(&self) -> usize {
        self.heads * (2 * self.positions - 1)
    }

    /// The bytes of a model file of this shape; nothing where it cannot be run.
    fn file_bytes(&self) -> Option<usize> {
        let fits = (GROUP..=INNER_MAX).contains(&self.width)
            && (GROUP..=INNER_MAX).contains(&self.inner)
            && self.width.is_multiple_of(GROUP)
            && self.inner.is_multiple_of(GROUP)
            && self.heads > 0
            && [32, 64].iter().any(|head| self.heads * head == self.width)
            && (1..=LAYERS_MAX).contains(&self.layers)
            && (3..=TOKENS_MAX).contains(&self.positions)
            && self.vocabulary <= 1 << 20
            && self.offset.checked_add(wordpiece::TOKENS)? <= self.vocabulary
            && self.first.max(self.last) < self.vocabulary;
        let padded = |parts: &[usize]| -> usize {
            let parts = parts.iter().map(|bytes| bytes.next_multiple_of(32));
            parts.sum()
        };
        let matrix = |rows: usize, columns: usize| {
            let weights = rows * columns;
            padded(&[weights / 2, weights / GROUP, 2 * rows, 4 * rows, 4 * rows])
        };
        fits.then(|| {
            let (width, inner) = (self.width, self.inner);
            let words = self.vocabulary * width;
            let embeddings = padded(&[
                words * 3 / 8,
                words / GROUP,
                2 * self.vocabulary,
                2 * width * self.positions,
                4 * width,
                4 * width,
                4 * self.distances(),
            ]);
            let layer = 4 * matrix(width, width)
                + matrix(inner, width)
                + matrix(width, inner)
                + padded(&[4 * width; 4]);
            HEAD + 64 + embeddings + self.layers * layer + matrix(WIDTH, width)
        })
    }
}

const _: () = assert!(WIDTH.is_multiple_of(BLOCK) && GROUP.is_multiple_of(BLOCK));
