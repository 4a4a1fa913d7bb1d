//! Every text that pages show: the one place to change a word.

pub(crate) const APP: &str = "mem";
pub(crate) const SKIP: &str = "Skip to the content";
pub(crate) const PROJECT: &str = "Project";
pub(crate) const PAGES: &str = "Pages";
pub(crate) const OVERVIEW: &str = "Overview";
pub(crate) const MEMORIES: &str = "Memories";
pub(crate) const RECALL: &str = "Recall";
pub(crate) const INBOX: &str = "Inbox";
pub(crate) const TEAM: &str = "Team";
pub(crate) const GRAPH: &str = "Graph";
pub(crate) const CHANGES: &str = "History";
pub(crate) const KEYS_HINT: &str =
    "/ filter · j k move · g then o m r i t h: go to a page · e edit · n new";
pub(crate) const ENDS: &str = "Ends when its page was closed for a while.";

// Access.
pub(crate) const ENTERING: &str = "Opening the console";
pub(crate) const ENTER: &str = "Open the console";
pub(crate) const REFUSED_HOST: &str = "This console answers at its own address only.";
pub(crate) const REFUSED_COOKIE: &str =
    "This browser was not let in. Run `mem console` and open the address that it prints.";
pub(crate) const REFUSED_ORIGIN: &str = "The request comes from another page. Nothing was done.";
pub(crate) const REFUSED_CSRF: &str =
    "The form is not one of this console. Nothing was done: go back, load the page again.";
pub(crate) const REFUSED_TOKEN: &str =
    "This address was used, or is not the one of this console. Run `mem console` again.";
pub(crate) const TOO_LARGE: &str = "The form is too large. Nothing was done.";
pub(crate) const NOT_ALLOWED: &str = "Pages are asked for with GET and changed with POST.";
pub(crate) const BROKEN: &str = "Something broke in the console. Memories are as they were.";
pub(crate) const NO_SUCH_PAGE: &str = "There is no such page.";
pub(crate) const REFUSED: &str = "Refused";
pub(crate) const HINT: &str = "What to do";
pub(crate) const BACK: &str = "Back to the overview";

// Words of data.
pub(crate) const TYPE: &str = "Type";
pub(crate) const SCOPE: &str = "Scope";
pub(crate) const VERDICT: &str = "Verdict";
pub(crate) const TAGS: &str = "Tags";
pub(crate) const WHEN: &str = "Given for files";
pub(crate) const IMPORTANCE: &str = "Importance";
pub(crate) const EXPIRES: &str = "Expires";
pub(crate) const PINNED: &str = "Pinned";
pub(crate) const MODIFIED: &str = "Modified";
pub(crate) const AUTHOR: &str = "Written by";
pub(crate) const FILE: &str = "File";
pub(crate) const ANY: &str = "any";
pub(crate) const UNKNOWN: &str = "unchecked";
pub(crate) const NO_TYPE: &str = "no type";
pub(crate) const TODAY: &str = "today";
pub(crate) const YESTERDAY: &str = "yesterday";
pub(crate) const LINE: &str = "Line";
pub(crate) const BEFORE: &str = "Before";
pub(crate) const AFTER: &str = "After";
pub(crate) const DIFF: &str = "Differences";
pub(crate) const REASON: &str = "Reason";
pub(crate) const SAVE: &str = "Save";
pub(crate) const CANCEL: &str = "Cancel";

// Overview.
pub(crate) const WAITING: &str = "wait in the inbox";
pub(crate) const CONFLICTS: &str = "conflicts";
pub(crate) const STALE: &str = "no longer match the code";
pub(crate) const KEPT: &str = "memories";
pub(crate) const BY_TYPE: &str = "By type";
pub(crate) const BY_SCOPE: &str = "By scope";
pub(crate) const BY_AGE: &str = "By age";
pub(crate) const BY_VERDICT: &str = "By verdict";
pub(crate) const AGE_WEEK: &str = "this week";
pub(crate) const AGE_MONTH: &str = "this month";
pub(crate) const AGE_QUARTER: &str = "this quarter";
pub(crate) const AGE_OLDER: &str = "older";
pub(crate) const ATTENTION: &str = "Needs a look";
pub(crate) const NOTHING_STALE: &str = "Every memory that can be checked matches the code.";
pub(crate) const AGENTS: &str = "Agents";
pub(crate) const CONNECTED: &str = "uses mem";
pub(crate) const NOT_CONNECTED: &str = "does not use mem yet: `mem install` connects it";
pub(crate) const NO_AGENTS: &str =
    "No agent was found on this machine. `mem install --help` lists those that mem knows.";
