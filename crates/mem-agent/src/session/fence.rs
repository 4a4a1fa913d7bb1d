//! [`Fence`]: which code block is open at a place of a Markdown text, and the line that closes it.

/// The opening line of a code block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence<'t> {
    /// A block of a list is indented, and so is the line that closes it.
    indent: &'t str,
    mark: char,
    length: usize,
}

impl<'t> Fence<'t> {
    /// The fence that is open after a line, by the one that was open before it.
    pub(super) fn after_line(open: Option<Self>, line: &'t str) -> Option<Self> {
        let Some(fence) = open else {
            return Self::opened_by(line);
        };
        let text = line.trim();
        let is_closed = text.len() >= fence.length && text.chars().all(|c| c == fence.mark);
        (!is_closed).then_some(fence)
    }

    /// The fence that is open at the end of a text.
    pub(crate) fn open_at_end(text: &'t str) -> Option<Self> {
        text.lines().fold(None, Self::after_line)
    }

    fn opened_by(line: &'t str) -> Option<Self> {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = text.chars().take_while(|c| *c == mark).count();
        let is_inline = mark == '`' && text[length..].contains('`');
        (length >= 3 && !is_inline).then_some(Self {
            indent,
            mark,
            length,
        })
    }

    /// The line that closes it, without its end.
    pub(super) fn closing_line(self) -> String {
        format!(
            "{}{}",
            self.indent,
            self.mark.to_string().repeat(self.length)
        )
    }
}

/// A text with its last code block closed.
pub(super) fn close_fence(mut text: String) -> String {
    if let Some(line) = Fence::open_at_end(&text).map(Fence::closing_line) {
        text.push('\n');
        text.push_str(&line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_closed_by_its_own_mark_and_length() {
        let closed = |text: &str| close_fence(text.to_owned());
        assert_eq!(closed("a\n````md\n```\nb"), "a\n````md\n```\nb\n````");
        assert_eq!(closed("~~~\n```"), "~~~\n```\n~~~");
        assert_eq!(
            closed("1. a\n   ```sh\n   b"),
            "1. a\n   ```sh\n   b\n   ```"
        );
        for text in ["", "a", "```x``` b", "```\na\n````  \nb", "``\na"] {
            assert_eq!(closed(text), text);
        }
    }
}
