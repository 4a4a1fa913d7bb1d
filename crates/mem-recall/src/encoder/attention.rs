//! Attention: every token takes from every token what its scores say, in twelve heads.

use super::WIDTH;
use crate::simd;

const HEAD: usize = 32;

/// Mixes the values of all tokens; rows are `WIDTH` wide.
pub(super) fn mix_attention(query: &[f32], key: &[f32], value: &[f32], mixed: &mut Vec<f32>) {
    mixed.clear();
    mixed.resize(query.len(), 0.0);
    let tokens = query.len() / WIDTH;
    let scale = 1.0 / (HEAD as f32).sqrt();
    let mut scores = vec![0.0; tokens];
    for head in (0..WIDTH).step_by(HEAD) {
        let part = |token: usize| token * WIDTH + head..token * WIDTH + head + HEAD;
        for token in 0..tokens {
            let asks = &query[part(token)];
            for (other, score) in scores.iter_mut().enumerate() {
                *score = scale * simd::dot_floats(asks, &key[part(other)]);
            }
            simd::apply_softmax(&mut scores);
            let to = &mut mixed[part(token)];
            for (other, &score) in scores.iter().enumerate() {
                simd::add_scaled(to, &value[part(other)], score);
            }
        }
    }
}
