//! Shannon entropy, the oldest measure of how random a value looks.

/// Counts whose logarithm is in the table.
const TABLE: usize = 256;

/// Binary logarithms. The C library's would be one more library for the loader to map at every
/// start of the program, and slower.
static LOGARITHMS: [f32; TABLE + 1] = {
    let mut table = [0.0; TABLE + 1];
    let mut number = 1;
    while number <= TABLE {
        table[number] = logarithm_of(number as f64) as f32;
        number += 1;
    }
    table
};

/// The binary logarithm bit by bit: squaring a number doubles its logarithm.
const fn logarithm_of(mut number: f64) -> f64 {
    let (mut logarithm, mut bit) = (0.0, 1.0);
    while number >= 2.0 {
        number /= 2.0;
        logarithm += 1.0;
    }
    while bit > 1e-12 {
        number *= number;
        bit /= 2.0;
        if number >= 2.0 {
            number /= 2.0;
            logarithm += bit;
        }
    }
    logarithm
}

/// The binary logarithm of a count. Between the numbers of the table it is interpolated, which is
/// wrong by less than 0.00002.
fn logarithm(count: usize) -> f32 {
    if count <= TABLE {
        return LOGARITHMS[count];
    }
    let shift = count.ilog2() - TABLE.ilog2() + 1;
    let (head, rest) = (count >> shift, count & ((1 << shift) - 1));
    let part = rest as f32 / (1_u64 << shift) as f32;
    let (low, high) = (LOGARITHMS[head], LOGARITHMS[head + 1]);
    shift as f32 + low + (high - low) * part
}

/// Bits for each byte of `bytes`, between 0 and 8.
#[must_use]
pub(crate) fn shannon(bytes: &[u8]) -> f32 {
    if bytes.is_empty() {
        return 0.0;
    }
    let mut counts = [0_u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let of_one = |&count: &u32| count as f32 * logarithm(count as usize);
    // Once is nothing: the logarithm of 1 is 0.
    let repeated: f32 = counts.iter().filter(|&&count| count > 1).map(of_one).sum();
    (logarithm(bytes.len()) - repeated / bytes.len() as f32).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_from_nothing_to_log_of_the_alphabet() {
        assert_eq!(shannon(b""), 0.0);
        assert_eq!(shannon(b"aaaa"), 0.0);
        assert!((shannon(b"0123456789abcdef") - 4.0).abs() < 1e-6);
    }

    #[test]
    fn logarithms_are_those_of_the_standard_library() {
        for count in (1..5_000).chain([65_535, 65_536, 1_000_003, 16_777_215]) {
            let wrong = (logarithm(count) - (count as f32).log2()).abs();
            assert!(wrong < 2e-5, "{count}: {wrong}");
        }
    }
}
