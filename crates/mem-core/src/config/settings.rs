//! Every setting: its name, type, default and what it does, in one table.
//!
//! From the table come the typed [`Settings`], the closed list [`KEYS`], the commented file that `mem config edit` opens
//! and the page of the documentation. To add a setting: its row here, and the place that reads the field.

use super::history_retention::HistoryRetention;
use super::key::SettingKey;
use super::setting_types::{
    ColorWhen, MemoryMode, RecordBackend, SettingType, Share, TeamFlow, TextReview, WriteMode,
};
use super::value::SettingValue;

/// Writes out the table. A section is a field of [`Settings`] and the beginning of its keys; a comment above it becomes
/// the comment of its table in the file.
macro_rules! settings {
    ($(
        $(#[doc = $about:literal])+
        $section:ident, $prefix:literal, $Section:ident {
            $( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr; )+
        }
    )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Section {
                $( $(#[doc = $doc])+ pub $name: $type, )+
            }

            impl Default for $Section {
                fn default() -> Self {
                    Self { $( $name: $default, )+ }
                }
            }
        )+

        /// The value of every setting: what somebody set, else the default.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Settings {
            $( $(#[doc = $about])+ pub $section: $Section, )+
        }

        /// Every key, in the order of the documentation.
        pub const KEYS: &[SettingKey] = &[
            $($( SettingKey {
                name: concat!($prefix, stringify!($name)),
                kind: <$type as SettingType>::KIND,
                description: concat!($($doc, "\n",)+),
            }, )+)+
        ];

        /// The beginning of the keys of each section, and what the section is about.
        pub(super) const SECTIONS: &[(&str, &str)] = &[
            $( ($prefix, concat!($($about, "\n",)+)), )+
        ];

        impl Settings {
            /// Takes the value of a key. A value that the key does not take changes nothing.
            pub(super) fn assign(&mut self, key: &str, value: &SettingValue) {
                $($(
                    if key == concat!($prefix, stringify!($name)) {
                        if let Some(value) = SettingType::from_value(value) {
                            self.$section.$name = value;
                        }
                        return;
                    }
                )+)+
            }

            /// The value of a key; `None` for one that is not set and has no default, and for no key.
            pub fn value(&self, key: &str) -> Option<SettingValue> {
                $($(
                    if key == concat!($prefix, stringify!($name)) {
                        return self.$section.$name.to_value();
                    }
                )+)+
                None
            }
        }
    };
}

settings! {
    /// What concerns all commands.
    general, "", GeneralSettings {
        /// The editor for `mem edit` and `mem config edit`. Empty: $VISUAL, else $EDITOR.
        editor: String = String::new();
        /// Colours on the terminal.
        color: ColorWhen = ColorWhen::Auto;
        /// Whether a host tells you once a session what memory gave the model ("mem: 2 notes, 310 tokens").
        notify: bool = true;
    }
    /// Whether memory is kept, and who may write it.
    memory, "memory.", MemorySettings {
        /// Whether `mem` keeps memory here. Not set: as the host is set (`autoMemoryEnabled` in Claude Code's settings).
        /// true: also where the host's settings switch its own memory off. false: off. The environment variables that
        /// switch memory off count in any case.
        enabled: Option<bool> = None;
        /// How memory is kept. "index": a file for each topic, and MEMORY.md points to them. "log": notes go to a daily
        /// log, and MEMORY.md is left to a later distillation. "log" and team memory exclude each other.
        mode: MemoryMode = MemoryMode::Index;
        /// What agents may do. "auto": write at once. "confirm": their writes wait until you accept them. "read-only":
        /// nothing.
        write: WriteMode = WriteMode::Auto;
        /// What of it you look at all the same: what an agent writes in a turn in which it has read text of others waits
        /// in the inbox. "outside": pages and downloads, MCP servers, memories of colleagues. "tools": files and commands
        /// of this machine as well. "none": nothing.
        review: TextReview = TextReview::Outside;
    }
    /// The past of memories.
    history, "history.", HistorySettings {
        /// How much of the past is kept. "0": everything. "90d": changes of the last 90 days. "500": the last 500
        /// changes. The newest version of every file is always kept.
        keep: HistoryRetention = HistoryRetention::Everything;
    }
    /// The language model that may help.
    model, "model.", ModelSettings {
        /// The program that is asked wherever a language model can help: a command line for the shell. It reads the
        /// prompt from its standard input and writes the answer to its standard output; MEM_MODEL_TASK says what for
        /// ("select", "session", "extract", "distill"). Empty: no model is asked, and everything works without.
        command: String = String::new();
        /// Or a model behind the Messages API: its address, without /v1, such as `https://api.anthropic.com`. http:// is
        /// for this machine alone. What is sent there are the questions that the program would be given, and for
        /// memories from a session also what the model looks up in your memories; secrets are taken out first.
        /// `command` goes before.
        api: String = String::new();
        /// Which model. It has to know the memory tool, context editing and compaction.
        name: String = "claude-sonnet-4-6".to_owned();
        /// The file of its key, readable by its owner alone (mode 0600). Empty: `model.key` beside this file. The variable
        /// MEM_MODEL_KEY goes before, and ANTHROPIC_API_KEY for `https://api.anthropic.com`. Never write the key in here.
        key_file: String = String::new();
        /// The tokens that one task may cost, read and written, in all of its turns.
        max_tokens: u64 = 200_000;
        /// Seconds until it is stopped, or the API has answered one turn with all retries, and mem goes on without.
        timeout: u64 = 60;
    }
    /// Memories from sessions.
    extract, "extract.", ExtractSettings {
        /// Whether memories are taken from what you said in a session once a turn has ended: corrections, standing
        /// instructions, decisions, deadlines, pointers. What is sure is written, in one change that `mem undo` takes
        /// back; what is less sure waits in `mem inbox`.
        enabled: bool = true;
    }
    /// Distillation of logs and session notes.
    dream, "dream.", DreamSettings {
        /// Whether a daemon distils logs and session notes into memories every night. `mem dream` does it by hand. Where
        /// Claude Code distils this memory itself (`autoDreamEnabled` in its settings), the daemon leaves it to that.
        nightly: bool = false;
        /// The share of your memories that one distillation may change or retire, from 0 to 1; ten of them at least,
        /// unless it is 0. What is left waits for the next.
        max_share: Share = Share(0.25);
    }
    /// Memory that a team shares.
    team, "team.", TeamSettings {
        /// Where team memory is shared: the address of a server, or a git remote as "git:NAME". Empty: nowhere.
        /// `mem team setup` sets it in a repository's table, together with the name of its memory there.
        remote: String = String::new();
        /// The name that the team's memory goes by, as "owner/repo". Empty: that of the remote `origin`.
        repo: String = String::new();
        /// What happens to what colleagues wrote: "auto" takes it over, "review" puts it into the inbox first.
        pull: TeamFlow = TeamFlow::Auto;
        /// How team files leave this machine. "review": what you saved, shared or reviewed there goes by itself; what an
        /// agent, an import or another program put into `team/` waits until you let it go with `mem team review`, and
        /// what an agent deletes for everybody waits in the inbox. "auto": everything goes by itself. Only a person sets
        /// it.
        push: TeamFlow = TeamFlow::Review;
        /// Whether `mem status` asks a git remote of your clone, which the repository suggests for team memory and nobody
        /// has answered yet, how many memories are there: once a day at most, and for two seconds.
        glance: bool = true;
        /// Whether a memory that was not sent because it holds a secret is reported to the server: the name of the file and of
        /// the rule, no word of the content. The server reports it to its webhooks (`secret.refused`). Only a person sets it.
        report_refused: bool = false;
    }
    /// Your own notes on several machines.
    sync, "sync.", SyncSettings {
        /// Where your own notes, private and global, are kept in step between your machines: the address of a server,
        /// or of a git repository of your own as "git:URL". Empty: nowhere. `mem sync setup` sets it.
        remote: String = String::new();
        /// The beginning of the names that they go by there, the same on all your machines.
        name: String = String::new();
    }
    /// Stores of versioned memories.
    stores, "stores.", StoreSettings {
        /// The server that `mem store` and `mem attach` ask, as SDKs take it: `https://host` without "/v1". Empty:
        /// `https://api.anthropic.com` where ANTHROPIC_API_KEY is set, else none.
        base_url: String = String::new();
    }
    /// Encryption of what is stored.
    encryption, "encryption.", EncryptionSettings {
        /// Where the master key of `mem encrypt` is: "file:/absolute/path" (readable by its owner alone), "keyring", or
        /// "command:LINE", a command line that prints it. Never the key itself. Empty: `master.key` beside this file.
        key: String = String::new();
    }
    /// The daemon.
    daemon, "daemon.", DaemonSettings {
        /// Whether a daemon starts by itself. true: for every repository that an agent works in. false: never;
        /// `mem daemon start` still does. Not set: where memory is shared with a team, kept in step between your
        /// machines, or distilled at night.
        autostart: Option<bool> = None;
        /// After so many minutes without use it ends by itself; 0: never.
        idle_minutes: u64 = 30;
    }
    /// What agents are given.
    recall, "recall.", RecallSettings {
        /// How many memories a recall brings at most.
        limit: usize = 5;
        /// How many characters of context they may fill.
        budget_chars: usize = 2_500;
        /// How many characters of memories about a file an agent is given before it reads or edits that file, at most
        /// three memories, each once a session; 0: none.
        file_chars: usize = 1_600;
        /// How many characters a subagent is given when it starts: memories that help with its task, and the indexes that
        /// the host does not give it; 0: none.
        subagent_chars: usize = 1_600;
        /// How many characters one session may be given altogether.
        session_chars: usize = 12_000;
        /// How sure it must be that a memory helps, from 0 (always bring the best) to 1. At the default one prompt in
        /// twenty that no memory fits brings something all the same. Above 0, memories that fit less than half as well
        /// as the best one are left out, too.
        min_score: Share = Share(0.5);
        /// Whether a recall or an import may leave a process behind that indexes and encodes what has changed. Without
        /// it, `mem warm` does; what is not encoded is ranked by its words alone.
        background: bool = true;
    }
    /// What counts how much. 0 turns a weight off; `mem recall --explain` shows what each one added.
    recall_weights, "recall.weights.", RecallWeightSettings {
        /// Words, by BM25.
        lexical: f64 = 0.3;
        /// The share of the prompt's words that a memory has.
        coverage: f64 = 1.2;
        /// Near words beside the words themselves.
        soft: f64 = 0.6;
        /// A word in the name.
        name: f64 = 3.0;
        /// A word in the description.
        description: f64 = 2.0;
        /// A word in the body.
        body: f64 = 1.0;
        /// BM25: how soon repetition stops to count.
        k1: f64 = 1.2;
        /// BM25: how much length counts.
        b: f64 = 0.75;
        /// Meaning of the words one by one.
        statics: f64 = 1.0;
        /// Meaning of whole sentences.
        sentence: f64 = 6.0;
        /// How much more a longer text counts, up to 80 words, where no description says what it is about.
        length: f64 = 0.8;
        /// How fast meaning loses its say as a prompt leaves scripts with spaces.
        latin: f64 = 2.0;
        /// What is new, halved with every half-life.
        freshness: f64 = 0.04;
        /// Days in which what is new loses half of that.
        half_life_days: f64 = 30.0;
        /// The importance of a memory.
        importance: f64 = 0.06;
        /// Its being pinned.
        pinned: f64 = 0.1;
        /// Its having been recalled and then read.
        used: f64 = 0.06;
        /// What is taken off a memory that cites code, from the fifth session on in which the agent was given it and did not
        /// use it.
        unused: f64 = 0.06;
        /// What is taken off a memory whose code is gone; half of it where the code moved.
        drift: f64 = 0.2;
    }
    /// Structured memories.
    records, "records.", RecordSettings {
        /// Where `mem record` and the tools of records keep what they are given: "files", which are memories like all
        /// others, or "qdrant", a Qdrant at `qdrant_url`. There they have no history, so that `mem undo`, `mem log-audit`
        /// and `mem redact` do not know them, and neither do recall, `mem prune` and `mem erase`.
        backend: RecordBackend = RecordBackend::Files;
        /// The Qdrant, say `http://localhost:6333`; its key in MEM_QDRANT_API_KEY.
        qdrant_url: String = String::new();
        /// After so many days without use a memory counts half of its importance; 0: never.
        half_life_days: f64 = 30.0;
    }
    /// What the daemon takes out of the private tier by itself, as `mem prune` does; `mem undo` brings it back. Nothing
    /// that is pinned. 0 and false: nothing.
    prune, "prune.", PruneSettings {
        /// The memories that stay at most.
        max_entries: usize = 0;
        /// The importance below which a memory goes.
        below: f64 = 0.0;
        /// Whether memories go whose day has passed.
        expired: bool = false;
    }
    /// What memory may cost.
    cost, "cost.", CostSettings {
        /// The tokens that fit into the context of your model.
        context_tokens: usize = 200_000;
        /// The share of them that the indexes may take before `mem cost` warns. An index that is loaded whole (25,000
        /// characters) takes about 0.035.
        index_share: Share = Share(0.02);
    }
}
