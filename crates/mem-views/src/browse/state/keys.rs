//! Keys: which does what, by what is shown.

use super::super::layout::Layout;
use super::super::text::clean_line;
use super::{Dialog, Effect, Key, State, TextRole, View};

impl State {
    /// Takes a key.
    pub(super) fn press(&mut self, key: Key) {
        match (key, self.dialog.is_some()) {
            (Key::Ctrl('c'), _) => return self.finish(false),
            (Key::Ctrl('z'), _) => return self.effects.push(Effect::Suspend),
            (_, true) => return self.answer(key),
            (_, false) => self.notice = None,
        }
        if self.is_typing && self.view == View::Memories && !self.is_reading {
            return self.type_key(key);
        }
        if self.move_key(key) {
            return;
        }
        match key {
            Key::Char('?') => self.dialog = Some(Dialog::Help),
            Key::Char('q') if self.is_at_start() => self.finish(false),
            Key::Esc | Key::Left | Key::Char('q') => self.go_back(),
            Key::Char('r') | Key::Ctrl('r') => {
                self.notice = Some("reading again".to_owned());
                self.read_again();
            }
            Key::Char('e') => self.run_in_terminal(self.editing()),
            Key::Char('u') => self.plan_undo(),
            key => self.view_key(key),
        }
    }

    /// Whether nothing is open but the list of memories.
    fn is_at_start(&self) -> bool {
        self.view == View::Memories && !self.is_reading
    }

    /// Keys of one view.
    fn view_key(&mut self, key: Key) {
        match (self.view, key) {
            (View::Memories, Key::Enter) if self.is_picking => self.finish(true),
            (_, Key::Enter | Key::Right | Key::Char('l')) => {
                self.is_reading = !self.is_reading && self.row_count() > 0;
                self.scroll = 0;
            }
            (View::Memories, Key::Char('/')) => (self.is_reading, self.is_typing) = (false, true),
            (View::Memories, Key::Tab) => self.toggle_ranking(),
            (View::Memories, Key::Char('o')) => self.reorder(),
            (View::Memories, Key::Char('d') | Key::Delete) => self.dialog = self.removal(),
            (View::Memories, Key::Char('s')) if !self.waiting.has_team => {
                self.notice = Some("no team is set up: `mem team setup` does".to_owned());
            }
            (View::Memories, Key::Char('s')) => self.dialog = self.sharing(),
            (View::Memories, Key::Char('p')) => self.run(self.pinning()),
            (View::Memories, Key::Char('h')) => self.open_history(),
            (View::Memories, Key::Char('n')) => self.run_in_terminal(Some(Self::writing())),
            (View::Memories, Key::Char('R')) => self.dialog = self.renaming(),
            (View::Memories, Key::Char('i')) => self.show_waiting(View::Inbox),
            (View::Memories, Key::Char('c')) => self.show_waiting(View::Conflicts),
            (View::Memories, Key::Char('v')) => self.verify_again(),
            (View::Memories, Key::Char('V')) if self.busy.is_none() => {
                self.busy = Some("checking all memories".to_owned());
                self.effects.push(Effect::VerifyAll);
            }
            (View::Inbox, Key::Char('a')) => self.run(self.acceptance()),
            (View::Inbox, Key::Char('x' | 'd') | Key::Delete) => self.dialog = self.rejection(),
            (View::Conflicts, Key::Char('m')) => self.dialog = self.resolution(true),
            (View::Conflicts, Key::Char('t')) => self.dialog = self.resolution(false),
            (View::History, Key::Char('R')) => self.dialog = self.restoring(),
            _ => {}
        }
    }