pub(crate) const SHARING: &str = "Sharing";
pub(crate) const TEAM_SCOPE: &str = "Team";
pub(crate) const OWN_SCOPE: &str = "Own machines";
pub(crate) const NOT_SHARED: &str = "not shared";
pub(crate) const IN_SYNC: &str = "in sync";
pub(crate) const PROJECTS: &str = "Projects of this machine";
pub(crate) const SHOW_PROJECTS: &str = "Check all projects";
pub(crate) const GLOBAL_PROJECT: &str = "Across projects";
pub(crate) const FINDINGS: &str = "Findings";
pub(crate) const OVER_TIME: &str = "Over time";
pub(crate) const PLOT_MEMORIES: &str = "Memories";
pub(crate) const PLOT_CHANGES: &str = "Changes a day, by author";
pub(crate) const PLOT_TOKENS: &str = "Tokens given to agents a day";
pub(crate) const PLOT_USES: &str = "Memories that agents were given, by what became of them";
pub(crate) const PLOT_SECRETS: &str = "Secrets stopped a day, by the hooks of git";
pub(crate) const TOKENS: &str = "tokens";
pub(crate) const USED: &str = "used later";
pub(crate) const NOT_USED: &str = "not used";
pub(crate) const SECRETS: &str = "secrets";
pub(crate) const DAY: &str = "Day";
pub(crate) const AS_TABLE: &str = "As a table";
pub(crate) const USED_LATER: &str = "of the memories that came with a prompt were used later";
pub(crate) const NO_MEMORIES: &str = "No memories yet.";
pub(crate) const MEMORY_OFF: &str = "Memory is switched off for this project.";

// Memories.
pub(crate) const FILTER: &str = "Filter";
pub(crate) const FILTER_HINT: &str = "Words in names, descriptions, files and tags";
pub(crate) const IN_TEXTS: &str = "Search the texts, best first";
pub(crate) const SORT: &str = "Order";
pub(crate) const SORT_NEWEST: &str = "newest first";
pub(crate) const SORT_NAME: &str = "by name";
pub(crate) const SORT_VERDICT: &str = "worst verdict first";
pub(crate) const APPLY: &str = "Apply";
pub(crate) const NOTHING_FOUND: &str =
    "No memory matches. \u{201c}Search the texts\u{201d} looks into texts as well, and by meaning.";
pub(crate) const PREVIOUS: &str = "Previous";
pub(crate) const NEXT: &str = "Next";
pub(crate) const NEW_MEMORY: &str = "New memory";
pub(crate) const RENDERED: &str = "Text";
pub(crate) const RAW: &str = "File";
pub(crate) const NOT_TEXT: &str =
    "The file is not UTF-8 text. It is shown as far as it can be read, and cannot be edited here.";
pub(crate) const EDIT: &str = "Edit";
pub(crate) const PIN: &str = "Pin";
pub(crate) const UNPIN: &str = "Unpin";
pub(crate) const RENAME: &str = "Rename";
pub(crate) const NEW_NAME: &str = "New title";
pub(crate) const SHARE: &str = "Move to the team";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const REDACT: &str = "Redact";
pub(crate) const ACTIONS: &str = "Actions";
pub(crate) const CITATIONS: &str = "What it cites";
pub(crate) const NO_CITATIONS: &str = "It cites nothing that can be checked against the code.";
pub(crate) const FIX_PATHS: &str = "Rewrite paths that moved";
pub(crate) const HISTORY: &str = "History";
pub(crate) const NO_HISTORY: &str = "The next change begins its history.";
pub(crate) const SHOW_CHANGE: &str = "what changed";
pub(crate) const RESTORE: &str = "Restore this version";
pub(crate) const UNDO: &str = "Undo this change";
pub(crate) const UNDONE: &str = "undone";
pub(crate) const REDACTED: &str = "redacted";
pub(crate) const GONE: &str = "This memory was removed. Its history is kept.";
pub(crate) const NAME: &str = "Title";
pub(crate) const DESCRIPTION: &str = "Description";
pub(crate) const DESCRIPTION_HINT: &str =
    "One line that says when it matters: all that a search for relevance sees first.";
pub(crate) const TAGS_HINT: &str = "With commas between them.";
pub(crate) const WHEN_HINT: &str =
    "Globs such as src/db/**; agents get it before they read or change these files.";
