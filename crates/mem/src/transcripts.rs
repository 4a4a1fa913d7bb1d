//! Transcripts of hosts that still hold what was redacted or erased. They are not ours to change: each is named, with a
//! command that shows the lines and does not repeat the text.

use mem_agent::session::transcript_search::{
    BYTES_MAX, TranscriptFiles, TranscriptSearch, search_transcripts,
};
use mem_core::plural::format_count;

use crate::context::Context;
use crate::progress::Progress;
use crate::sanitize::one_line;

/// Looks through all transcripts of hosts, and shows that it does.
pub(crate) fn find_transcripts(
    context: &Context,
    is_hit: &dyn Fn(&[u8]) -> bool,
) -> TranscriptSearch {
    let files = TranscriptFiles::of_hosts(context);
    let with = format_count(files.count(), "file", "files");
    let _progress = Progress::waiting(&context.printer, "searching transcripts of hosts", with);
    search_transcripts(files, context, is_hit)
}

/// Names those that hold it, with a command for each.
pub(crate) fn print_transcripts(found: &TranscriptSearch, context: &Context) {
    let printer = &context.printer;
    if !found.holders.is_empty() {
        let files = format_count(found.holders.len(), "transcript", "transcripts");
        let verb = if found.holders.len() == 1 {
            "holds"
        } else {
            "hold"
        };
        printer.print_warning(format_args!(
            "{files} of hosts still {verb} it. mem does not change transcripts; these commands show the lines:"
        ));
        for holder in &found.holders {
            printer.say(format_args!("  {}", one_line(&holder.command)));
        }
    }
    if found.not_searched > 0 {
        let files = format_count(found.not_searched, "transcript", "transcripts");
        printer.print_warning(format_args!(
            "{files} of hosts not searched: unreadable, or beyond {} GiB in all",
            BYTES_MAX >> 30
        ));
    }
}
