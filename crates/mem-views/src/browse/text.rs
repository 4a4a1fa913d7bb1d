//! Text of memories, made fit for cells of a terminal: nothing that a terminal acts on, wrapped by display width.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What a part of a line means; a theme gives each a style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Running text.
    Plain,
    /// Secondary text.
    Faint,
    /// Emphasised text.
    Strong,
    /// A heading.
    Heading,
    /// Code.
    Code,
    /// A fresh verdict, an added line.
    Good,
    /// An aging or drifted verdict.
    Warning,
    /// A broken verdict, a removed line, an error.
    Bad,
    /// Letters that the filter matched.
    Match,
}

/// A line: parts with their tones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line(pub Vec<(Tone, String)>);

impl Line {
    /// A line of one tone.
    pub(crate) fn of(tone: Tone, text: impl Into<String>) -> Self {
        Self(vec![(tone, text.into())])
    }

    /// A line without text.
    pub(crate) const fn empty() -> Self {
        Self(Vec::new())
    }

    /// The same with another part at its end.
    pub(crate) fn with(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.0.push((tone, text.into()));
        self
    }

    /// The words alone.
    pub(crate) fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// Removes control characters and marks that reorder text; a tab becomes spaces, line ends stay.
pub(crate) fn clean_text(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => cleaned.push_str("    "),
            '\n' => cleaned.push('\n'),
            c if is_harmful(c) => {}
            c => cleaned.push(c),
        }
    }
    cleaned
}

/// The same for what stands in one line: line ends become spaces.
pub(crate) fn clean_line(text: &str) -> String {
    let text = clean_text(text);
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    lines.join(" ")
}

/// Whether a terminal acts on the character, or shows the characters around it in another order.
fn is_harmful(c: char) -> bool {
    let is_reordering = matches!(
        c,
        '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    is_reordering || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Cells that a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The beginning of a text that fits into `cells`; `…` ends one that was cut.
pub(crate) fn cut(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let (mut kept, mut used) = (String::new(), 1);
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > cells {
            break;
        }
        kept.push(c);
    }
    if cells > 0 {
        kept.push('…');
    }
    kept
}

/// Breaks a line into lines of at most `cells`, between words where that is possible. `indent` spaces begin each
/// line but the first.
pub(crate) fn wrap(line: &Line, cells: usize, indent: usize) -> Vec<Line> {
    let cells = cells.max(1);
    let indent = if indent + 8 > cells { 0 } else { indent };
    let (mut lines, mut current, mut used) = (Vec::new(), Line::default(), 0);
    for (tone, word) in words(line) {
        let wide = width(&word);
        let is_blank = word.trim().is_empty();
        if used + wide > cells && used > indent {
            lines.push(std::mem::take(&mut current));
            used = start_line(&mut current, indent);
            if is_blank {
                continue;
            }
        }
        if used + wide <= cells {
            push_text(&mut current, tone, &word);
            used += wide;
            continue;
        }
        // A word that is longer than a line is broken between characters.
        for c in word.chars() {
            let wide = c.width().unwrap_or(0);
            if used + wide > cells && used > indent {
                lines.push(std::mem::take(&mut current));
                used = start_line(&mut current, indent);
            }
            push_text(&mut current, tone, c.encode_utf8(&mut [0; 4]));
            used += wide;
        }
    }
    lines.push(current);
    lines
}

/// Begins a continuation line; returns its width.
fn start_line(line: &mut Line, indent: usize) -> usize {
    if indent > 0 {
        line.0.push((Tone::Plain, " ".repeat(indent)));
    }
    indent
}

/// Words and the blanks between them, each with its tone.
fn words(line: &Line) -> Vec<(Tone, String)> {
    let mut found: Vec<(Tone, String)> = Vec::new();
    for (tone, text) in &line.0 {
        let mut is_blank = None;
        for c in text.chars() {
            match found.last_mut() {
                Some((_, word)) if is_blank == Some(c == ' ') => word.push(c),
                _ => found.push((*tone, c.to_string())),
            }
            is_blank = Some(c == ' ');
        }
    }
    found
}

/// Appends to the last part where that has the tone.
pub(crate) fn push_text(line: &mut Line, tone: Tone, text: &str) {
    match line.0.last_mut() {
        Some((last, kept)) if *last == tone => kept.push_str(text),
        _ => line.0.push((tone, text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_acts_on_is_left() {
        let hostile = "a\u{1b}[2J\u{1b}]0;t\u{7}b\u{9b}31m\rc\u{202e}d\u{2066}\u{7f}\te\nf\u{0}";
        assert_eq!(clean_text(hostile), "a[2J]0;tb31mcd    e\nf");
        assert_eq!(clean_line("one\r\ntwo\n"), "one two ");
        assert_eq!(clean_text("통과 — fine é"), "통과 — fine é");
    }

    #[test]
    fn lines_break_between_words_and_by_cells() {
        let lines = |text: &str, cells| {
            let wrapped = wrap(&Line::of(Tone::Plain, text), cells, 0);
            wrapped.iter().map(Line::plain).collect::<Vec<_>>()
        };
        assert_eq!(lines("one two three", 8), ["one two ", "three"]);
        assert_eq!(lines("통과통과", 4), ["통과", "통과"]);
        assert_eq!(lines("통과통과", 5), ["통과", "통과"]);
        assert_eq!(lines("", 5), [""]);
        assert_eq!(lines("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(lines("통", 1), ["통"]);
        let listed = wrap(&Line::of(Tone::Plain, "• one two three"), 12, 2);
        assert_eq!(listed[1].plain(), "  three");
        for cells in 1..40 {
            let text = "wörter 통과통과 and a_very_long_identifier_of_code 🦀🦀";
            for line in wrap(&Line::of(Tone::Code, text), cells, 0) {
                assert!(width(&line.plain()) <= cells.max(2), "{line:?} in {cells}");
            }
        }
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("통과통과", 5), "통과…");
        assert_eq!(cut("x", 0), "");
    }
}
