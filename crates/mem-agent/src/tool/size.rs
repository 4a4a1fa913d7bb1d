//! Sizes as directory views print them.

use super::ToolDialect;

/// A size: integers as they are, else one decimal; the page prints one decimal from a kilobyte on.
pub(super) fn format_size(bytes: u64, dialect: ToolDialect) -> String {
    let mut unit = 0;
    while unit < 3 && bytes >> (10 * (unit + 1)) > 0 {
        unit += 1;
    }
    let letter = ["B", "K", "M", "G"][unit];
    let one = 1_u64 << (10 * unit);
    if bytes.is_multiple_of(one) && (dialect != ToolDialect::Docs || unit == 0) {
        return format!("{}{letter}", bytes / one);
    }
    let value = bytes as f64 / one as f64;
    format!("{value:.1}{letter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_forms_of_the_sdks_and_of_the_page() {
        for (bytes, sdk, docs) in [
            (0, "0B", "0B"),
            (1, "1B", "1B"),
            (1023, "1023B", "1023B"),
            (1024, "1K", "1.0K"),
            (1025, "1.0K", "1.0K"),
            (1536, "1.5K", "1.5K"),
            (4096, "4K", "4.0K"),
            (1_048_575, "1024.0K", "1024.0K"),
            (1_048_576, "1M", "1.0M"),
            (1 << 30, "1G", "1.0G"),
            (3 << 40, "3072G", "3072.0G"),
        ] {
            assert_eq!(format_size(bytes, ToolDialect::Python), sdk);
            assert_eq!(format_size(bytes, ToolDialect::TypeScript), sdk);
            assert_eq!(format_size(bytes, ToolDialect::Docs), docs);
        }
    }
}
