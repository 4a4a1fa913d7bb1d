//! The encoder against the reference forward pass (numpy, 32-bit floats) on 200 texts.
//!
//! `fixtures/sentences.bin` holds for each line of `sentences.jsonl` two vectors in signed bytes:
//! the reference with the original weights, and the reference with the rounded weights of the
//! embedded file. The first measures what rounding the weights costs, the second whether this
//! forward pass is right: only the rounding of activations lies between them.

use mem_recall::encoder::{Encoder, WIDTH};
use mem_recall::wordpiece::tokenize_text;

/// Cosines of the encoder's vectors with one of the two references.
fn cosines(reference: usize) -> Vec<f32> {
    let texts = include_str!("fixtures/sentences.jsonl").lines();
    let vectors = include_bytes!("fixtures/sentences.bin").chunks_exact(2 * WIDTH);
    let encoder = Encoder::embedded().expect("the feature is on");
    let cosine = |(text, stored): (&str, &[u8])| {
        let text: String = serde_json::from_str(text).expect("a line of the fixture");
        let found = encoder.encode_tokens(&tokenize_text(&text, 254));
        let wanted: Vec<f32> = stored[reference * WIDTH..][..WIDTH]
            .iter()
            .map(|&b| f32::from(b.cast_signed()))
            .collect();
        let length = wanted.iter().map(|v| v * v).sum::<f32>().sqrt();
        found.iter().zip(&wanted).map(|(a, b)| a * b).sum::<f32>() / length
    };
    texts.zip(vectors).map(cosine).collect()
}

#[test]
fn the_forward_pass_is_the_reference_with_the_same_weights() {
    let cosines = cosines(1);
    assert_eq!(cosines.len(), 200);
    let (mean, least) = (
        cosines.iter().sum::<f32>() / 200.0,
        cosines.iter().copied().fold(1.0, f32::min),
    );
    assert!(mean > 0.997 && least > 0.985, "mean {mean}, least {least}");
}

#[test]
fn rounding_the_weights_keeps_the_direction() {
    let cosines = cosines(0);
    let (mean, least) = (
        cosines.iter().sum::<f32>() / 200.0,
        cosines.iter().copied().fold(1.0, f32::min),
    );
    assert!(mean > 0.98 && least > 0.90, "mean {mean}, least {least}");
}

#[test]
fn a_text_has_one_vector_whatever_its_length() {
    let encoder = Encoder::embedded().unwrap();
    assert!(encoder.encode_text("", 64).is_none());
    let long = "word ".repeat(10_000);
    assert!(encoder.encode_text(&long, usize::MAX).is_some());
}
