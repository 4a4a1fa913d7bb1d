//! Keys: which does what, by what is shown.

use super::super::layout::Layout;
use super::super::text::clean_line;
use super::{Dialog, Effect, Key, State, TextRole, View};

impl State {
    /// Takes a key.
    pub(super) fn press(&mut self, key: Key) -> Vec<Effect> {
        match (key, self.dialog.is_some()) {
            (Key::Ctrl('c'), _) => return self.finish(false),
            (Key::Ctrl('z'), _) => return vec![Effect::Suspend],
            (_, true) => return self.answer(key),
            (_, false) => self.notice = None,
        }
        if self.is_typing && self.view == View::Memories && !self.is_reading {
            return self.type_key(key);
        }
        if let Some(effects) = self.move_key(key) {
            return effects;
        }
        match key {
            Key::Char('?') => self.dialog = Some(Dialog::Help),
            Key::Char('q') if self.is_at_start() => return self.finish(false),
            Key::Esc | Key::Left | Key::Char('q') => return self.go_back(),
            Key::Char('r') | Key::Ctrl('r') => {
                self.notice = Some("reading again".to_owned());
                return Self::first_effects();
            }
            Key::Char('e') => return self.editing(),
            Key::Char('u') => return self.plan_undo(),
            key => return self.view_key(key),
        }
        Vec::new()
    }

    /// Whether nothing is open but the list of memories.
    fn is_at_start(&self) -> bool {
        self.view == View::Memories && !self.is_reading
    }

    /// Keys of one view.
    fn view_key(&mut self, key: Key) -> Vec<Effect> {
        match (self.view, key) {
            (View::Memories, Key::Enter | Key::Right | Key::Char('l'))
                if self.is_picking && key == Key::Enter =>
            {
                return self.finish(true);
            }
            (_, Key::Enter | Key::Right | Key::Char('l')) => {
                self.is_reading = !self.is_reading && self.row_count() > 0;
                self.scroll = 0;
            }
            (View::Memories, Key::Char('/')) => (self.is_reading, self.is_typing) = (false, true),
            (View::Memories, Key::Tab) => return self.toggle_ranking(),
            (View::Memories, Key::Char('o')) => return self.reorder(),
            (View::Memories, Key::Char('d') | Key::Delete) => return self.ask_removal(),
            (View::Memories, Key::Char('s')) => return self.ask_sharing(),
            (View::Memories, Key::Char('p')) => return self.toggle_pin(),
            (View::Memories, Key::Char('h')) => return self.open_history(),
            (View::Memories, Key::Char('n')) => return Self::writing(),
            (View::Memories, Key::Char('R')) => return self.ask_title(),
            (View::Memories, Key::Char('i')) => return self.show_waiting(View::Inbox),
            (View::Memories, Key::Char('c')) => return self.show_waiting(View::Conflicts),
            (View::Memories, Key::Char('v')) => return self.verify_again(),
            (View::Memories, Key::Char('V')) if self.busy.is_none() => {
                self.busy = Some("checking all memories".to_owned());
                return vec![Effect::VerifyAll];
            }
            (View::Inbox, Key::Char('a')) => return self.accept(),
            (View::Inbox, Key::Char('x' | 'd') | Key::Delete) => return self.ask_rejection(),
            (View::Conflicts, Key::Char('m')) => return self.ask_resolving(true),
            (View::Conflicts, Key::Char('t')) => return self.ask_resolving(false),
            (View::History, Key::Char('R')) => return self.ask_restoring(),
            _ => {}
        }
        Vec::new()
    }

    /// Keys that move, in lists and in the pane; `None` for others.
    fn move_key(&mut self, key: Key) -> Option<Vec<Effect>> {
        let layout = Layout::of(self.size, self.is_reading);
        let page = usize::from(layout.pane.height).saturating_sub(1).max(1);
        let by_lines = match key {
            Key::Char('J') | Key::Ctrl('e') => Some(1),
            Key::Char('K') | Key::Ctrl('y') => Some(-1),
            Key::Ctrl('d') => Some(half(page)),
            Key::Ctrl('u') => Some(-half(page)),
            _ => None,
        };
        if let Some(lines) = by_lines {
            self.scroll = self.scroll.saturating_add_signed(lines);
            return Some(Vec::new());
        }
        if self.is_reading {
            let scroll = match key {
                Key::Down | Key::Char('j') => self.scroll + 1,
                Key::Up | Key::Char('k') => self.scroll.saturating_sub(1),
                Key::PageDown | Key::Char(' ' | 'f') | Key::Ctrl('f') => self.scroll + page,
                Key::PageUp | Key::Char('b') | Key::Ctrl('b') => self.scroll.saturating_sub(page),
                Key::Home | Key::Char('g') => 0,
                Key::End | Key::Char('G') => usize::MAX,
                Key::Char('n') => return Some(self.select(self.cursor().selected + 1)),
                Key::Char('p') => {
                    return Some(self.select(self.cursor().selected.saturating_sub(1)));
                }
                _ => return None,
            };
            self.scroll = scroll;
            return Some(Vec::new());
        }
        self.row_key(key).map(|row| self.select(row))
    }

    /// The row of the list that a key moves to.
    fn row_key(&self, key: Key) -> Option<usize> {
        let selected = self.cursor().selected;
        let page = usize::from(Layout::of(self.size, false).list.height).max(1);
        Some(match key {
            Key::Down | Key::Char('j') | Key::Ctrl('n') => selected + 1,
            Key::Up | Key::Char('k') | Key::Ctrl('p') => selected.saturating_sub(1),
            Key::PageDown | Key::Char(' ' | 'f') | Key::Ctrl('f') => selected + page,
            Key::PageUp | Key::Char('b') | Key::Ctrl('b') => selected.saturating_sub(page),
            Key::Home | Key::Char('g') => 0,
            Key::End | Key::Char('G') => usize::MAX,
            _ => return None,
        })
    }