    /// Keys that move, in lists and in the pane; `false` for others.
    fn move_key(&mut self, key: Key) -> bool {
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
            return true;
        }
        if let Some(row) = self.row_key(key) {
            self.select(row);
            return true;
        }
        if self.is_reading {
            self.scroll = match key {
                Key::Down | Key::Char('j') => self.scroll + 1,
                Key::Up | Key::Char('k') => self.scroll.saturating_sub(1),
                Key::PageDown | Key::Char(' ' | 'f') | Key::Ctrl('f') => self.scroll + page,
                Key::PageUp | Key::Char('b') | Key::Ctrl('b') => self.scroll.saturating_sub(page),
                Key::Home | Key::Char('g') => 0,
                Key::End | Key::Char('G') => usize::MAX,
                _ => return false,
            };
        }
        self.is_reading
    }

    /// The row of the list that a key moves to.
    fn row_key(&self, key: Key) -> Option<usize> {
        let selected = self.cursor().selected;
        let page = usize::from(Layout::of(self.size, false).list.height).max(1);
        Some(match key {
            Key::Char('n') if self.is_reading => selected + 1,
            Key::Char('p') if self.is_reading => selected.saturating_sub(1),
            _ if self.is_reading => return None,
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
    fn go_back(&mut self) {
        if self.is_reading {
            (self.is_reading, self.scroll) = (false, 0);
        } else if self.view != View::Memories {
            self.show(View::Memories);
        } else if !self.query.is_empty() {
            self.clear_query();
        } else if self.is_picking {
            self.finish(false);
        }
    }

    /// Keys while the filter is typed.
    fn type_key(&mut self, key: Key) {
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
                return;
            }
            Key::Esc if self.is_picking => return self.finish(false),
            Key::Esc => {
                self.is_typing = false;
                return self.clear_query();
            }
            Key::Tab => return self.toggle_ranking(),
            Key::Home | Key::End | Key::Ctrl('f' | 'b') => return,
            key => {
                self.move_key(key);
                return;
            }
        }
        self.set_query(query);
    }

    /// Takes a pasted text into the filter or the text of a question; elsewhere it would be taken for keys.
    pub(super) fn paste(&mut self, text: &str) {
        let text = clean_line(text.trim());
        match &mut self.dialog {
            Some(Dialog::Question {
                typed: Some((_, typed)),
                ..
            }) => typed.push_str(&text),
            None if self.is_typing => self.set_query(format!("{}{text}", self.query)),
            _ => {}
        }
    }

    /// Filters by other words.
    fn set_query(&mut self, query: String) {
        self.query = query;
        self.refilter(None);
        if self.is_ranking && !self.query.trim().is_empty() {
            self.effects.push(Effect::Rank(self.query.clone()));
        }
    }

    /// Ends the filter, and recall's ranking with it.
    fn clear_query(&mut self) {
        self.is_ranking = false;
        self.set_query(String::new());
    }

    /// From the filter to recall's ranking, and back.
    fn toggle_ranking(&mut self) {
        self.is_ranking = !self.is_ranking;
        if self.is_ranking && self.query.trim().is_empty() {
            self.is_typing = true;
        }
        self.set_query(self.query.clone());
    }

    /// Checks the citations of the selected memory again.
    fn verify_again(&mut self) {
        let label = self.selected_memory().map(|memory| memory.label.clone());
        if let Some(label) = label {
            self.reports.remove(&label);
            self.effects.push(Effect::Verify(label));
        }
    }

    /// Keys while something stands over the views.
    fn answer(&mut self, key: Key) {
        let Some(Dialog::Question { typed, .. }) = &mut self.dialog else {
            self.dialog = None;
            return;
        };
        let is_yes = match (typed, key) {
            (_, Key::Esc) => false,
            (Some(_), Key::Enter) | (None, Key::Char('y' | 'Y')) => true,
            (None, Key::Char('n' | 'N' | 'q')) => false,
            (Some((_, text)), Key::Char(c)) => return text.push(c),
            (Some((_, text)), Key::Backspace | Key::Ctrl('h')) => {
                text.pop();
                return;
            }
            (Some((_, text)), Key::Ctrl('u')) => return text.clear(),
            _ => return,
        };
        let Some(Dialog::Question {
            mut action, typed, ..
        }) = self.dialog.take().filter(|_| is_yes)
        else {
            self.notice = Some("nothing was changed".to_owned());
            return;
        };
        if let Some((role, text)) = typed {
            let text = text.trim().to_owned();
            match (role, text.is_empty()) {
                (TextRole::Reason, true) => {}
                // Before the `--` that the name stands behind.
                (TextRole::Reason, false) => {
                    let reason = ["--reason".to_owned(), text];
                    action.arguments.splice(1..1, reason);
                }
                (TextRole::Title, true) => {
                    self.notice = Some("nothing was changed: a title is not empty".to_owned());
                    return;
                }
                (TextRole::Title, false) => {
                    action.done = format!("{} to `{}`", action.done, clean_line(&text));
                    action.arguments.push(text);
                }
            }
        }
        self.run(Some(action));
    }
}

/// Half a page, at least a line.
fn half(page: usize) -> isize {
    isize::try_from(page / 2).unwrap_or(isize::MAX).max(1)
}
