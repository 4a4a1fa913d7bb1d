//! Bullet by bullet into the memories: the rules by which each is new, known, newer, or left where it is.

use std::collections::{BTreeMap, BTreeSet};

use mem_core::MemoryType;

use super::bullet::{Bullet, Source};
use super::bullet_type;
use super::plan::{
    DistillPlan, Pinned, Quote, SkippedBullet, SupersededReason, SupersededStatement,
};
use super::plan_items::PlanItems;
use super::sentence::Sentence;
use super::sentence_relation::{Relation, relate_sentences};
use super::statement_index::{Amendment, StatementIndex, TopicState};
use super::topic_page::{self, Statement};
use super::{Choice, DistillInput};

/// Statements of one memory.
const STATEMENTS_MAX: usize = 12;

/// A plan in the making.
pub(super) struct BulletMerger<'g> {
    pub(super) given: &'g DistillInput<'g>,
    pub(super) index: StatementIndex<'g>,
    pub(super) plan: DistillPlan,
    pub(super) listed: PlanItems,
    /// Where each statement was read, as far as that was tonight.
    sources: BTreeMap<usize, Vec<Source>>,
    /// What the project's instructions say.
    instructions: Vec<Sentence>,
    /// Memories that were there and are touched, and how many more may be.
    touched: BTreeSet<usize>,
    touchable: usize,
}

impl<'g> BulletMerger<'g> {
    pub(super) fn from_input(given: &'g DistillInput<'g>) -> Self {
        let mut index = StatementIndex::from_input(given);
        let instructions = given.instructions.iter();
        let instructions =
            instructions.map(|line| Sentence::read(line, given.today, &mut index.stems));
        Self {
            instructions: instructions.collect(),
            index,
            plan: DistillPlan::default(),
            listed: PlanItems::default(),
            sources: BTreeMap::new(),
            touched: BTreeSet::new(),
            touchable: given.touchable_count(),
            given,
        }
    }

    /// Takes one bullet in.
    pub(super) fn take_bullet(&mut self, bullet: &Bullet) {
        if bullet.is_secret {
            let hidden = Bullet {
                text: String::new(),
                ..bullet.clone()
            };
            return self.skip_bullet(&hidden, bullet, "it holds a secret");
        }
        let choice = self.given.choices.get(&bullet.content_digest());
        let said = Sentence::read(&bullet.text, bullet.date, &mut self.index.stems);
        if let Some(why) = self.skip_reason(&said) {
            return self.skip_bullet(bullet, bullet, why);
        }
        let related = self.index.related_statements(&said);
        // What is known, newer or contrary is for the rules: a model cannot keep a memory wrong.
        let is_new = matches!(related.first(), None | Some((_, Relation::Beside)));
        if is_new && choice == Some(&Choice::Leave) {
            return self.skip_bullet(bullet, bullet, "the model would not keep it");
        }
        let done = match related.first() {
            Some(&(slot, Relation::Same)) => self.merge_same(slot, said, bullet),
            Some(&(_, Relation::Updates | Relation::Contradicts)) => {
                self.replace_statements(&related, said, bullet)
            }
            Some(&(slot, Relation::Beside)) => self.add_beside(slot, said, bullet, choice),
            None => self.add_memory(said, bullet, choice),
        };
        match done {
            true => self.plan.handled.push(bullet.content_digest()),
            false => self.plan.waiting.push(bullet.source.clone()),
        }
    }