    /// One step back: from the pane, from a view, from a filter. Without any of these it ends a choice.
    fn go_back(&mut self) -> Vec<Effect> {
        if self.is_reading {
            (self.is_reading, self.scroll) = (false, 0);
            return Vec::new();
        }
        if self.view != View::Memories {
            return self.show(View::Memories);
        }
        if !self.query.is_empty() {
            return self.clear_query();
        }
        match self.is_picking {
            true => self.finish(false),
            false => Vec::new(),
        }
    }

    /// Keys while the filter is typed.
    fn type_key(&mut self, key: Key) -> Vec<Effect> {
        let mut query = self.query.clone();
        match key {
            Key::Char(c) => query.push(c),
            Key::Backspace | Key::Ctrl('h') => drop(query.pop()),
            Key::Ctrl('u') => query.clear(),
            Key::Ctrl('w') => {
                let kept = query.trim_end().rfind(' ').map_or(0, |at| at + 1);
                query.truncate(kept);
            }
            Key::Enter if self.is_picking => return self.finish(true),
            Key::Enter => {
                self.is_typing = false;
                return Vec::new();
            }
            Key::Esc if self.is_picking => return self.finish(false),
            Key::Esc => {
                self.is_typing = false;
                return self.clear_query();
            }
            Key::Tab => return self.toggle_ranking(),
            Key::Ctrl('d' | 'e' | 'y') => return self.move_key(key).unwrap_or_default(),
            Key::Home | Key::End | Key::Ctrl('f' | 'b') => return Vec::new(),
            key => {
                return self
                    .row_key(key)
                    .map_or_else(Vec::new, |row| self.select(row));
            }
        }
        self.set_query(query)
    }

    /// Takes a pasted text into the filter or the text of a question; elsewhere it would be taken for keys.
    pub(super) fn paste(&mut self, text: &str) -> Vec<Effect> {
        let text = clean_line(text.trim());
        match &mut self.dialog {
            Some(Dialog::Question {
                typed: Some(typed), ..
            }) => typed.text.push_str(&text),
            Some(_) => {}
            None if self.is_typing => return self.set_query(format!("{}{text}", self.query)),
            None => {}
        }
        Vec::new()
    }

    /// Filters by other words.
    fn set_query(&mut self, query: String) -> Vec<Effect> {
        self.query = query;
        let mut effects = self.refilter(None);
        if self.is_ranking && !self.query.trim().is_empty() {
            effects.push(Effect::Rank(self.query.clone()));
        }
        effects
    }

    /// Ends the filter, and recall's ranking with it.
    fn clear_query(&mut self) -> Vec<Effect> {
        self.is_ranking = false;
        self.set_query(String::new())
    }

    /// From the filter to recall's ranking, and back.
    fn toggle_ranking(&mut self) -> Vec<Effect> {
        self.is_ranking = !self.is_ranking;
        if self.is_ranking && self.query.trim().is_empty() {
            self.is_typing = true;
        }
        self.set_query(self.query.clone())
    }

    /// Checks the citations of the selected memory again.
    fn verify_again(&mut self) -> Vec<Effect> {
        let label = self.selected_memory().map(|memory| memory.label.clone());
        if let Some(label) = &label {
            self.reports.remove(label);
        }
        label.map(Effect::Verify).into_iter().collect()
    }

    /// Keys while something stands over the views.
    fn answer(&mut self, key: Key) -> Vec<Effect> {
        let Some(Dialog::Question { typed, .. }) = &mut self.dialog else {
            self.dialog = None;
            return Vec::new();
        };
        let typed = typed.as_mut().map(|typed| &mut typed.text);
        let is_yes = match (typed, key) {
            (_, Key::Esc) => false,
            (Some(_), Key::Enter) | (None, Key::Char('y' | 'Y')) => true,
            (None, Key::Char('n' | 'N' | 'q')) => false,
            (Some(text), Key::Char(c)) => {
                text.push(c);
                return Vec::new();
            }
            (Some(text), Key::Backspace | Key::Ctrl('h')) => {
                text.pop();
                return Vec::new();
            }
            (Some(text), Key::Ctrl('u')) => {
                text.clear();
                return Vec::new();
            }
            _ => return Vec::new(),
        };
        let Some(Dialog::Question {
            mut action, typed, ..
        }) = self.dialog.take().filter(|_| is_yes)
        else {
            self.notice = Some("nothing was changed".to_owned());
            return Vec::new();
        };
        if let Some(typed) = typed {
            let text = typed.text.trim().to_owned();
            match (typed.role, text.is_empty()) {
                (TextRole::Reason, true) => {}
                // Before the `--` that the name stands behind.
                (TextRole::Reason, false) => {
                    let reason = ["--reason".to_owned(), text];
                    action.arguments.splice(1..1, reason);
                }
                (TextRole::Title, true) => {
                    self.notice = Some("nothing was changed: a title is not empty".to_owned());
                    return Vec::new();
                }
                (TextRole::Title, false) => {
                    action.done = format!("{} to `{}`", action.done, clean_line(&text));
                    action.arguments.push(text);
                }
            }
        }
        self.run(action)
    }
}

/// Half a page, at least a line.
fn half(page: usize) -> isize {
    isize::try_from(page / 2).unwrap_or(isize::MAX).max(1)
}
