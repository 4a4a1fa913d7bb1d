//! Memories that a model proposes with the memory tool: what it wrote to its scratch memory,
//! believed as far as it quotes.

use mem_core::delimiters::escape;
use mem_core::topic::TopicFile;

use super::model_proposals::{CandidateProposal, ModelContext, ProposalTarget, settle_proposals};
use super::scratch_memory::{ModelWrite, ScratchMemory, ScratchNote};
use super::{ExtractContext, Extraction, model_proposals};
use crate::model::{Api, ModelTask};
use crate::template::fill_template;

/// What it is told to do.
const INSTRUCTIONS: &str = mem_templates::PROMPT_EXTRACT_DESK;
/// And with what.
const MATERIAL: &str = "Memories that are there already:\n<memories>\n{{manifest}}\n</memories>\n\nWhat rules \
                        have found, which may be wrong or incomplete:\n<candidates>\n{{candidates}}\n\
                        </candidates>\n\nWhat the person said, each with its day:\n{{said}}\n";

/// Has a model work in a scratch memory with copies of the memories.
///
/// # Errors
/// Why what it did is not taken; nothing is changed then.
pub(super) fn work_on_copies(
    found: &mut Extraction,
    shown: &ModelContext<'_>,
    setting: &ExtractContext<'_>,
    api: &Api,
) -> Result<(), String> {
    let scratch = ScratchMemory::copy_notes(shown.notes, shown.scratch_dir, shown.now);
    let scratch = scratch.map_err(|error| format!("cannot lay out the memories: {error}"))?;
    let (said, candidates) = model_proposals::model_material(found);
    let values = [
        ("manifest", escape(&scratch.manifest_text()).into_owned()),
        ("candidates", candidates),
        ("said", said),
    ];
    let work = ModelTask {
        instructions: INSTRUCTIONS,
        material: &fill_template(MATERIAL, &values),
    };
    let done = api.work_with_tool(work, &|input| scratch.answer_tool_call(input));
    done.map_err(|error| error.to_string())?;
    let proposals: Vec<CandidateProposal> =
        scratch.model_writes().iter().filter_map(read).collect();
    let dropped = found.dropped.len();
    let quotes_secret = proposals.iter().any(CandidateProposal::quotes_secret);
    let kept = settle_proposals(proposals, found, setting);
    if kept.is_empty() && scratch.was_cleared() {
        found.dropped.truncate(dropped);
        return Err(
            "the model would take memories away and proposes none that was said".to_owned(),
        );
    }
    if kept.is_empty() && (scratch.was_leaked() || quotes_secret) {
        found.dropped.truncate(dropped);
        return Err(model_proposals::LEAKED.to_owned());
    }
    model_proposals::merge_proposed(found, kept);
    Ok(())
}

/// What a file proposes; `None` where the model left one as it was.
fn read(written: &ModelWrite<'_>) -> Option<CandidateProposal> {
    match written.laid {
        Some(laid) => added_proposal(written, laid),
        None => Some(new(&written.text)),
    }
}

fn new(text: &str) -> CandidateProposal {
    let topic = TopicFile::parse(text.as_bytes());
    CandidateProposal {
        quote: find_quotation(&topic.text(text.as_bytes())),
        kind: topic.type_word.unwrap_or_default(),
        name: topic.name.unwrap_or_default(),
        to: None,
    }
}

/// What stands in a memory now and did not before. The memory gets the words that were said, and keeps its own.
fn added_proposal(written: &ModelWrite<'_>, laid: &ScratchNote) -> Option<CandidateProposal> {
    let lines = written.text.lines();
    let fresh = lines.filter(|line| !laid.text.lines().any(|old| old == *line));
    let fresh: String = fresh.flat_map(|line| [line, "\n"]).collect();
    if fresh.trim().is_empty() {
        return None;
    }
    let topic = TopicFile::parse(laid.text.as_bytes());
    let name = topic.name.clone().unwrap_or_else(|| laid.file.clone());
    Some(CandidateProposal {
        kind: topic
            .kind
            .map_or("project", |kind| kind.as_str())
            .to_owned(),
        quote: find_quotation(&fresh),
        to: Some(ProposalTarget {
            scope: laid.scope,
            file: laid.file.clone(),
            description: topic.description.unwrap_or_else(|| name.clone()),
        }),
        name,
    })
}

/// What a text quotes.
fn find_quotation(text: &str) -> String {
    let is_quoted = |line: &&str| line.trim_start().starts_with('>');
    let bare = |line: &str| line.trim_start().trim_start_matches('>').trim().to_owned();
    let quote = text.lines().skip_while(|line| !is_quoted(line));
    let quote: Vec<String> = quote.take_while(is_quoted).map(bare).collect();
    quote.join(" ").trim_matches(['"', '“', '”']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_its_title_and_its_quotation() {
        let proposal = new(
            "---\nname: No mocks\ndescription: Tests\ntype: feedback\n---\n\
                            Use a real database.\n\n**Why:** it broke.\n\n> \"never mock\n> the database\"\n",
        );
        assert_eq!(proposal.kind, "feedback");
        assert_eq!(proposal.name, "No mocks");
        assert_eq!(proposal.quote, "never mock the database");
        assert_eq!(new("nothing of the kind").quote, "");
    }
}