pub(crate) const EXPIRES_HINT: &str = "A day such as 2027-01-31, or nothing.";
pub(crate) const BODY: &str = "Text (Markdown)";
pub(crate) const LIVE: &str = "Preview";
pub(crate) const EDIT_FIELDS: &str = "Fields";
pub(crate) const EDIT_RAW: &str = "Whole file";
pub(crate) const WHOLE_FILE: &str = "The file, frontmatter included";
pub(crate) const EDIT_CONFLICT: &str = "The memory was changed since you opened it. Nothing was written. Your text is below; what changed is beside it. Saving again puts your text in its place.";
pub(crate) const MEANWHILE: &str = "From the memory as it is now to your text";
pub(crate) const SAVED: &str = "Saved.";
pub(crate) const PINNED_NOW: &str = "Pinned.";
pub(crate) const UNPINNED_NOW: &str = "No longer pinned.";
pub(crate) const RENAMED: &str = "Renamed.";
pub(crate) const TAKEN_BACK: &str = "Undone.";
pub(crate) const SHARED_NOW: &str = "It is the team's now; the next sync sends it.";
pub(crate) const NO_PATH_TO_FIX: &str = "Only a path with its folder and without the number of a line is rewritten by itself. Edit the memory for what is left.";
pub(crate) const UNCHANGED: &str = "Nothing was changed.";
pub(crate) const WHOSE: &str = "Whose";

// Confirmation.
pub(crate) const WOULD_CHANGE: &str = "What would change";
pub(crate) const NOTHING_CHANGES: &str = "Nothing would change.";
pub(crate) const REMOVE_WARNING: &str = "The file and its line in MEMORY.md go. The history keeps the content: undo or restore brings it back. A memory that the team has is removed for everybody.";
pub(crate) const REDACT_WARNING: &str = "The content goes from the file, from every version and from what waits. Nothing brings it back. Copies elsewhere are not reached.";
pub(crate) const REDACT_TEXT: &str = "Redact a text";
pub(crate) const REDACT_TEXT_HINT: &str = "Every occurrence in every memory and version of this project, and in your own memories, is replaced by [redacted].";
pub(crate) const TEXT_TO_GO: &str = "The text";
pub(crate) const SHOW_FIRST: &str = "Show what would go";
pub(crate) const ERASE: &str = "Erase the memory of this project";
pub(crate) const ERASE_WARNING: &str = "Every memory of this project, its history, indexes, inbox and session notes. Nothing brings them back. A proof that nothing is left is worked out afterwards.";
pub(crate) const ERASED: &str = "Erased.";
pub(crate) const ERASE_CONFIRM: &str = "Write the name of the project to confirm";
pub(crate) const ERASE_MISMATCH: &str = "The name is not that of the project. Nothing was erased.";
pub(crate) const FOR_GOOD: &str = "Cannot be undone";
pub(crate) const SHARE_WARNING: &str =
    "Everybody who works on this repository gets it with the next sync.";

// History.
pub(crate) const NO_CHANGES: &str = "Nothing has happened yet.";
pub(crate) const SCOPE_PROJECT: &str = "This project";
pub(crate) const SCOPE_GLOBAL: &str = "Across projects";
pub(crate) const CARE: &str = "Redact and erase";

// Recall.
pub(crate) const RECALL_INTRO: &str =
    "What an agent would be given now, and why. Nothing is marked as shown.";
pub(crate) const PROMPT: &str = "A prompt";
pub(crate) const OR_FILE: &str = "A file of the project, as before a tool reads or changes it";
pub(crate) const FILE_HINT: &str = "src/main.rs, or src/main.rs:10-20";
pub(crate) const THRESHOLD: &str = "Threshold";
pub(crate) const THRESHOLD_HINT: &str =
    "0 gives whatever is nearest; 1 gives nothing. 0.5 is the default.";
pub(crate) const ASK: &str = "Ask";
pub(crate) const GIVEN: &str = "Given to the agent";
pub(crate) const GIVEN_FILE: &str = "Given before the file";
pub(crate) const ABSTAINED: &str = "Nothing is given: no memory clearly helps.";
pub(crate) const NEARLY: &str = "Not given";
pub(crate) const EXACT: &str = "The exact text";
pub(crate) const PAST: &str = "Past prompts";
pub(crate) const PAST_INTRO: &str = "What you said last in this project's sessions, and what each prompt would be given now with this threshold.";
pub(crate) const PAST_NONE: &str = "No session of this project says anything yet.";
pub(crate) const NOT_GIVEN: &str = "nothing";
pub(crate) const TRY_PROMPT: &str = "Write a prompt as you would give it to an agent.";

// Inbox.
pub(crate) const INBOX_EMPTY: &str = "Nothing waits for you.";
pub(crate) const INBOX_INTRO: &str =
    "What agents and colleagues want to write. Nothing of it is in the memory yet.";
