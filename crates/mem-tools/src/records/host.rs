//! What the back end of files has to be given: who asks, the gates, and recall's index.

use mem_core::config::MemoryMode;
use mem_find::current_index::{CurrentIndex, refreshed_index, stored_index};
use mem_find::encoding::PromptEncoding;
use mem_find::{refresh_process, settings, use_counts};
use std::collections::HashMap;

use jiff::Timestamp;
use mem_core::Now;
use mem_core::memory::Note;
use mem_core::store::{ChangeMetadata, StoreError, WriteGate};
use mem_recall::encoder::Encoder;
use mem_recall::{DocumentFacts, RankWeights, RecallIndex, RecallQuery};
use mem_records::files::{Host, QueryIndex};

use super::open::OpenRecords;

/// What the back end of files is given.
#[derive(Clone, Copy)]
pub(super) struct RecordsHost<'o>(pub(super) &'o OpenRecords<'o>);

/// Recall's index, with the files that it is in step with.
pub(super) struct RecordIndex<'o> {
    kept: CurrentIndex<'o>,
    used_at: HashMap<String, Timestamp>,
    beside: HashMap<String, DocumentFacts>,
}

impl Host for RecordsHost<'_> {
    type QueryIndex<'g>
        = RecordIndex<'g>
    where
        Self: 'g;

    fn change_metadata(&self, verb: &'static str, now: Now) -> ChangeMetadata {
        ChangeMetadata::new(verb, self.0.author.clone(), now)
    }

    fn write_gate(&self) -> &dyn WriteGate {
        &self.0.gate
    }

    fn redact_content(&self, content: &str) -> String {
        mem_secrets::redacted(content)
    }

    fn prepare_query(&self, text: &str) -> Result<(RecallQuery, RecordIndex<'_>), StoreError> {
        let OpenRecords { memory, place, .. } = self.0;
        let dirs = self.0.dirs;
        std::thread::scope(|scope| {
            let encoding = PromptEncoding::begin_encoding(scope, text, dirs);
            let kept = refreshed_index(memory, settings::storing_mode(&place.config))?;
            let mut beside = HashMap::new();
            for store in memory.stores() {
                use_counts::add_facts(store, &mut beside);
            }
            let used_at = self.used_at();
            let (query, chosen) = encoding.wait_for_query();
            self.send_for_what_is_behind(&kept, chosen.encoder);
            let ground = RecordIndex {
                kept,
                used_at,
                beside,
            };
            Ok((query, ground))
        })
    }

    fn cached_index(&self) -> Result<RecallIndex, StoreError> {
        stored_index(&self.0.memory)
    }

    fn used_at(&self) -> HashMap<String, Timestamp> {
        let mut all = HashMap::new();
        for store in self.0.memory.stores() {
            use_counts::add_uses(store, &mut all);
        }
        all
    }

    fn mark_retrieved(&self, keys: &[String], now: Now) {
        // What cannot be remembered fades a little sooner.
        if let Err(error) = use_counts::renew_uses(&self.0.memory, keys, now) {
            let text = format_args!("that they were used is not remembered: {error}");
            self.0.run().detail(text);
        }
    }

    fn keeps_index(&self) -> bool {
        self.0.place.config.values.memory.mode != MemoryMode::Log
    }

    fn half_life_days(&self) -> f64 {
        self.0.half_life_days()
    }

    fn rank_weights(&self) -> RankWeights {
        settings::rank_weights(&self.0.place.config)
    }
}

impl RecordsHost<'_> {
    /// As every recall does; the background knows the project's memory only.
    fn send_for_what_is_behind(&self, kept: &CurrentIndex<'_>, encoder: Option<&'static Encoder>) {
        let place = &self.0.place;
        let is_behind = kept.is_behind || kept.index.pending_keys(encoder).next().is_some();
        if is_behind && !self.0.is_namespace && place.config.values.recall.background {
            let run = self.0.environment.run();
            refresh_process::send_refresh(self.0.dirs, &run.cwd);
        }
    }
}

impl QueryIndex for RecordIndex<'_> {
    fn index(&self) -> &RecallIndex {
        &self.kept.index
    }

    fn read_note(&self, key: &str) -> Option<Note> {
        mem_find::read_note(key, &self.kept)
    }

    fn used_at(&self, key: &str) -> Option<Timestamp> {
        self.used_at.get(key).copied()
    }

    fn document_facts(&self) -> HashMap<String, DocumentFacts> {
        self.beside.clone()
    }
}
