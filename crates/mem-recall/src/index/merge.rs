//! From segments to one, without the dead.

use super::dictionary::{Dictionary, DictionaryWriter};
use super::postings::TermCounts;
use super::record::DocumentRecord;
use super::segment::{Columns, Segment};

/// The live documents of `segments` in one segment.
pub(super) fn merge_segments(segments: &[&Segment]) -> Segment {
    let mut order: Vec<(&[u8], usize, usize)> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let live = (0..segment.len()).filter(|&doc| segment.is_live(doc));
        order
            .extend(live.map(|doc| (DocumentRecord::read_key(segment.record_bytes(doc)), at, doc)));
    }
    order.sort_unstable();
    let mut places: Vec<Vec<u32>> = segments.iter().map(|s| vec![u32::MAX; s.len()]).collect();
    let mut columns = Columns::default();
    for (place, &(_, at, doc)) in order.iter().enumerate() {
        places[at][doc] = place as u32;
        columns.add_row(
            segments[at].record_bytes(doc),
            segments[at].field_lengths(doc),
            segments[at].static_vectors(doc),
        );
    }
    let dictionaries: Vec<Dictionary<'_>> = segments.iter().map(|s| s.term_dictionary()).collect();
    let mut merged = Segment::new(&columns, &merge_terms(&dictionaries, &places));
    for (place, &(_, at, doc)) in order.iter().enumerate() {
        merged.set_encoded(
            place,
            segments[at].encoder_id(),
            segments[at].sentence_vectors(doc),
            segments[at].passage_vectors(doc),
        );
    }
    merged
}

/// Walks all dictionaries at once, in the order of terms.
fn merge_terms(dictionaries: &[Dictionary<'_>], places: &[Vec<u32>]) -> DictionaryWriter {
    let mut at = vec![0; dictionaries.len()];
    let mut writer = DictionaryWriter::default();
    let mut postings: Vec<(u32, TermCounts)> = Vec::new();
    loop {
        let next = dictionaries
            .iter()
            .zip(&at)
            .filter(|(d, at)| **at < d.len());
        let Some(term) = next.map(|(d, &at)| d.term_at(at)).min() else {
            return writer;
        };
        postings.clear();
        for ((dictionary, at), places) in dictionaries.iter().zip(&mut at).zip(places) {
            if *at < dictionary.len() && dictionary.term_at(*at) == term {
                let moved = dictionary
                    .postings_at(*at)
                    .map(|(doc, counts)| (places[doc], counts));
                postings.extend(moved.filter(|&(doc, _)| doc != u32::MAX));
                *at += 1;
            }
        }
        postings.sort_unstable_by_key(|&(doc, _)| doc);
        if !postings.is_empty() {
            writer.add_term(term, postings.iter().copied());
        }
    }
}
