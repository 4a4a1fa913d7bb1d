//! [`TextSpellings`]: a text that is to be gone, in every form that `mem` or a host derives from it.
//!
//! A text stands in files as it was written, in JSON, YAML, HTML and addresses with escapes, in another normal form
//! of Unicode, and over a line end. In names of files it stands as a slug (`Zebra Quartz`: `zebra_quartz`), which may
//! be cut off. Prose names a file by its stem too, and a form encodes blanks as `+`, so slugs count everywhere.
//!
//! A slug counts only where it is particular: 8 bytes in two words or with a digit, else 12 bytes. `deploy` is in too
//! many names that say nothing of the text. The slug of a single word without a digit is a plain word in lower case:
//! outside of file names it counts only as a part of a longer slug (`project_correcthorsebattery`) and as a tag.

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem::Finder;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::compact_sort::CompactSort as _;
use crate::delimiters;
use crate::topic::slug_of;

/// A slug of fewer bytes is no sign of the text.
const SLUG_BYTES_MIN: usize = 8;
/// One of a single word without a digit has to have more.
const WORD_BYTES_MIN: usize = 12;
/// The start of a text before an ellipsis is a sign of it from half of the text on, from this many bytes at the least.
const START_BYTES_MIN: usize = 4;
/// Names of files are cut off beyond this length, and the piece at the end has at least the length of a slug.
const CUT_NAME_BYTES_MIN: usize = 40;

/// The spellings of one text.
#[derive(Clone, Debug)]
pub struct TextSpellings {
    text: String,
    /// The first is the text.
    exact: Vec<Finder<'static>>,
    /// The words of a text that has several: a line may end between them.
    words: Vec<String>,
    slugs: Vec<Finder<'static>>,
    /// Whether the slug has several words or a digit.
    is_slug_mixed: bool,
}

impl TextSpellings {
    /// Those of a text. A spelling that one of `marks` holds, which stand where the text stood, is left out.
    pub fn from_text(text: &str, marks: &[&str]) -> Self {
        let finders = |all: BTreeSet<String>| {
            let all = all.into_iter();
            let all =
                all.filter(|one| !one.is_empty() && !marks.iter().any(|mark| mark.contains(one)));
            all.map(|one| Finder::new(one.as_bytes()).into_owned())
                .collect::<Vec<_>>()
        };
        let mut others = escapes(text);
        others.remove(text);
        let (slugs, is_slug_mixed) = slugs(text);
        let mut exact = vec![Finder::new(text.as_bytes()).into_owned()];
        exact.extend(finders(others));
        Self {
            text: text.to_owned(),
            exact,
            words: text.split_whitespace().map(str::to_owned).collect(),
            slugs: finders(slugs),
            is_slug_mixed,
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether any of them stands in bytes.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        let is_exact = self.exact.iter().any(|one| one.find(bytes).is_some());
        is_exact
            || !self.folded(bytes).is_empty()
            || self.slugged(bytes).next().is_some()
            || self.shortened(bytes).next().is_some()
    }

    /// Whether any of them stands in the name of a file or folder.
    pub fn is_in_name(&self, name: &str) -> bool {
        !self.in_name(name).is_empty()
    }

    /// Whether the words of the text stand in the name of a file or folder, where they may as well say something else:
    /// too few to count as a spelling.
    pub fn is_perhaps_in_name(&self, name: &str) -> bool {
        let framed = |text: &str| format!("_{}_", slug_of(text, '_'));
        let words = framed(&self.text);
        words.len() > START_BYTES_MIN && !self.is_in_name(name) && framed(name).contains(&words)
    }

    /// Whether any of them stands in a name of a path.
    pub fn is_in_path(&self, path: &str) -> bool {
        self.is_in(path.as_bytes()) || path.split('/').any(|name| self.is_in_name(name))
    }

    /// Where they stand in bytes: in order, and apart from each other.
    pub fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let exact = self.exact.iter().flat_map(|one| found(one, bytes));
        let all = exact
            .chain(self.slugged(bytes))
            .chain(self.shortened(bytes));
        apart(all.chain(self.folded(bytes)).collect())
    }

    /// Where they stand in the name of a file or folder.
    fn in_name(&self, name: &str) -> Vec<Range<usize>> {
        let bytes = name.as_bytes();
        let all = self.exact.iter().chain(&self.slugs);
        let all = all.flat_map(|one| found(one, bytes));
        apart(all.chain(self.cut_off(name)).collect())
    }

    /// A text with a mark for each of them.
    pub fn replaced(&self, text: &str, mark: &str) -> String {
        marked(text, &self.places(text.as_bytes()), mark)
    }