pub(crate) const ACCEPT: &str = "Accept";
pub(crate) const REJECT: &str = "Reject";
pub(crate) const EDIT_FIRST: &str = "Edit, then accept";
pub(crate) const NOT_ONE_TEXT: &str =
    "The entry is not the text of one memory: `mem inbox edit` takes it.";
pub(crate) const ACCEPTED: &str = "Accepted.";
pub(crate) const REJECTED: &str =
    "Rejected. It is kept for a while: `mem inbox list --rejected` shows it.";

// Team.
pub(crate) const TEAM_NONE: &str = "The team scope of this project is not shared yet.";
pub(crate) const SYNC_NOW: &str = "Sync now";
pub(crate) const SYNCED: &str = "Synced.";
pub(crate) const REMOTE: &str = "Remote";
pub(crate) const REPOSITORY: &str = "Repository";
pub(crate) const LAST_SYNC: &str = "Last sync";
pub(crate) const NEVER: &str = "never";
pub(crate) const TO_SEND: &str = "To send";
pub(crate) const TO_TAKE: &str = "To take";
pub(crate) const SHARED: &str = "Shared memories";
pub(crate) const REVIEW: &str = "Waits for your look";
pub(crate) const REVIEW_INTRO: &str =
    "An agent or another program put this into the team scope. It is sent once you approve it.";
pub(crate) const APPROVE: &str = "Approve";
pub(crate) const APPROVED: &str = "Approved. The next sync sends it.";
pub(crate) const CONFLICT_TITLE: &str = "Conflicts";
pub(crate) const OWN_CONFLICTS: &str = "Conflicts between your own machines";
pub(crate) const CONFLICT_INTRO: &str =
    "Both ends changed the same lines. The remote's text is in the memory; yours is kept here.";
pub(crate) const FROM_THEIRS: &str = "From the remote's text to yours";
pub(crate) const MINE: &str = "Keep mine";
pub(crate) const THEIRS: &str = "Keep theirs";
pub(crate) const MERGED: &str = "Save this text";
pub(crate) const MERGE_TEXT: &str = "A text of both";
pub(crate) const MERGE_HINT: &str =
    "Of the lines between the marks, leave what should stay, and take the marks out.";
pub(crate) const RESOLVED: &str = "Resolved. The next sync shares it.";
pub(crate) const TEAM_LOG: &str = "Who changed what";
pub(crate) const TEAM_OFFLINE: &str = "The remote could not be reached at the last attempt.";
pub(crate) const NOT_SENT: &str = "Stays here";

// Graph.
pub(crate) const GRAPH_INTRO: &str = "Memories on the left, the files that they cite on the right; arcs join memories that name each other. Larger circles were given to agents more often.";
pub(crate) const AS_OF: &str = "As of";
pub(crate) const AS_OF_HINT: &str =
    "Memories that were there on that day, with what they cite today.";
pub(crate) const GRAPH_EMPTY: &str = "No memory cites a file or another memory.";
pub(crate) const GRAPH_LABEL: &str = "Memories and the files that they cite";
pub(crate) const GRAPH_TABLE: &str = "As a list";

// Stores of a server.
pub(crate) const STORES: &str = "Stores";
pub(crate) const STORE_TOKENS: &str = "Tokens";
pub(crate) const SIGN_IN: &str = "Sign in";
pub(crate) const GO_ON: &str = "Go on";
pub(crate) const SIGN_IN_WITH: &str = "Sign in with";
pub(crate) const SIGNED_OUT: &str = "Signed out";
pub(crate) const SIGNED_OUT_HERE: &str = "The session of this server has ended.";
pub(crate) const SIGN_OUT_THERE: &str = "Sign out of the identity provider too";
pub(crate) const SIGNED_IN: &str = "Signed in already? Go on";
pub(crate) const SIGN_OUT: &str = "Sign out";
pub(crate) const TOKEN: &str = "Token";
pub(crate) const TOKEN_HINT: &str = "One of this server, memtok_…: `mem server token create` makes one. The console can do what its grants allow.";
pub(crate) const NO_TOKEN: &str = "This is not a token.";
pub(crate) const UNREADABLE: &str = "The answer of the API could not be read.";
pub(crate) const WITH_ARCHIVED: &str = "Archived stores too";
pub(crate) const NO_STORES: &str = "The token's grants cover no store.";
pub(crate) const ARCHIVED: &str = "archived";
pub(crate) const ARCHIVE: &str = "Archive this store";
pub(crate) const ARCHIVE_WARNING: &str = "Nothing can be written into it any more. Memories can still be read and deleted, and versions redacted.";
pub(crate) const FIRST_PAGE: &str = "← First page";
pub(crate) const VERSIONS: &str = "Versions";
pub(crate) const MADE: &str = "Created";
pub(crate) const STORE_ID: &str = "Id";
pub(crate) const USAGE: &str = "Usage";
pub(crate) const SEARCH: &str = "Search";
pub(crate) const SEARCH_STORE: &str = "Search this store";
pub(crate) const NOTHING_MATCHES: &str = "No memory matches.";
pub(crate) const AUDIT: &str = "Audit trail";
pub(crate) const BY_TOKEN: &str = "By the token (apikey_…)";
pub(crate) const OPERATION: &str = "Operation";
pub(crate) const UNKNOWN_ACTOR: &str = "unknown";
pub(crate) const MEMORY: &str = "the memory";
pub(crate) const PATH: &str = "Path";
pub(crate) const DELETE: &str = "Delete";
pub(crate) const DELETE_WARNING: &str =
    "Its versions are kept as long as the server keeps versions.";
