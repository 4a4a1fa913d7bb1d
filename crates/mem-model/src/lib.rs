//! Model data of `mem-recall`, without code. The layers of the encoder are in `mem-model-layers`: a crate has at most
//! 10 MiB on crates.io.
//!
//! The files are derived from all-MiniLM-L6-v2 under the Apache License 2.0 (`LICENSE`, `NOTICE`). `models/distil.py`
//! of `mem-recall` makes them and describes their formats. All begin at an address that is a multiple of 64.

/// Puts a file at an address that vector instructions like.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

/// The tokens of the encoder and the classes of characters.
pub fn vocabulary() -> &'static [u8] {
    static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("../data/vocab.bin"));
    &FILE.0
}

/// One vector of 128 numbers for each token, and each word's nearest words.
pub fn static_table() -> &'static [u8] {
    static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("../data/static.bin"));
    &FILE.0
}

/// What comes before the layers of the encoder: the embeddings of tokens and of positions, and their norm.
pub fn encoder_words() -> &'static [u8] {
    static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("../data/encoder-words.bin"));
    &FILE.0
}
