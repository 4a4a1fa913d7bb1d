//! The newest call of a tool, without reading a transcript from its beginning.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::content::MessagePart;
use super::open_bytes;
use super::record::{RecordBody, TranscriptRecord};

/// So much of the end of a transcript is looked at.
const TAIL_BYTES: u64 = 1024 * 1024;

/// The input (JSON) of the newest call near the end of a transcript that is wanted, by the name of its tool and its input;
/// `None` where there is none, or the transcript cannot be read.
pub fn newest_call(transcript: &Path, is_wanted: impl Fn(&str, &str) -> bool) -> Option<String> {
    let bytes = read_tail(transcript, TAIL_BYTES)?;
    // The first line may be the end of one, which is no JSON.
    let lines = bytes.split(|byte| *byte == b'\n').rev();
    let mut records = lines.filter_map(TranscriptRecord::parse);
    records.find_map(|record| match record.said {
        RecordBody::Assistant { parts, .. } => {
            parts.into_iter().rev().find_map(|part| match part {
                MessagePart::ToolUse { name, input, .. } if is_wanted(&name, &input) => {
                    Some(input.into_owned())
                }
                _ => None,
            })
        }
        _ => None,
    })
}

/// The end of a file, at most so many bytes of it.
pub(super) fn read_tail(path: &Path, bytes_max: u64) -> Option<Vec<u8>> {
    let mut file = open_bytes(path, true).ok()?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let start = length.saturating_sub(bytes_max);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(bytes_max).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
