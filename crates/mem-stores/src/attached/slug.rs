//! The name that an attached store has below `/memories`.

/// A longer name is cut: it is a folder's.
const SLUG_CHARS_MAX: usize = 64;
/// So much of a store's id tells two of one name apart.
const SUFFIX_CHARS: usize = 8;

/// A slug for a store: its name in lower case, with one `-` for everything between letters and digits. One
/// that is taken gets the end of the store's id.
pub(super) fn unique_slug(name: &str, id: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let plain = slugify_name(name);
    let has_letters = plain.chars().any(|c| c != '-');
    let base = match has_letters {
        true => plain,
        false => "store".to_owned(),
    };
    if has_letters && !is_taken(&base) {
        return base;
    }
    let id: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    let id = id.to_ascii_lowercase();
    let suffixed = |chars: usize| {
        let from = id.len().saturating_sub(chars);
        format!("{base}-{}", &id[from..])
    };
    let mut candidates = (SUFFIX_CHARS..=id.len().max(SUFFIX_CHARS)).map(suffixed);
    let free = candidates.find(|candidate| !is_taken(candidate));
    free.unwrap_or_else(|| suffixed(id.len()))
}

/// Lower case, one `-` for each run of anything but ASCII letters and digits.
fn slugify_name(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= SLUG_CHARS_MAX {
            break;
        }
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "memstore_01HxABCDefgh";

    fn free(name: &str) -> String {
        unique_slug(name, ID, &|_| false)
    }

    #[test]
    fn names_become_folders() {
        assert_eq!(free("User Preferences"), "user-preferences");
        assert_eq!(free("a__b  (v2)"), "a-b-v2-");
        assert_eq!(free("../../etc/passwd"), "-etc-passwd");
        assert_eq!(free("R\u{e9}sum\u{e9}"), "r-sum-");
        assert_eq!(free("\u{8a18}\u{61b6}"), "store-abcdefgh");
        assert_eq!(free(&"x".repeat(300)).len(), SLUG_CHARS_MAX);
    }

    #[test]
    fn a_name_that_is_taken_gets_the_end_of_the_id() {
        let taken = |name: &str| name == "notes";
        assert_eq!(unique_slug("Notes", ID, &taken), "notes-abcdefgh");
        let both = |name: &str| ["notes", "notes-abcdefgh"].contains(&name);
        assert_eq!(unique_slug("Notes", ID, &both), "notes-xabcdefgh");
        assert_eq!(unique_slug("Notes", "", &taken), "notes-");
    }
}
