//! The text of a note as one reads it: paragraphs and list items whole, over the ends of lines, each with the headings
//! above it and the sentence that introduces its list.

use std::cell::OnceCell;

use super::claim::{CitationClaim, heading_claim, intro_claim, lead_label, without_names};
use super::claim_words::BANNERS;
use super::markdown::prose_lines;

/// A paragraph, a list item or a row of a table.
#[derive(Debug, Default)]
pub(super) struct Passage {
    /// Its lines, with a blank between them.
    pub(super) text: String,
    /// The same without names.
    pub(super) plain: String,
    /// The places of `~~` in it.
    pub(super) strikes: Vec<usize>,
    /// Whether the text has an anchor of `claim`; asked once for all citations of the passage.
    pub(super) has_anchor: OnceCell<bool>,
    /// What its label, the sentence that introduces its list or table, and the headings above it say of all in it.
    pub(super) claim: Option<CitationClaim>,
    /// The passage whose last sentence introduces its list or table.
    pub(super) intro: Option<usize>,
}

/// What introduces a list.
#[derive(Clone, Copy, Default)]
struct ListIntro {
    claim: Option<CitationClaim>,
    passage: Option<usize>,
}

/// A line of a passage.
#[derive(Debug)]
pub(super) struct PassageLine<'a> {
    /// From 1.
    pub(super) number: usize,
    /// The line as it stands.
    pub(super) line: &'a str,
    /// Which passage it belongs to.
    pub(super) passage: usize,
    /// Where it starts in the passage's text.
    pub(super) offset: usize,
}

/// What starts a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineStart {
    Blank,
    Heading(usize),
    /// With its indentation.
    Item(usize),
    Row,
    Text(usize),
}

/// Reads a note.
pub(super) fn read_passages(text: &str) -> (Vec<Passage>, Vec<PassageLine<'_>>) {
    let mut reader = PassageReader::default();
    let mut lines = Vec::new();
    for (number, line) in prose_lines(text) {
        if number != reader.number + 1 {
            reader.is_open = false;
        }
        reader.number = number;
        if let Some((passage, offset)) = reader.add_line(line) {
            lines.push(PassageLine {
                number,
                line,
                passage,
                offset,
            });
        }
    }
    let first = reader.passages.first();
    let has_banner = first.is_some_and(|first| is_banner(&first.text));
    for passage in &mut reader.passages {
        passage.plain = without_names(&passage.text);
        let strikes = passage.plain.match_indices("~~");
        passage.strikes = strikes.map(|(at, _)| at).collect();
        passage.claim = heading_claim(lead_label(&passage.text))
            .or(passage.claim)
            .or(has_banner.then_some(CitationClaim::Removed));
    }
    (reader.passages, lines)
}

#[derive(Default)]
struct PassageReader {
    passages: Vec<Passage>,
    number: usize,
    /// Whether the next line may go on with the last passage.
    is_open: bool,
    /// Levels of the headings above and what they say, the outermost first.
    headings: Vec<(usize, Option<CitationClaim>)>,
    /// Indentations of the lists around and what introduces them, the outermost first.
    intros: Vec<(usize, ListIntro)>,
    /// What the last passage says of what follows it.
    lead: ListIntro,
}

