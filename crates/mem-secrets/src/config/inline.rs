//! `gitleaks:allow`, `betterleaks:allow` and `mem:allow` in a comment on the line of a finding.

/// Whether the lines of a finding carry a `gitleaks:allow`, `betterleaks:allow` or `mem:allow`.
#[must_use]
pub fn allowed_by_comment(line: &[u8]) -> bool {
    [
        b"gitleaks:allow".as_slice(),
        b"betterleaks:allow",
        b"mem:allow",
    ]
    .iter()
    .any(|mark| {
        memchr::memmem::find_iter(line, mark).any(|at| {
            let after = line.get(at + mark.len());
            after.is_none_or(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_mark_itself() {
        assert!(allowed_by_comment(b"x = 1 # gitleaks:allow"));
        assert!(allowed_by_comment(b"x = 1 // mem:allow because"));
        assert!(allowed_by_comment(b"x = 1 # betterleaks:allow"));
        assert!(!allowed_by_comment(b"x = 1 // mem:allowed"));
    }
}
