//! Which lines two texts have in common, as both views show two texts beside each other.

/// Positions of equal lines in both, ascending: a longest common subsequence. It takes the product of both numbers.
pub(crate) fn common_lines(left: &[&str], right: &[&str]) -> Vec<(usize, usize)> {
    let columns = right.len() + 1;
    // `longest[i * columns + j]`: the common lines of `left[i..]` and `right[j..]`.
    let mut longest = vec![0_u16; (left.len() + 1) * columns];
    for at in (0..left.len()).rev() {
        for other in (0..right.len()).rev() {
            let here = at * columns + other;
            longest[here] = match left[at] == right[other] {
                true => longest[here + columns + 1] + 1,
                false => longest[here + columns].max(longest[here + 1]),
            };
        }
    }
    let (mut at, mut other, mut common) = (0, 0, Vec::new());
    while at < left.len() && other < right.len() {
        let here = at * columns + other;
        if left[at] == right[other] {
            common.push((at, other));
            (at, other) = (at + 1, other + 1);
        } else if longest[here + columns] >= longest[here + 1] {
            at += 1;
        } else {
            other += 1;
        }
    }
    common
}
