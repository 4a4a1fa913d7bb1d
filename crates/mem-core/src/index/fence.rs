//! Fenced code blocks: what opens one and what closes it.

/// The opening line of a code block.
#[derive(Clone, Copy)]
pub(crate) struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// The fence that a line opens.
    pub(crate) fn from_text(text: &[u8]) -> Option<Self> {
        let depth = text.iter().take_while(|&&byte| byte == b' ').count();
        let mark = *text.get(depth).filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = text[depth..]
            .iter()
            .take_while(|&&byte| byte == mark)
            .count();
        let info = &text[depth + length..];
        let inline = mark == b'`' && info.contains(&b'`');
        (depth <= 3 && length >= 3 && !inline).then_some(Self { mark, length })
    }

    /// Whether a line closes it.
    pub(crate) fn is_closed_by(self, text: &[u8]) -> bool {
        Self::from_text(text).is_some_and(|other| {
            other.mark == self.mark
                && other.length >= self.length
                && text.trim_ascii().len() == other.length
        })
    }
}