    /// The name of a file or folder with a mark for each of them; `None` where none stands in it.
    pub fn replaced_in_name(&self, name: &str, mark: &str) -> Option<String> {
        let places = self.in_name(name);
        (!places.is_empty()).then(|| marked(name, &places, mark))
    }

    /// A path with a mark for each of them in its names.
    pub fn replaced_in_path(&self, path: &str, mark: &str) -> String {
        let whole = self.replaced(path, mark);
        let names = whole.split('/');
        let names = names.map(|name| {
            self.replaced_in_name(name, mark)
                .unwrap_or_else(|| name.to_owned())
        });
        names.collect::<Vec<_>>().join("/")
    }

    /// The piece of a slug at the end of a name that was cut off.
    fn cut_off(&self, name: &str) -> Option<Range<usize>> {
        let stem = name.strip_suffix(".md").unwrap_or(name);
        let bare = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let bare = bare.strip_suffix(['_', '-']).unwrap_or(stem);
        let piece = |slug: &Finder<'_>, stem: &str| {
            let slug = slug.needle();
            let lengths = (SLUG_BYTES_MIN..slug.len()).rev();
            let mut lengths = lengths.filter(|len| stem.as_bytes().ends_with(&slug[..*len]));
            let len = lengths.find(|len| stem.is_char_boundary(stem.len() - len));
            len.map(|len| stem.len() - len..stem.len())
        };
        let stems = [stem, bare].into_iter();
        let stems = stems.filter(|stem| stem.len() >= CUT_NAME_BYTES_MIN);
        let pieces =
            stems.flat_map(|stem| self.slugs.iter().filter_map(move |slug| piece(slug, stem)));
        pieces.max_by_key(Range::len)
    }

    /// The slugs. One of a single word without a digit has to be part of a name, of a longer slug or of a tag.
    fn slugged<'b>(&'b self, bytes: &'b [u8]) -> impl Iterator<Item = Range<usize>> + 'b {
        let all = self.slugs.iter().flat_map(move |one| found(one, bytes));
        all.filter(move |place| {
            self.is_slug_mixed || is_joined(bytes, place) || is_of_name(bytes, place)
        })
    }

    /// The start of the text before an ellipsis: a long title or hook of an index is shortened so.
    fn shortened<'b>(&'b self, bytes: &'b [u8]) -> impl Iterator<Item = Range<usize>> + 'b {
        memchr::memmem::find_iter(bytes, "…").filter_map(move |end| {
            let before = &bytes[..end];
            let starts = self.exact.iter().filter_map(|one| {
                let one = one.needle();
                let min = (one.len() / 2).clamp(START_BYTES_MIN, SLUG_BYTES_MIN);
                let mut lengths = (min..one.len()).rev();
                lengths.find(|len| before.ends_with(&one[..*len]))
            });
            starts.max().map(|len| end - len..end)
        })
    }

    /// The text with other blanks between its words, such as the end of a line.
    fn folded(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let Some((first, rest)) = self
            .words
            .split_first()
            .filter(|(_, rest)| !rest.is_empty())
        else {
            return Vec::new();
        };
        let end = |start: usize| {
            rest.iter().try_fold(start + first.len(), |at, word| {
                let after = &bytes[at..];
                let blanks = after.len() - after.trim_ascii_start().len();
                let is_next = blanks > 0 && after[blanks..].starts_with(word.as_bytes());
                is_next.then_some(at + blanks + word.len())
            })
        };
        let starts = memchr::memmem::find_iter(bytes, first.as_bytes());
        starts
            .filter_map(|start| Some(start..end(start)?))
            .collect()
    }
}

fn found<'b>(finder: &'b Finder<'_>, bytes: &'b [u8]) -> impl Iterator<Item = Range<usize>> + 'b {
    let len = finder.needle().len();
    finder.find_iter(bytes).map(move |at| at..at + len)
}

/// A text with a mark at these places.
fn marked(text: &str, places: &[Range<usize>], mark: &str) -> String {
    let mut new = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        new.push_str(text.get(from..place.start).unwrap_or_default());
        new.push_str(mark);
        from = place.end;
    }
    new + text.get(from..).unwrap_or_default()
}

