//! An immutable run of documents sorted by key, read where it lies. Sentence vectors and deaths are
//! kept apart, because they change.

use std::ops::Range;

use super::bytes::{blob_entry, u32_at};
use super::dictionary::{Dictionary, DictionaryWriter, last_offset, put_offset};
use super::parts::{Parts, Vectors};
use super::record::DocumentRecord;
use super::slice::Slice;
use crate::model::DIMS;
use crate::vector::Embedding;

/// Bytes of a document's sentence vectors: one of its head, one of head and passages.
pub(super) const ENCODED: usize = 2 * ENCODED_ONE;
pub(super) const ENCODED_ONE: usize = 4 + 384;
/// Bytes of a document's static vectors: of its head, and of all of it.
const STATIC: usize = 2 * Embedding::<DIMS>::BYTES;
const LENGTHS: usize = 8;
const PARTS: usize = 8;

/// Of the length of a body, the bit that says that it is code; [`super::BODY_BYTES_MAX`] bytes need fewer.
const CODE: u32 = 1 << 31;
const _: () = assert!(super::BODY_BYTES_MAX < CODE as usize);

/// How many terms each field of a document has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lengths {
    pub(crate) name: u16,
    pub(crate) description: u16,
    pub(crate) body: u32,
    /// The body is code.
    pub(crate) is_code: bool,
}

impl Lengths {
    /// How many terms the document has.
    pub(crate) fn sum(self) -> u32 {
        let head = u32::from(self.name) + u32::from(self.description);
        head.saturating_add(self.body)
    }

    /// Whether it is prose of which nobody said what it is about.
    pub(crate) fn is_undescribed(self) -> bool {
        self.description == 0 && !self.is_code
    }
}

/// A run of documents.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    core: Slice,
    parts: [Range<usize>; PARTS],
    len: usize,
    encoded: Vectors<ENCODED, 1>,
    passages: Parts,
    /// The encoder that made both ([`crate::encoder::Encoder::id`]).
    encoder: u64,
    dead: Vec<bool>,
    live: usize,
}

/// What a segment is made from: records with their offsets, lengths, static vectors.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) offsets: Vec<u8>,
    pub(super) records: Vec<u8>,
    pub(super) lengths: Vec<u8>,
    pub(super) statics: Vec<u8>,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            offsets: vec![0; 4],
            records: Vec::new(),
            lengths: Vec::new(),
            statics: Vec::new(),
        }
    }
}

impl Columns {
    pub(super) fn add_row(&mut self, record: &[u8], lengths: Lengths, statics: &[u8]) {
        self.records.extend_from_slice(record);
        put_offset(self.records.len(), &mut self.offsets);
        self.lengths.extend_from_slice(&lengths.name.to_le_bytes());
        self.lengths
            .extend_from_slice(&lengths.description.to_le_bytes());
        let body = lengths.body | if lengths.is_code { CODE } else { 0 };
        self.lengths.extend_from_slice(&body.to_le_bytes());
        self.statics.extend_from_slice(statics);
    }
}

impl Segment {
    pub(super) fn new(columns: &Columns, dictionary: &DictionaryWriter) -> Self {
        let parts = [
            &columns.offsets,
            &columns.records,
            &columns.lengths,
            &columns.statics,
            &dictionary.offsets,
            &dictionary.terms,
            &dictionary.starts,
            &dictionary.postings,
        ];
        let mut core = Vec::with_capacity(8 * PARTS + parts.iter().map(|p| p.len()).sum::<usize>());
        parts
            .iter()
            .for_each(|part| core.extend_from_slice(&(part.len() as u64).to_le_bytes()));
        parts.iter().for_each(|part| core.extend_from_slice(part));
        // Nothing else makes segments, so that this is always whole.
        Self::read(core.into()).unwrap_or_else(Self::empty_segment)
    }

    fn empty_segment() -> Self {
        let parts = std::array::from_fn(|_| 0..0);
        Self {
            core: Slice::default(),
            parts,
            len: 0,
            encoded: Vectors::default(),
            passages: Parts::default(),
            encoder: 0,
            dead: Vec::new(),
            live: 0,
        }
    }

    /// Takes the immutable bytes of a segment; nothing where their parts do not fit together.
    pub(super) fn read(core: Slice) -> Option<Self> {
        let mut at = 8 * PARTS;
        let mut parts: [Range<usize>; PARTS] = std::array::from_fn(|_| 0..0);
        for (i, part) in parts.iter_mut().enumerate() {
            let length = u64::from_le_bytes(core.get(8 * i..8 * i + 8)?.try_into().ok()?);
            let end = at.checked_add(usize::try_from(length).ok()?)?;
            *part = at..end;
            at = end;
        }
        let len = (parts[0].len() / 4).checked_sub(1)?;
        let whole = at == core.len()
            && parts[2].len() == len * LENGTHS
            && parts[3].len() == len * STATIC
            && parts[4].len() == parts[6].len()
            && last_offset(&core[parts[0].clone()]) == parts[1].len()
            && last_offset(&core[parts[4].clone()]) == parts[5].len()
            && last_offset(&core[parts[6].clone()]) == parts[7].len();
        whole.then_some(Self {
            core,
            parts,
            len,
            encoded: Vectors::with_none(len),
            passages: Parts::with_none(len),
            encoder: 0,
            dead: vec![false; len],
            live: len,
        })
    }

