//! The twins agree: exactly in integers, closely in floats.

use super::*;

/// A small generator, so that each run sees the same numbers.
fn numbers(seed: u64) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    }
}

#[test]
fn dot_products_agree_at_every_length() {
    let mut next = numbers(1);
    for length in 0..130 {
        let mut row = || {
            (0..length)
                .map(|_| ((next() % 255) as i32 - 127) as u8)
                .collect::<Vec<u8>>()
        };
        let (a, b) = (row(), row());
        assert_eq!(dot_bytes(&a, &b), portable::dot_bytes(&a, &b));
    }
}

/// Calls of the AVX2 twins, which a processor with wider ones does not make by itself.
enum Avx2Call<'a> {
    Multiply(&'a MatrixWeights<'a>, &'a Inputs, &'a mut [f32]),
    Gelu(&'a mut [f32]),
    Attention([&'a [f32]; 3], usize, &'a mut [f32]),
}

/// Says whether the processor can.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the first line checks the processor")]
fn run_avx2(call: Avx2Call<'_>) -> bool {
    if !has_avx2() {
        return false;
    }
    // SAFETY: AVX2 and FMA are there, and the shapes are those that the wide twins were given.
    unsafe {
        match call {
            Avx2Call::Multiply(weights, inputs, out) => avx2::multiply_matrix(weights, inputs, out),
            Avx2Call::Gelu(values) => avx2::apply_gelu(values),
            Avx2Call::Attention(rows, columns, mixed) => {
                avx2::mix_attention(rows, columns, mixed);
            }
        }
    }
    true
}

#[cfg(not(target_arch = "x86_64"))]
fn run_avx2(_: Avx2Call<'_>) -> bool {
    false
}

#[test]
fn products_agree_for_every_number_of_tokens() {
    // Blocks of rows that fill two vectors of each kind, and some that do not.
    for blocks in [1, 2, 3, 4, 9] {
        check_products(8 * blocks, 96);
    }
}

fn check_products(rows: usize, columns: usize) {
    let mut next = numbers(2);
    let groups = rows * columns / GROUP;
    let nibbles: Vec<u8> = (0..groups * 16).map(|_| next() as u8).collect();
    let group_scales: Vec<u8> = (0..groups).map(|_| next() as u8).collect();
    let row_scales: Vec<f32> = (0..rows).map(|_| next() as f32 / 4e9).collect();
    let row_sums: Vec<i32> = (0..rows).map(|_| (next() % 9999) as i32).collect();
    let bias = vec![0.5; rows];
    let weights = MatrixWeights {
        columns,
        nibbles: &nibbles,
        group_scales: &group_scales,
        row_scales: &row_scales,
        row_sums: &row_sums,
        bias: &bias,
    };
    for tokens in 0..20 {
        let values: Vec<f32> = (0..tokens * columns)
            .map(|_| next() as f32 / 1e9 - 1.0)
            .collect();
        let (mut inputs, mut fast) = (Inputs::default(), Vec::new());
        quantize_rows(&values, columns, &mut inputs);
        multiply_matrix(&weights, &inputs, &mut fast);
        let mut plain = vec![0.0; rows * tokens];
        portable::multiply_matrix(&weights, &inputs, &mut plain);
        assert_eq!(fast, plain, "{tokens} tokens");
        let mut narrow = vec![0.0; rows * tokens];
        if run_avx2(Avx2Call::Multiply(&weights, &inputs, &mut narrow)) {
            assert_eq!(narrow, plain, "{tokens} tokens");
        }
    }
}

#[test]
fn functions_are_close_to_their_definitions() {
    let exact: [(f32, f32); 5] = [
        (-3.0, -0.004_049_694),
        (-0.5, -0.154_268_77),
        (0.0, 0.0),
        (1.0, 0.841_344_7),
        (4.0, 3.999_873_3),
    ];
    let mut made = [exact.map(|(x, _)| x); 3];
    apply_gelu(&mut made[0]);
    portable::apply_gelu(&mut made[1]);
    let is_run = run_avx2(Avx2Call::Gelu(&mut made[2]));
    for values in &made[..if is_run { 3 } else { 2 }] {
        for (value, (_, exact)) in values.iter().zip(exact) {
            assert!((value - exact).abs() < 2e-6, "{value} {exact}");
        }
    }
}

/// Attention by its definition, in 64 bits.
#[test]
fn tokens_take_from_each_other_what_their_scores_say() {
    let mut next = numbers(3);
    let columns = 2 * HEAD;
    for tokens in [1, 7, 8, 19] {
        let mut rows = || -> Vec<f32> {
            (0..tokens * columns)
                .map(|_| next() as f32 / 1e9 - 1.0)
                .collect()
        };
        let (query, key, value) = (rows(), rows(), rows());
        let rows: [&[f32]; 3] = [&query, &key, &value];
        let mut made = vec![vec![0.0; query.len()]; 3];
        mix_attention(rows, columns, &mut made[0]);
        portable::mix_attention(rows, columns, &mut made[1]);
        if !run_avx2(Avx2Call::Attention(rows, columns, &mut made[2])) {
            made.pop();
        }
        for (i, &mixed) in made.iter().flat_map(|mixed| mixed.iter().enumerate()) {
            let (token, head) = (i / columns, i % columns / HEAD * HEAD);
            let scores: Vec<f64> = (0..tokens)
                .map(|other| {
                    let product: f64 = (head..head + HEAD)
                        .map(|j| {
                            f64::from(query[token * columns + j])
                                * f64::from(key[other * columns + j])
                        })
                        .sum();
                    (product / (HEAD as f64).sqrt()).exp()
                })
                .collect();
            let expected = (0..tokens)
                .map(|other| scores[other] * f64::from(value[other * columns + i % columns]))
                .sum::<f64>()
                / scores.iter().sum::<f64>();
            assert!(
                (f64::from(mixed) - expected).abs() < 1e-5,
                "{tokens} tokens"
            );
        }
    }
}