impl PassageReader {
    /// The passage that a line goes to and where in it; `None` for a blank one.
    fn add_line(&mut self, line: &str) -> Option<(usize, usize)> {
        match line_start(line) {
            LineStart::Blank => {
                self.is_open = false;
                return None;
            }
            LineStart::Heading(level) => {
                self.headings.retain(|(other, _)| *other < level);
                self.intros.clear();
                self.lead = ListIntro::default();
                self.open_passage();
                let title = line.trim().trim_matches('#').trim();
                self.headings.push((level, heading_claim(title)));
                let place = self.push_text(line);
                self.is_open = false;
                return place;
            }
            LineStart::Item(indent) => {
                self.note_lead();
                while self.intros.last().is_some_and(|(own, _)| *own > indent) {
                    self.intros.pop();
                }
                match self.intros.last() {
                    Some((own, _)) if *own == indent => {}
                    _ => self.intros.push((indent, self.lead)),
                }
                self.open_passage();
            }
            LineStart::Row => {
                if !self.is_open || !self.is_row() {
                    self.note_lead();
                    self.intros = vec![(0, self.lead)];
                }
                self.open_passage();
            }
            LineStart::Text(indent) => {
                if !self.is_open || self.is_row() {
                    self.note_lead();
                    while self
                        .intros
                        .last()
                        .is_some_and(|(own, _)| *own >= indent.max(1))
                    {
                        self.intros.pop();
                    }
                    if indent == 0 {
                        self.intros.clear();
                    }
                    self.open_passage();
                }
            }
        }
        self.push_text(line)
    }

    fn is_row(&self) -> bool {
        self.passages
            .last()
            .is_some_and(|last| last.text.trim_start().starts_with('|'))
    }

    fn open_passage(&mut self) {
        let mut intros = self.intros.iter().rev().map(|(_, intro)| intro);
        let passage = intros.clone().find_map(|intro| intro.passage);
        let intro = intros.find_map(|intro| intro.claim);
        let mut headings = self.headings.iter().rev().map(|(_, claim)| *claim);
        let nearest = headings.next().flatten();
        // What is to be avoided is named by the heading right above; below a wider one stands what to read of it, too.
        let wider = headings
            .flatten()
            .find(|claim| *claim != CitationClaim::Banned);
        self.passages.push(Passage {
            claim: intro.or(nearest).or(wider),
            intro: passage,
            ..Passage::default()
        });
        self.is_open = true;
    }

    fn push_text(&mut self, line: &str) -> Option<(usize, usize)> {
        let passage = self.passages.len().checked_sub(1)?;
        let text = &mut self.passages[passage].text;
        if !text.is_empty() {
            text.push(' ');
        }
        let offset = text.len();
        text.push_str(line);
        Some((passage, offset))
    }

    /// What the last passage introduces: its last sentence, if a colon ends it.
    fn note_lead(&mut self) {
        let text = self.passages.last().map_or("", |last| last.text.trim_end());
        let plain = text.trim_end_matches(['*', '_']);
        let mut lead = ListIntro::default();
        if plain.ends_with([':', '：']) && !plain.starts_with('#') {
            let sentence = plain.rsplit(['.', '。']).find(|part| part.len() > 2);
            lead.claim = intro_claim(sentence.unwrap_or(plain));
            lead.passage = self.passages.len().checked_sub(1);
        }
        self.lead = lead;
    }
}

/// Whether a note begins with the words that it does not hold any more.
fn is_banner(text: &str) -> bool {
    if !matches!(line_start(text), LineStart::Text(_)) {
        return false;
    }
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word: String = start.chars().take_while(|c| c.is_alphanumeric()).collect();
    let word = word.to_lowercase();
    BANNERS
        .words()
        .any(|banner| word == banner || !banner.is_ascii() && word.starts_with(banner))
}

fn line_start(line: &str) -> LineStart {
    let trimmed = line.trim_start_matches([' ', '\t', '>']);
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    if trimmed.is_empty() {
        return LineStart::Blank;
    }
    let level = trimmed.bytes().take_while(|&byte| byte == b'#').count();
    if (1..=6).contains(&level) && trimmed[level..].starts_with(' ') {
        return LineStart::Heading(level);
    }
    if trimmed.starts_with('|') {
        return LineStart::Row;
    }
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = (1..=3).contains(&digits)
        && trimmed[digits..].starts_with([')', '.'])
        && trimmed[digits + 1..].starts_with(' ');
    if is_numbered
        || ["- ", "* ", "+ "]
            .iter()
            .any(|mark| trimmed.starts_with(mark))
    {
        return LineStart::Item(indent);
    }
    LineStart::Text(indent)
}
