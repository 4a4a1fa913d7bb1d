//! The layers of the sentence encoder of `mem-recall`, without code; `mem-model` has the other files of its models, and
//! says where they come from.

/// Puts a file at an address that vector instructions like.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

/// The matrices, sums and vectors of each layer in turn. The address is a multiple of 64.
pub fn encoder_layers() -> &'static [u8] {
    static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("../data/encoder-layers.bin"));
    &FILE.0
}