/// Ranges in order; those that overlap become one.
fn apart(mut all: Vec<Range<usize>>) -> Vec<Range<usize>> {
    all.compact_sort_by_key(|one| (one.start, one.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(all.len());
    for one in all {
        match apart.last_mut() {
            Some(last) if one.start < last.end => last.end = last.end.max(one.end),
            _ => apart.push(one),
        }
    }
    apart
}

/// Whether a place is part of a longer slug, or a tag.
fn is_joined(bytes: &[u8], place: &Range<usize>) -> bool {
    let before = bytes[..place.start].last();
    before.is_some_and(|byte| b"_#".contains(byte)) || bytes.get(place.end) == Some(&b'_')
}

/// Whether a place is part of the name of a memory file, or of a link between double brackets.
fn is_of_name(bytes: &[u8], place: &Range<usize>) -> bool {
    let ends = |byte: &u8| *byte <= b' ' || b"\"'`()[]<>|,;".contains(byte);
    let start = bytes[..place.start]
        .iter()
        .rposition(ends)
        .map_or(0, |at| at + 1);
    let end = bytes[place.end..]
        .iter()
        .position(ends)
        .map_or(bytes.len(), |at| place.end + at);
    let is_file = memchr::memmem::find(&bytes[start..end], b".md").is_some();
    is_file || bytes[..start].ends_with(b"[[")
}

/// The text as files hold it.
fn escapes(text: &str) -> BTreeSet<String> {
    let bases = [
        text.to_owned(),
        text.nfc().collect(),
        text.nfd().collect::<String>(),
    ];
    let mut all = BTreeSet::new();
    for base in bases {
        let json = json(&base);
        let ascii = ascii(&json);
        all.extend([
            json.replace('/', "\\/"),
            self::json(&json),
            self::json(&ascii),
        ]);
        all.extend([json, ascii, base.replace('\'', "''")]);
        all.extend(html(&base));
        all.insert(delimiters::escape(&base).into_owned());
        all.extend(addresses(&base));
        all.extend(link_titles(&base));
        all.insert(base);
    }
    all
}

/// The text as the title of a link: an index entry escapes what would end it, and a backtick where it is alone.
fn link_titles(text: &str) -> [String; 2] {
    let escaped = |with_ticks: bool| {
        let is_sign = |c| matches!(c, '[' | ']' | '\\' | '<') || (c == '`' && with_ticks);
        let signs = text
            .chars()
            .flat_map(|c| is_sign(c).then_some('\\').into_iter().chain([c]));
        signs.collect()
    };
    [escaped(false), escaped(true)]
}

/// The slugs of the text, where they are particular, and whether they have several words or a digit.
fn slugs(text: &str) -> (BTreeSet<String>, bool) {
    let slug = slug_of(text, '_');
    let bytes = slug.bytes().filter(|byte| *byte != b'_').count();
    let is_mixed = slug.contains('_') || slug.contains(|c: char| c.is_ascii_digit());
    let bytes_min = match is_mixed {
        true => SLUG_BYTES_MIN,
        false => WORD_BYTES_MIN,
    };
    if bytes < bytes_min {
        return (BTreeSet::new(), is_mixed);
    }
    let cased = words_joined(text);
    let both = |slug: String| [slug.replace('_', "-"), slug];
    // Constants are written in capitals.
    let spellings = [slug.to_uppercase(), slug, cased];
    let all = spellings.into_iter().flat_map(both);
    let all = all.flat_map(|one| [one.nfd().collect(), one]);
    let mut all: BTreeSet<String> = all
        .flat_map(|one: String| addresses(&one).into_iter().chain([one]))
        .collect();
    for base in [text.to_owned(), text.nfc().collect(), text.nfd().collect()] {
        all.extend(forms(&base));
    }
    (all, is_mixed)
}

/// The words of a text as they are written, with `_` between them.
fn words_joined(text: &str) -> String {
    let composed: String = text.nfc().collect();
    let words = composed.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c));
    let words = words.filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// A text in the query of an address: its blanks as `+`, and the rest as it is or with escapes.
fn forms(text: &str) -> impl Iterator<Item = String> {
    let all = addresses(text).into_iter().filter(|_| text.contains(' '));
    all.map(|one| one.replace("%20", "+"))
}

/// A text within a string of JSON.
fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inner = quoted
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(&quoted).to_owned()
}

/// JSON in ASCII.
fn ascii(json: &str) -> String {
    let escaped = |c: char| -> String {
        let mut units = [0; 2];
        let units = c.encode_utf16(&mut units).iter();
        units.map(|unit| format!("\\u{unit:04x}")).collect()
    };
    let one = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => escaped(c),
    };
    json.chars().map(one).collect()
}

/// A text in HTML and XML, with the quotes escaped or not.
fn html(text: &str) -> [String; 3] {
    let plain = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let quoted = plain.replace('"', "&quot;");
    [quoted.replace('\'', "&#39;"), quoted, plain]
}