pub(crate) const DELETED: &str = "This memory was deleted. Its versions are below.";
pub(crate) const REDACT_VERSION: &str = "Redact this version";
pub(crate) const REDACT_VERSION_WARNING: &str = "Text, checksum and path of this version are removed from the database; who made it and when stays. Copies elsewhere, and backups, are not reached.";
pub(crate) const NO_CONTENT: &str = "The content of this version was redacted.";
pub(crate) const BEFORE_REDACTED: &str =
    "The version before was redacted: everything counts as new.";
pub(crate) const TOKEN_NAME: &str = "Name";
pub(crate) const TOKEN_NAME_HINT: &str = "Whose it is; tokens of one name have the same records.";
pub(crate) const GRANTS: &str = "Grants";
pub(crate) const GRANTS_HINT: &str = "One a line, such as store:*:read, store:memstore_…:write or team:acme/app:write. No more than your own token has.";
pub(crate) const NEW_TOKEN: &str = "New token";
pub(crate) const MAKE_TOKEN: &str = "Create the token";
pub(crate) const SHOWN_ONCE: &str = "This is the only time that the token is shown.";
pub(crate) const REVOKE: &str = "Revoke";
pub(crate) const REVOKED: &str = "revoked";
pub(crate) const EXPIRED: &str = "expired";
pub(crate) const REVOKE_WARNING: &str = "The next request with it is refused.";

/// What was done, by the word of an address.
pub(crate) fn done(word: &str) -> Option<&'static str> {
    match word {
        "saved" => Some(SAVED),
        "deleted" => Some("Deleted."),
        "redacted" => Some("Redacted."),
        "archived" => Some("Archived."),
        "revoked" => Some("Revoked."),
        _ => None,
    }
}

/// The word that is shown for a verdict.
pub(crate) fn verdict(word: &str) -> &str {
    match word {
        "" => UNKNOWN,
        word => word,
    }
}

/// What a trust class means, in a few words.
pub(crate) fn trust(class: &str) -> &str {
    match class {
        "person" => "a person",
        "agent" => "an agent",
        "agent-outside" | "outside" => "an agent that had read text of others",
        "team" => "the team",
        "import" => "an import",
        other => other,
    }
}

/// `3 memories`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// Which part of a list is shown.
pub(crate) fn range(from: usize, to: usize, all: usize) -> String {
    match all {
        0 => "0".to_owned(),
        all => format!("{from}–{to} of {all}"),
    }
}

/// How many of some prompts would be given something.
pub(crate) fn prompts_with(given: usize, all: usize) -> String {
    format!("{given} of {all} prompts would be given something.")
}

/// What kept a memory back from an agent.
pub(crate) fn kept_back(by: &str) -> &str {
    match by {
        "score" => "below the threshold",
        "budget" => "no room in the budget",
        "limit" => "beyond the number of memories",
        "expired" => "expired",
        "shown" => "seen in this session",
        "tool-in-use" => "documents a tool in use",
        "no-text" => "no text",
        other => other,
    }
}

/// The size of a text that an agent is given.
pub(crate) fn cost(tokens: usize, bytes: usize, budget: usize) -> String {
    format!("{tokens} tokens, {bytes} bytes; the budget is {budget} characters")
}

/// What a redaction takes.
pub(crate) fn redaction(files: usize, inbox: usize, sessions: usize) -> String {
    let files = count(files, "file", "files");
    let inbox = count(inbox, "inbox entry", "inbox entries");
    let sessions = count(sessions, "session", "sessions");
    format!("{files} and every version of them that has it; {inbox}, {sessions}.")
}