    fn skip_reason(&self, said: &Sentence) -> Option<&'static str> {
        let is_instructed = |line: &Sentence| {
            matches!(relate_sentences(line, said), Some((Relation::Same, _)))
                && said.is_within(line)
        };
        bullet_type::log_only_reason(said)
            .or_else(|| {
                self.instructions
                    .iter()
                    .any(is_instructed)
                    .then_some("the instructions of the project say it")
            })
            .or_else(|| (self.given.code)(&said.text).then_some("the code says it"))
    }

    fn skip_bullet(&mut self, shown: &Bullet, bullet: &Bullet, why: &'static str) {
        self.plan.left.push(SkippedBullet {
            source: shown.source.clone(),
            text: shown.text.clone(),
            why,
        });
        self.plan.handled.push(bullet.content_digest());
    }

    /// Whether a memory may be touched tonight.
    pub(super) fn may_touch(&mut self, topic: usize) -> bool {
        if self.index.topics[topic].note.is_none() || self.touched.contains(&topic) {
            return true;
        }
        let is_allowed = self.touched.len() < self.touchable;
        if is_allowed {
            self.touched.insert(topic);
        }
        is_allowed
    }

    pub(super) fn topic_file(&self, topic: usize) -> String {
        let topic = &self.index.topics[topic];
        match (&topic.page, topic.file.is_empty()) {
            (Some(page), true) => page.title.clone(),
            _ => topic.file.clone(),
        }
    }

    /// What is there already: the fuller wording stays.
    fn merge_same(&mut self, slot: usize, said: Sentence, bullet: &Bullet) -> bool {
        let at = &self.index.slots[slot];
        let (topic, older) = (at.topic, at.said.clone());
        let is_known = said.is_within(&older);
        let is_fuller = !is_known && older.is_within(&said) && said.date >= older.date;
        let is_ours = self.index.topics[topic].page.is_some();
        if is_fuller && is_ours {
            if !self.may_touch(topic) {
                return false;
            }
            let (text, date) = (said.text.clone(), said.date);
            self.reword_statement(topic, &older, |one| {
                one.text = text;
                one.date = date;
            });
            self.index.replace_slot(slot, said);
            self.listed.reword_added(slot, quote_bullet(bullet));
        }
        self.sources
            .entry(slot)
            .or_default()
            .push(bullet.source.clone());
        self.listed.merged.push((topic, quote_bullet(bullet)));
        true
    }

    /// Changes the statement of a memory.
    fn reword_statement(
        &mut self,
        topic: usize,
        older: &Sentence,
        change: impl FnOnce(&mut Statement),
    ) {
        let topic = &mut self.index.topics[topic];
        let Some(page) = &mut topic.page else { return };
        let was_first = page
            .statements
            .first()
            .is_some_and(|one| one.text == older.text);
        let is_named = was_first && page.title == topic_page::statement_title(&older.text);
        let mut statements = page.statements.iter_mut();
        if let Some(one) = statements.find(|one| one.text == older.text) {
            change(one);
        }
        if is_named && let Some(first) = page.statements.first() {
            page.title = topic_page::statement_title(&first.text);
        }
        topic.state = TopicState::Changed;
    }

    /// What holds instead of what other statements say.
    fn replace_statements(
        &mut self,
        related: &[(usize, Relation)],
        said: Sentence,
        bullet: &Bullet,
    ) -> bool {
        let is_over = |slot: &usize| self.index.slots[*slot].said.date > said.date;
        let slots = related.iter().take_while(|(_, relation)| {
            matches!(relation, Relation::Updates | Relation::Contradicts)
        });
        let slots: Vec<(usize, Relation)> = slots.copied().collect();
        if slots.iter().any(|(slot, _)| is_over(slot)) {
            self.skip_bullet(bullet, bullet, "something newer says otherwise");
            return true;
        }
        let can_change = |slot: &usize| !self.index.topic_of(*slot).is_pinned;
        let (open, pinned): (Vec<_>, Vec<_>) = slots
            .iter()
            .copied()
            .partition(|(slot, _)| can_change(slot));
        for (slot, _) in pinned {
            self.report_pinned(slot, bullet);
        }
        let Some(&(first, relation)) = open.first() else {
            return self.add_memory(said, bullet, None);
        };
        if !self.may_touch(self.index.slots[first].topic) {
            return false;
        }
        for &(slot, relation) in &open[1..] {
            self.drop_beside(slot, first, relation, bullet);
        }
        self.retire_statement(first, relation, said, bullet);
        true
    }

    /// Puts a newer statement in the place of one.
    fn retire_statement(
        &mut self,
        slot: usize,
        relation: Relation,
        said: Sentence,
        bullet: &Bullet,
    ) {
        let Some(at) = self.index.slots.get(slot) else {
            return;
        };
        let (topic, older) = (at.topic, at.said.clone());
        let is_description = at.is_description;
        self.tell_retired(slot, relation, bullet);
        let (text, date) = (said.text.clone(), said.date);
        if self.index.topics[topic].page.is_some() {
            let before = Some((older.text.clone(), older.date));
            self.reword_statement(topic, &older, |one| *one = Statement { text, date, before });
        } else {
            let topic = &mut self.index.topics[topic];
            topic.state = TopicState::Changed;
            topic.amended.push(Amendment {
                text,
                date,
                old: older.text,
                old_date: older.date,
                is_description,
            });
        }
        self.index.replace_slot(slot, said);
        self.listed.reword_added(slot, quote_bullet(bullet));
        self.sources.insert(slot, vec![bullet.source.clone()]);
    }

    /// What a statement says, and where it was read.
    pub(super) fn statement_quote(&self, slot: usize) -> Quote {
        let at = &self.index.slots[slot];
        let sources = self.sources.get(&slot).cloned().unwrap_or_default();
        let sources = match (sources.is_empty(), self.index.topics[at.topic].note) {
            (true, Some(note)) => vec![Source {
                file: note.file.clone(),
                line: line_of(&note.bytes, &at.said.text),
                date: at.said.date.to_string(),
            }],
            _ => sources,
        };
        Quote {
            text: at.said.text.clone(),
            date: at.said.date.to_string(),
            sources,
        }
    }

    /// What is pinned stays, and a person is told what says otherwise.
    fn report_pinned(&mut self, slot: usize, bullet: &Bullet) {
        let pinned = Pinned {
            file: self.topic_file(self.index.slots[slot].topic),
            old: self.statement_quote(slot),
            new: quote_bullet(bullet),
        };
        self.plan.pinned.push(pinned);
    }

    fn tell_retired(&mut self, slot: usize, relation: Relation, bullet: &Bullet) {
        let topic = self.index.slots[slot].topic;
        let retired = SupersededStatement {
            file: self.topic_file(topic),
            why: match relation {
                Relation::Contradicts => SupersededReason::Contradicted,
                _ => SupersededReason::Updated,
            },
            old: self.statement_quote(slot),
            new: Some(quote_bullet(bullet)),
            archived: None,
            is_description: self.index.slots[slot].is_description,
        };
        self.listed.retired.push((topic, retired));
    }

    /// Takes a further statement away that the same bullet replaces, where it stands in another memory
    /// that a distillation wrote.
    fn drop_beside(&mut self, slot: usize, kept: usize, relation: Relation, bullet: &Bullet) {
        let topic = self.index.slots[slot].topic;
        let is_other = topic != self.index.slots[kept].topic;
        let is_sure =
            self.index.slots[slot].said.subject() == self.index.slots[kept].said.subject();
        let is_ours = self.index.topics[topic].page.is_some();
        if !is_other || !is_sure || !is_ours || !self.may_touch(topic) {
            return;
        }
        self.tell_retired(slot, relation, bullet);
        self.take_away(slot);
    }

    /// Takes a statement out of its memory, which goes to the archive with its last.
    pub(super) fn take_away(&mut self, slot: usize) {
        self.listed.added.remove(&slot);
        let at = &mut self.index.slots[slot];
        at.is_gone = true;
        let (text, topic) = (at.said.text.clone(), at.topic);
        let topic = &mut self.index.topics[topic];
        let Some(page) = &mut topic.page else { return };
        if page.statements.len() <= 1 {
            topic.state = TopicState::Archived;
            return;
        }
        page.statements.retain(|one| one.text != text);
        topic.state = TopicState::Changed;
    }

    /// A further statement of a memory that speaks of the same.
    fn add_beside(
        &mut self,
        slot: usize,
        said: Sentence,
        bullet: &Bullet,
        choice: Option<&Choice>,
    ) -> bool {
        let topic = self.index.slots[slot].topic;
        let room = |page: &topic_page::Page| page.statements.len() < STATEMENTS_MAX;
        let has_room = self.index.topics[topic].page.as_ref().is_some_and(room);
        if !has_room || self.index.topics[topic].is_pinned {
            return self.add_memory(said, bullet, choice);
        }
        if !self.may_touch(topic) {
            return false;
        }
        if let Some(page) = &mut self.index.topics[topic].page {
            page.statements.push(statement_from(&said));
        }
        self.index.topics[topic].state = TopicState::Changed;
        self.note_added(topic, said, bullet);
        true
    }

    /// A memory of its own.
    fn add_memory(&mut self, said: Sentence, bullet: &Bullet, choice: Option<&Choice>) -> bool {
        let (title, kind) = match choice {
            Some(Choice::Name { title, kind }) => (title.clone(), *kind),
            _ => (
                topic_page::statement_title(&said.text),
                bullet_type::memory_type(&said),
            ),
        };
        let topic = self.index.add_topic(title, kind, statement_from(&said));
        self.note_added(topic, said, bullet);
        true
    }

    fn note_added(&mut self, topic: usize, said: Sentence, bullet: &Bullet) {
        let slot = self.index.slots.len();
        let quote = quote_bullet(bullet);
        self.listed.added.insert(slot, (topic, quote));
        self.index.put_slot(topic, said, false);
        self.sources.insert(slot, vec![bullet.source.clone()]);
    }
}

fn statement_from(said: &Sentence) -> Statement {
    Statement {
        text: said.text.clone(),
        date: said.date,
        before: None,
    }
}

fn quote_bullet(bullet: &Bullet) -> Quote {
    Quote {
        text: bullet.text.clone(),
        date: bullet.date.to_string(),
        sources: vec![bullet.source.clone()],
    }
}

/// The line that holds a text; 1 where none does.
fn line_of(bytes: &[u8], text: &str) -> usize {
    let all = String::from_utf8_lossy(bytes);
    let at = all.lines().position(|line| line.contains(text));
    at.map_or(1, |at| at + 1)
}

/// The type of a memory that a model names; project where it names none.
pub(super) fn kind_of(word: &str) -> MemoryType {
    word.parse().unwrap_or(MemoryType::Project)
}