/// A text in an address: with its blanks, or with all but letters and digits, as `%20`.
fn addresses(text: &str) -> [String; 3] {
    let encoded = |is_plain: &dyn Fn(u8) -> bool, is_low: bool| -> String {
        let one = |byte: u8| match byte {
            byte if is_plain(byte) => char::from(byte).to_string(),
            byte if is_low => format!("%{byte:02x}"),
            byte => format!("%{byte:02X}"),
        };
        text.bytes().map(one).collect()
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    [
        encoded(&is_plain, false),
        encoded(&is_plain, true),
        text.replace(' ', "%20"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_in(text: &str, bytes: &str) -> bool {
        TextSpellings::from_text(text, &["[redacted]"]).is_in(bytes.as_bytes())
    }

    #[test]
    fn every_form_of_a_text_is_found() {
        let text = "it's \"Zébra\" <Quartz>/9931";
        for form in [
            text.to_owned(),
            text.nfd().collect(),
            serde_json::json!(text).to_string(),
            serde_json::json!(serde_json::json!({ "a": text }).to_string()).to_string(),
            "\"it's \\\"Z\\u00e9bra\\\" <Quartz>\\/9931\"".replace("\\/", "/"),
            text.replace('\'', "''"),
            "it&#39;s &quot;Zébra&quot; &lt;Quartz&gt;/9931".to_owned(),
            "it%27s%20%22Z%C3%A9bra%22%20%3CQuartz%3E%2F9931".to_owned(),
            "it's\n    \"Zébra\"\n  <Quartz>/9931".to_owned(),
            "- [x](project_it_s_zébra_quartz_9931.md) x".to_owned(),
            "see [[it-s-zébra-quartz-9931]]".to_owned(),
            "(it_s_z%C3%A9bra_quartz_9931_2.md)".to_owned(),
            "it_s_zébra_quartz_9931".to_owned(),
            "#it-s-zébra-quartz-9931".to_owned(),
            "project_it_s_zébra_quartz_9931_2".to_owned(),
            "it-s-Zébra-Quartz-9931".to_owned(),
            "IT_S_ZÉBRA_QUARTZ_9931".to_owned(),
            "q=it%27s+%22Z%C3%A9bra%22+%3CQuartz%3E%2F9931&x".to_owned(),
            "it's+\"Zébra\"+<Quartz>/9931".to_owned(),
            "- [it's \"Zébra\" \\<Quartz>/9931](x.md)".to_owned(),
            "- [A day with it's \"Zébra\" \\<Qu…](x.md)".to_owned(),
        ] {
            assert!(is_in(text, &format!("a {form} b")), "{form}");
        }
        assert!(!is_in(
            text,
            "it's \"Zebra\" and it_s_zebra_quartz_9931 elsewhere"
        ));
    }

    #[test]
    fn a_slug_that_is_not_particular_counts_in_no_prose() {
        for (text, prose) in [
            ("Deploy", "deploy, deploy_day and #deploy"),
            ("a + b", "a++b, a_b and a-b"),
            ("New Tes", "new-tes"),
            (
                "Authentication",
                "the authentication, and re-authentication",
            ),
        ] {
            assert!(!is_in(text, prose), "{prose}");
        }
        for prose in [
            "project_authentication",
            "#authentication",
            "[[authentication]]",
        ] {
            assert!(is_in("Authentication", prose), "{prose}");
        }
    }

    #[test]
    fn a_slug_counts_in_names_where_it_is_particular() {
        let is_in_name = |text: &str, name: &str| {
            TextSpellings::from_text(text, &["[redacted]"]).is_in_name(name)
        };
        assert!(is_in_name("Zebra Quartz", "project_x_zebra_quartz_2.md"));
        assert!(is_in_name("Zebra-9931", "zebra-9931.md"));
        assert!(is_in_name("Correcthorsebattery", "correcthorsebattery.md"));
        assert!(!is_in_name("Deploy", "project_deploy_day.md"));
        assert!(!is_in_name("Deployment", "project_deployment.md"));
        let may_be =
            |text: &str, name: &str| TextSpellings::from_text(text, &[]).is_perhaps_in_name(name);
        assert!(may_be("Deploy", "project_deploy_day.md"));
        assert!(!may_be("Deploy", "project_deployment.md"));
        assert!(!may_be("Zebra Quartz", "project_x_zebra_quartz_2.md"));
        assert!(
            is_in_name("deploy", "project_deploy_day.md"),
            "as it is written"
        );
        let long = format!("project_{}_zebra_quartz.md", "long_words_".repeat(5));
        assert!(is_in_name("Zebra Quartz Opal Topaz Heron", &long));
        assert!(!is_in_name(
            "Zebra Quartz Opal Topaz Heron",
            "project_zebra_quartz.md"
        ));
        assert!(!is_in_name("Redacted]", "project_[redacted].md"));
    }

    #[test]
    fn places_are_apart_and_in_order() {
        let places = TextSpellings::from_text("abc", &[]).places(b"abcabc d abc");
        assert_eq!(places, [0..3, 3..6, 9..12]);
    }
}