    /// Puts back what was stored apart; false where the lengths do not fit.
    pub(super) fn restore_vectors(
        &mut self,
        encoded: &Slice,
        passages: &Slice,
        dead: &[u8],
        encoder: u64,
    ) -> bool {
        let encoded = Vectors::read(encoded, self.len);
        let passages = Parts::read(passages, self.len);
        let (Some(encoded), Some(passages)) = (encoded, passages) else {
            return false;
        };
        if dead.len() != self.len {
            return false;
        }
        self.encoded = encoded;
        self.passages = passages;
        self.encoder = encoder;
        self.dead = dead.iter().map(|&d| d != 0).collect();
        self.live = self.dead.iter().filter(|&&d| !d).count();
        true
    }

    fn core_part(&self, i: usize) -> &[u8] {
        &self.core[self.parts[i].clone()]
    }

    pub(super) fn core_bytes(&self) -> &[u8] {
        &self.core
    }

    pub(super) fn all_encoded(&self) -> Vec<u8> {
        self.encoded.to_stored()
    }

    pub(super) fn all_passages(&self) -> Vec<u8> {
        self.passages.to_stored()
    }

    pub(super) fn dead_flags(&self) -> Vec<u8> {
        self.dead.iter().map(|&d| u8::from(d)).collect()
    }

    /// The memory that it takes, near enough.
    pub(super) fn memory_bytes(&self) -> usize {
        // What is kept beside the bytes for each document: whether it is dead, and where its vectors are.
        let beside = self.len * 16;
        self.core.len() + self.encoded.memory_bytes() + self.passages.memory_bytes() + beside
    }

    /// Documents, dead ones included.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn live_count(&self) -> usize {
        self.live
    }

    pub(crate) fn is_live(&self, doc: usize) -> bool {
        self.dead.get(doc) == Some(&false)
    }

    pub(super) fn mark_dead(&mut self, doc: usize) {
        if let Some(dead) = self.dead.get_mut(doc).filter(|dead| !**dead) {
            *dead = true;
            self.live -= 1;
        }
    }

    pub(super) fn record_bytes(&self, doc: usize) -> &[u8] {
        blob_entry(self.core_part(0), self.core_part(1), doc)
    }

    pub(crate) fn read_record(&self, doc: usize) -> Option<DocumentRecord<'_>> {
        DocumentRecord::read(self.record_bytes(doc))
    }

    /// The live document of a key.
    pub(super) fn find_document(&self, key: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = usize::midpoint(low, high);
            if DocumentRecord::read_key(self.record_bytes(middle)) < key.as_bytes() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let found =
            low < self.len && DocumentRecord::read_key(self.record_bytes(low)) == key.as_bytes();
        (found && self.is_live(low)).then_some(low)
    }

    pub(crate) fn field_lengths(&self, doc: usize) -> Lengths {
        let (fields, body) = (
            u32_at(self.core_part(2), 2 * doc),
            u32_at(self.core_part(2), 2 * doc + 1),
        );
        Lengths {
            name: fields as u16,
            description: (fields >> 16) as u16,
            body: body & !CODE,
            is_code: body & CODE != 0,
        }
    }

    pub(crate) fn static_vectors(&self, doc: usize) -> &[u8] {
        self.core_part(3)
            .get(doc * STATIC..(doc + 1) * STATIC)
            .unwrap_or_default()
    }

    pub(crate) fn sentence_vectors(&self, doc: usize) -> &[u8] {
        self.encoded.document_vectors(doc)
    }

    /// The packed sentence vectors of a document's passages.
    pub(crate) fn passage_vectors(&self, doc: usize) -> &[u8] {
        self.passages.document_vectors(doc)
    }

    /// The encoder whose the vectors are.
    pub(crate) fn encoder_id(&self) -> u64 {
        self.encoder
    }

    /// Sets the sentence vectors of a document: of head and whole, and of its passages. Nothing is
    /// set where the former are missing. Vectors of another encoder go: the two are never compared.
    pub(super) fn set_encoded(
        &mut self,
        doc: usize,
        encoder: u64,
        vectors: &[u8],
        passages: &[u8],
    ) {
        if vectors.len() == ENCODED {
            if encoder != self.encoder {
                self.encoded = Vectors::with_none(self.len);
                self.passages = Parts::with_none(self.len);
                self.encoder = encoder;
            }
            self.encoded.set_vectors(doc, vectors);
            self.passages.set_vectors(doc, passages);
        }
    }

    pub(crate) fn term_dictionary(&self) -> Dictionary<'_> {
        Dictionary {
            offsets: self.core_part(4),
            terms: self.core_part(5),
            starts: self.core_part(6),
            postings: self.core_part(7),
            documents: self.len,
        }
    }
}
