//! The parts of a long text that say what it is about: of a note its best sentences, of a prompt
//! the last question and the first line.

use crate::model::Table;

/// Sentences of a body that are looked at; the rest of a very long one is not.
const SENTENCES_MAX: usize = 200;
/// Bytes of a sentence that count.
const SENTENCE_BYTES_MAX: usize = 400;
/// A token is about so many bytes of English.
const BYTES_A_TOKEN: usize = 4;
/// Prompts up to this length are taken whole.
pub(crate) const PROMPT_BYTES_MAX: usize = 600;
/// Of a longer prompt, this much of its ends is looked at for sentences.
const PROMPT_END_BYTES: usize = 4096;

/// A shorter passage is no passage of its own.
const PASSAGE_BYTES_MIN: usize = 160;
/// Of a longer text, so much is split into passages.
const SPLIT_BYTES_MAX: usize = 64 << 10;

/// A text in up to `most` passages of about the same length, each cut to its best sentences of
/// about `tokens`.
pub(crate) fn split_passages(text: &str, most: usize, tokens: usize) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(SPLIT_BYTES_MAX)];
    let all: Vec<&str> = split_sentences(text).collect();
    let length: usize = all.iter().map(|sentence| sentence.len()).sum();
    let each = length.div_ceil(most.max(1)).max(PASSAGE_BYTES_MIN);
    let mut passages: Vec<String> = Vec::new();
    let mut now = 0;
    let mut before = 0;
    for sentence in all {
        // By its middle, so that lengths stay even however long a sentence is.
        let at = ((before + sentence.len() / 2) / each).min(most.saturating_sub(1));
        before += sentence.len();
        match passages.last_mut().filter(|_| at == now) {
            Some(passage) => {
                passage.push(' ');
                passage.push_str(sentence);
            }
            None => passages.push(sentence.to_owned()),
        }
        now = at;
    }
    // A rest that says little belongs to what it ends.
    if let [.., _, rest] = passages.as_slice()
        && rest.len() < PASSAGE_BYTES_MIN / 2
        && let Some(rest) = passages.pop()
        && let Some(last) = passages.last_mut()
    {
        last.push(' ');
        last.push_str(&rest);
    }
    passages
        .iter()
        .map(|passage| best_sentences(passage, tokens))
        .collect()
}

/// The sentences of `text` that are nearest to the whole of it, in their order, up to about
/// `tokens`.
pub(crate) fn best_sentences(text: &str, tokens: usize) -> String {
    let budget = tokens * BYTES_A_TOKEN;
    if text.len() <= budget {
        return text.to_owned();
    }
    let table = Table::embedded();
    let whole = table.text_vector(text, SENTENCES_MAX * 8);
    let mut ranked: Vec<(f32, usize, &str)> = split_sentences(text)
        .take(SENTENCES_MAX)
        .enumerate()
        .map(|(at, sentence)| {
            let vector = table.text_vector(sentence, tokens);
            let near = vector.zip(whole.as_ref()).map_or(0.0, |(a, b)| a.cosine(b));
            // What comes first is usually the point.
            (near + 0.2 / (1 + at) as f32, at, sentence)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left = budget;
    ranked.retain(|&(_, _, sentence)| {
        let fits = sentence.len() <= left;
        left -= if fits { sentence.len() } else { 0 };
        fits
    });
    ranked.sort_by_key(|&(_, at, _)| at);
    let chosen: Vec<&str> = ranked
        .into_iter()
        .map(|(_, _, sentence)| sentence)
        .collect();
    chosen.join(" ")
}

/// A prompt as it is searched with: all of a short one; of a long one the first line, the last
/// question and the last line.
pub(crate) fn of_prompt(prompt: &str) -> String {
    let prompt = prompt.trim();
    if prompt.len() <= PROMPT_BYTES_MAX {
        return prompt.to_owned();
    }
    let start = &prompt[..prompt.floor_char_boundary(PROMPT_END_BYTES)];
    let end =
        &prompt[prompt.ceil_char_boundary(prompt.len() - PROMPT_END_BYTES.min(prompt.len()))..];
    let first = split_sentences(start).next().unwrap_or_default();
    let last: Vec<&str> = split_sentences(end).collect();
    let question = last
        .iter()
        .rev()
        .find(|s| s.ends_with(['?', '\u{ff1f}']))
        .copied()
        .unwrap_or_default();
    let closing = last.last().copied().unwrap_or_default();
    let mut chosen: Vec<&str> = Vec::new();
    for sentence in [first, question, closing] {
        if !sentence.is_empty() && !chosen.contains(&sentence) {
            chosen.push(sentence);
        }
    }
    chosen.join("\n")
}

/// Lines and sentences, trimmed of list marks, none empty, each cut to its limit.
fn split_sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = |(at, end): (usize, &str)| {
        let after = at + end.len();
        (end == "\n" || text[after..].starts_with([' ', '\n']) || !end.is_ascii()).then_some(after)
    };
    let stops = text.match_indices(['.', '?', '!', '\n', '\u{3002}', '\u{ff1f}', '\u{ff01}']);
    let mut start = 0;
    stops
        .filter_map(ends)
        .chain([text.len()])
        .filter_map(move |end| {
            let from = std::mem::replace(&mut start, end);
            let sentence = text[from..end]
                .trim()
                .trim_start_matches(['#', '-', '*', '>', ' ']);
            let sentence = &sentence[..sentence.floor_char_boundary(SENTENCE_BYTES_MAX)];
            (!sentence.is_empty()).then_some(sentence)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_prompt_keeps_its_first_line_and_its_question() {
        let log = "    at frame 17 of the stack\n".repeat(200);
        let cut = of_prompt(&format!(
            "Why does the import fail?\n{log}Is the token too old? Here it is."
        ));
        assert_eq!(
            cut,
            "Why does the import fail?\nIs the token too old?\nHere it is."
        );
        assert_eq!(of_prompt(" short one "), "short one");
    }

    #[test]
    fn a_long_note_keeps_what_is_nearest_to_its_subject() {
        let filler = "The weather was mild and somebody made tea. ".repeat(3);
        let subject = "Deployments to the cluster need a migration first. The release job runs the migration. ".repeat(6);
        let best = best_sentences(&format!("{filler}{subject}"), 64);
        assert!(best.contains("migration") && best.len() <= 256, "{best}");
    }

    #[test]
    fn a_text_is_split_into_even_passages() {
        let text = "One sentence of some forty bytes or more. ".repeat(40);
        let passages = split_passages(&text, 4, 1_000);
        let lengths: Vec<usize> = passages.iter().map(String::len).collect();
        assert_eq!(lengths.len(), 4);
        assert!(
            lengths.iter().all(|l| (380..=440).contains(l)),
            "{lengths:?}"
        );
        assert_eq!(passages.join(" "), text.trim());
        assert!(split_passages(&text, 4, 32).iter().all(|p| p.len() <= 128));
        assert_eq!(split_passages("Short. Text.", 4, 96), ["Short. Text."]);
        assert_eq!(split_passages("", 4, 96), [""; 0]);
    }

    #[test]
    fn sentences_do_not_end_inside_names() {
        let found: Vec<&str> =
            split_sentences("- Use v1.2.3 of a.b. Then go!\n\n# Why? \u{7f13}\u{3002}\u{5b58}")
                .collect();
        assert_eq!(
            found,
            [
                "Use v1.2.3 of a.b.",
                "Then go!",
                "Why?",
                "\u{7f13}\u{3002}",
                "\u{5b58}"
            ]
        );
    }
}
