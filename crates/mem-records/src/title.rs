//! From a content to the name and the description of its topic file.

/// A name is cut here, at a word where there is one.
const NAME_CHARS: usize = 60;
/// A description is: what a selector takes in at a glance.
const DESCRIPTION_CHARS: usize = 200;
/// A cut looks so many characters back for the end of a word.
const WORD_CHARS: usize = 24;

/// The title: the first sentence, or as much of it as makes a title.
pub fn name(content: &str) -> String {
    let line = one_line(content, DESCRIPTION_CHARS);
    let sentence = first_sentence(&line);
    cut(sentence, NAME_CHARS)
}

/// The one line that a selector reads: the content, as far as it goes.
pub fn description(content: &str) -> String {
    one_line(content, DESCRIPTION_CHARS)
}

/// A text on one line, without what no line holds.
pub(crate) fn one_line(text: &str, chars: usize) -> String {
    let is_space =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let words = text.split(is_space).filter(|word| !word.is_empty());
    let mut line = String::new();
    // More than is kept need not be joined.
    for word in words.take(chars + 1) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    cut(&line, chars)
}

fn first_sentence(line: &str) -> &str {
    let ends = |(at, c): (usize, char)| {
        let after = &line[at + c.len_utf8()..];
        let is_end = match c {
            '.' | '!' | '?' | ';' => after.starts_with(' ') || after.is_empty(),
            '。' | '！' | '？' | '；' => true,
            _ => false,
        };
        is_end.then_some(at)
    };
    let end = line.char_indices().find_map(ends);
    // A sentence of a few letters is an abbreviation.
    let end = end.filter(|&end| line[..end].chars().count() >= 4);
    line[..end.unwrap_or(line.len())].trim_end()
}

/// The text within so many characters, an ellipsis in place of what is left out.
fn cut(text: &str, chars: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars) else {
        return text.to_owned();
    };
    let (room, _) = text.char_indices().nth(chars - 1).unwrap_or((end, ' '));
    let head = &text[..room];
    let word = head
        .rfind(' ')
        .filter(|&at| head[at..].chars().count() <= WORD_CHARS);
    format!("{}…", head[..word.unwrap_or(room)].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_sentence() {
        assert_eq!(
            name("Deploys are on Tuesdays. Never on Fridays."),
            "Deploys are on Tuesdays"
        );
        assert_eq!(name("部署在周二。周五不部署。"), "部署在周二");
        assert_eq!(name("e.g. this\nand\tthat"), "e.g. this and that");
        assert_eq!(name("x"), "x");
        let long = name(&"word ".repeat(100));
        assert!(
            long.ends_with("word…") && long.chars().count() <= NAME_CHARS,
            "{long}"
        );
        let unbroken = name(&"x".repeat(500));
        assert_eq!(unbroken.chars().count(), NAME_CHARS);
    }

    #[test]
    fn a_description_is_one_line() {
        let text = description("a\u{2028}b\r\n\r\nc\u{7}d");
        assert_eq!(text, "a b c d");
        assert!(description(&"y ".repeat(9_999)).chars().count() <= DESCRIPTION_CHARS);
    }
}
