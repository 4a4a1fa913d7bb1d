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
    Narrow(Attention<'a, 32>, &'a mut [f32]),
    Wide(Attention<'a, 64>, &'a mut [f32]),
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
            Avx2Call::Narrow(attention, mixed) => avx2::mix_attention(attention, mixed),
            Avx2Call::Wide(attention, mixed) => avx2::mix_attention(attention, mixed),
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

#[test]
fn tokens_take_from_each_other_what_their_scores_say() {
    for tokens in [1, 7, 8, 19] {
        for positions in [0, 19, 24] {
            check_attention::<32>(tokens, positions, |one, mixed| Avx2Call::Narrow(one, mixed));
            check_attention::<64>(tokens, positions, |one, mixed| Avx2Call::Wide(one, mixed));
        }
    }
}

/// Attention by its definition, in 64 bits; `positions` of a model that knows their distances.
fn check_attention<const HEAD: usize>(
    tokens: usize,
    positions: usize,
    call: for<'a> fn(Attention<'a, HEAD>, &'a mut [f32]) -> Avx2Call<'a>,
) {
    let mut next = numbers(3);
    let columns = 2 * HEAD;
    let mut some =
        |count: usize| -> Vec<f32> { (0..count).map(|_| next() as f32 / 1e9 - 1.0).collect() };
    let [query, key, value] = std::array::from_fn(|_| some(tokens * columns));
    let distances = (2 * positions).saturating_sub(1);
    let bias = some(2 * distances);
    let attention = Attention {
        rows: [&query, &key, &value],
        columns,
        bias: &bias,
    };
    let mut made = vec![vec![0.0; query.len()]; 3];
    mix_attention(attention, &mut made[0]);
    portable::mix_attention(attention, &mut made[1]);
    if !run_avx2(call(attention, &mut made[2])) {
        made.pop();
    }
    for (i, &mixed) in made.iter().flat_map(|mixed| mixed.iter().enumerate()) {
        let (token, head) = (i / columns, i % columns / HEAD * HEAD);
        let score = |other: usize| {
            let numbers = head..head + HEAD;
            let products = numbers.map(|j| {
                f64::from(query[token * columns + j]) * f64::from(key[other * columns + j])
            });
            let product = products.sum::<f64>() / (HEAD as f64).sqrt();
            let distance = (head / HEAD * distances + positions + other).checked_sub(token + 1);
            let bias = distance.and_then(|distance| bias.get(distance));
            (product + bias.map_or(0.0, |&bias| f64::from(bias))).exp()
        };
        let scores: Vec<f64> = (0..tokens).map(score).collect();
        let taken = (0..tokens)
            .map(|other| scores[other] * f64::from(value[other * columns + i % columns]));
        let expected = taken.sum::<f64>() / scores.iter().sum::<f64>();
        assert!(
            (f64::from(mixed) - expected).abs() < 2e-5,
            "{tokens} tokens, {positions} positions"
        );
    }
}
