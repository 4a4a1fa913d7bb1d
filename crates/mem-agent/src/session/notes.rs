//! The notes of a session: sections under headings, each with a line of guidance.

use super::fence::Fence;

/// The default template: the ten sections, in their order.
pub const TEMPLATE: &str = mem_templates::SESSION;

/// The notes, byte for byte as they stand in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionNotes {
    /// What stands before the first heading.
    pub preamble: String,
    /// The sections, in their order.
    pub sections: Vec<NotesSection>,
}

/// A part of the notes under a heading of the first level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesSection {
    /// The text of the heading.
    pub title: String,
    /// The lines that updates never touch: the heading, and the italic line below it.
    pub head: String,
    /// Everything else.
    pub body: String,
}

impl SessionNotes {
    /// Reads notes. Headings inside code fences are text.
    pub fn parse(text: &str) -> Self {
        let mut notes = Self::default();
        let mut fence = None;
        for line in text.split_inclusive('\n') {
            fence = Fence::after_line(fence, line);
            let title = line.strip_prefix("# ").filter(|_| fence.is_none());
            match (title, notes.sections.last_mut()) {
                (Some(title), _) => notes.sections.push(NotesSection::new(title.trim(), line)),
                (None, Some(section)) => section.push_line(line),
                (None, None) => notes.preamble.push_str(line),
            }
        }
        notes
    }

    /// The section of a title, whatever its case.
    pub fn find_section(&self, title: &str) -> Option<&NotesSection> {
        let mut all = self.sections.iter();
        all.find(|section| section.title.eq_ignore_ascii_case(title))
    }

    /// Whether another version of these notes has the same headings and lines of guidance.
    pub fn has_frame_of(&self, other: &Self) -> bool {
        let heads = |notes: &Self| -> Vec<String> {
            let each = notes.sections.iter();
            each.map(|section| section.head.trim().replace("\r\n", "\n"))
                .collect()
        };
        heads(self) == heads(other)
    }
}

impl NotesSection {
    fn new(title: &str, line: &str) -> Self {
        Self {
            title: title.to_owned(),
            head: line.to_owned(),
            body: String::new(),
        }
    }

    /// Adds a line: to the head while that waits for its guidance, else to the body.
    fn push_line(&mut self, line: &str) {
        let waits = self.body.trim().is_empty() && self.guidance_line().is_none();
        if waits && is_guidance(line) {
            self.head.push_str(&std::mem::take(&mut self.body));
            self.head.push_str(line);
        } else {
            self.body.push_str(line);
        }
    }

    /// The italic line.
    pub fn guidance_line(&self) -> Option<&str> {
        let last = self.head.trim_end().lines().next_back()?;
        is_guidance(last).then_some(last)
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.body.trim().is_empty()
    }
}

/// Whether a line is wholly italic.
fn is_guidance(line: &str) -> bool {
    let line = line.trim();
    let within = |mark: char| {
        line.len() > 2
            && line.starts_with(mark)
            && line.ends_with(mark)
            && !line.starts_with(&format!("{mark}{mark}"))
    };
    within('_') || within('*')
}

impl std::fmt::Display for SessionNotes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.preamble)?;
        for section in &self.sections {
            f.write_str(&section.head)?;
            f.write_str(&section.body)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLES: [&str; 10] = [
        "Session Title",
        "Current State",
        "Task specification",
        "Files and Functions",
        "Workflow",
        "Errors & Corrections",
        "Codebase and System Documentation",
        "Learnings",
        "Key results",
        "Worklog",
    ];

    #[test]
    fn the_template_has_the_ten_sections_with_guidance_and_nothing_in_them() {
        let notes = SessionNotes::parse(TEMPLATE);
        let titles: Vec<_> = notes
            .sections
            .iter()
            .map(|one| one.title.as_str())
            .collect();
        assert_eq!(titles, TITLES);
        for section in &notes.sections {
            assert!(
                section.guidance_line().is_some() && section.is_empty(),
                "{}",
                section.title
            );
        }
    }

    #[test]
    fn any_text_survives_byte_for_byte() {
        for text in [
            "",
            "no heading\r\n",
            TEMPLATE,
            "pre\n# A\r\n\r\n_g_\r\n- x\r\n```\n# not a heading\n```\n# B\nlast",
            "# A\n_g_\n_also italic_\n",
            "# A\n__bold__\n",
        ] {
            assert_eq!(SessionNotes::parse(text).to_string(), text);
        }
    }

    #[test]
    fn a_fence_hides_headings_and_guidance_is_the_first_italic_line() {
        let notes = SessionNotes::parse("# A\n\n_g_\n```\n# no\n```\n# B\n**bold**\ntext\n");
        assert_eq!(notes.sections.len(), 2);
        assert_eq!(notes.sections[0].guidance_line(), Some("_g_"));
        assert_eq!(notes.sections[0].body, "```\n# no\n```\n");
        assert_eq!(notes.sections[1].guidance_line(), None);
        assert!(notes.find_section("b").is_some());
    }
}
