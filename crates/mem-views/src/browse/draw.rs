//! Drawing: a state in, cells out.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::text::{Line as CellLine, Span};

use super::data::{Memory, age_text};
use super::filter::Query;
use super::layout::Layout;
use super::page::{help_lines, pane_lines, verdict_tone};
use super::state::{Dialog, State, View};
use super::text::{Line, Tone, clean_line, cut, push_text, width, wrap};
use crate::answers::Change;

/// Fewer columns or rows show nothing that can be used.
const SIZE_MIN: (u16, u16) = (20, 5);
/// Columns from which on the list says the verdict, the scope and the type.
const VERDICT_COLUMNS: u16 = 40;
const SCOPE_COLUMNS: u16 = 60;
const KIND_COLUMNS: u16 = 70;

/// How tones look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    /// Whether colours may be used. Without them weight and underlines are left.
    pub has_colour: bool,
}

impl Theme {
    fn style(self, tone: Tone) -> Style {
        let colour = |colour| {
            if self.has_colour {
                Style::new().fg(colour)
            } else {
                Style::new()
            }
        };
        match tone {
            Tone::Plain => Style::new(),
            Tone::Faint => Style::new().add_modifier(Modifier::DIM),
            Tone::Strong => Style::new().add_modifier(Modifier::BOLD),
            Tone::Heading => colour(Color::Cyan).add_modifier(Modifier::BOLD),
            Tone::Code => colour(Color::Yellow),
            Tone::Good => colour(Color::Green),
            Tone::Warning => colour(Color::Yellow),
            Tone::Bad => colour(Color::Red).add_modifier(Modifier::BOLD),
            Tone::Match => colour(Color::Green).add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
        }
    }
}

/// Where the cursor of a text that is typed stands.
pub(crate) type TypingPosition = Option<(u16, u16)>;

/// A screen being drawn.
struct Canvas<'b> {
    buffer: &'b mut Buffer,
    theme: Theme,
}

impl Canvas<'_> {
    /// Draws a line, cut to `cells`.
    fn line(&mut self, x: u16, y: u16, line: &Line, cells: u16) {
        let area = self.buffer.area;
        if y >= area.bottom() || x >= area.right() {
            return;
        }
        let theme = self.theme;
        let span = |(tone, text): &(Tone, String)| Span::styled(text.clone(), theme.style(*tone));
        let line: CellLine<'_> = line.0.iter().map(span).collect::<Vec<_>>().into();
        self.buffer
            .set_line(x, y, &line, cells.min(area.right() - x));
    }

    /// Draws a text of one tone.
    fn text(&mut self, x: u16, y: u16, tone: Tone, text: impl Into<String>, cells: u16) {
        self.line(x, y, &Line::of(tone, text), cells);
    }

    /// Clears an area.
    fn clear(&mut self, area: Rect) {
        for position in area.positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.reset();
            }
        }
    }
}

/// Draws everything into an empty buffer of the state's size.
pub(crate) fn draw(state: &State, theme: Theme, buffer: &mut Buffer) -> TypingPosition {
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let mut canvas = Canvas { buffer, theme };
    if columns < SIZE_MIN.0 || rows < SIZE_MIN.1 {
        let text = format!("needs {}x{}", SIZE_MIN.0, SIZE_MIN.1);
        canvas.text(0, 0, Tone::Plain, text, columns);
        return None;
    }
    let Layout { list, rule, pane } = Layout::of((columns, rows), state.is_reading);
    let typing = draw_head(state, &mut canvas, columns);
    draw_list(state, &mut canvas, list);
    draw_rule(&mut canvas, rule);
    let lines = pane_lines(state, pane.width.into());
    for (y, line) in (pane.top()..pane.bottom()).zip(lines.iter().skip(state.scroll)) {
        canvas.line(pane.x, y, line, pane.width);
    }
    let shown = state.scroll + usize::from(pane.height);
    let left = lines.len().saturating_sub(shown);
    draw_foot(state, &mut canvas, columns, rows - 1, left);
    match &state.dialog {
        Some(dialog) => draw_dialog(dialog, state.waiting.has_team, &mut canvas),
        None => typing,
    }
}

/// The head line: what is listed, the filter, how many.
fn draw_head(state: &State, canvas: &mut Canvas<'_>, columns: u16) -> TypingPosition {
    let (title, count) = match state.view {
        View::Memories => (memories_title(state), memories_count(state)),
        View::Inbox => {
            let count = format!("{} waiting", state.row_count());
            ("inbox".to_owned(), count)
        }
        View::Conflicts => {
            let count = format!("{} to resolve", state.row_count());
            ("conflicts".to_owned(), count)
        }
        View::History => {
            let label = state.history.as_ref().map_or("", |history| &*history.label);
            let count = match state.row_count() {
                1 => "1 version".to_owned(),
                count => format!("{count} versions"),
            };
            (format!("history of {}", clean_line(label)), count)
        }
    };
    let count_cells = u16::try_from(width(&count)).unwrap_or(columns).min(columns);
    let room = usize::from(columns.saturating_sub(count_cells + 2));
    // The end of a long filter is what is being typed.
    let is_filter = state.view == View::Memories && (state.is_typing || !state.query.is_empty());
    let shown = if is_filter {
        end_of(&title, room).to_owned()
    } else {
        cut(&title, room)
    };
    let tone = if is_filter {
        Tone::Plain
    } else {
        Tone::Heading
    };
    canvas.text(0, 0, tone, shown.as_str(), columns);
    canvas.text(columns - count_cells, 0, Tone::Faint, count, count_cells);
    let end = u16::try_from(width(&shown)).unwrap_or(0);
    (state.is_typing && is_filter && !state.is_reading).then_some((end, 0))
}

/// The end of a text that is typed, as far as there is room.
fn end_of(mut text: &str, cells: usize) -> &str {
    while width(text) > cells {
        let mut rest = text.chars();
        rest.next();
        text = rest.as_str();
    }
    text
}

fn memories_title(state: &State) -> String {
    match (state.is_typing || !state.query.is_empty(), state.is_ranking) {
        (true, true) => format!("ranked for: {}", state.query),
        (true, false) => format!("filter: {}", state.query),
        (false, _) if state.is_picking => "choose a memory".to_owned(),
        (false, _) => "memories".to_owned(),
    }
}

fn memories_count(state: &State) -> String {
    let mut parts = Vec::new();
    if !state.waiting.inbox.is_empty() {
        parts.push(format!("inbox {}", state.waiting.inbox.len()));
    }
    if !state.waiting.conflicts.is_empty() {
        parts.push(format!("conflicts {}", state.waiting.conflicts.len()));
    }
    let (shown, all) = (state.shown.len(), state.memories.len());
    parts.push(match (state.is_loaded, shown == all) {
        (false, _) => "reading memories".to_owned(),
        (true, true) => format!("{all}"),
        (true, false) => format!("{shown} of {all}"),
    });
    parts.join("  ")
}

/// The rows that are in sight; the selected one reversed, with `>` before it.
fn draw_list(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    if area.is_empty() {
        return;
    }
    let cursor = state.cursor();
    let count = state.row_count();
    if count == 0 {
        let text = empty_text(state);
        for (y, line) in (area.y..area.bottom()).zip(wrap(&text, usize::from(area.width), 0)) {
            canvas.line(area.x, y, &line, area.width);
        }
    }
    let mut marker = Query::new(if state.is_ranked() { "" } else { &state.query });
    for (y, row) in (area.y..area.bottom()).zip(cursor.top..count) {
        let is_selected = row == cursor.selected;
        let line = row_line(state, row, area.width, &mut marker);
        let start = Line::of(Tone::Plain, if is_selected { "> " } else { "  " });
        let line = Line([start.0, line.0].concat());
        canvas.line(area.x, y, &line, area.width);
        if is_selected {
            let style = Style::new().add_modifier(Modifier::REVERSED);
            let row = Rect::new(area.x, y, area.width, 1);
            canvas.buffer.set_style(row, style);
        }
    }
}

fn empty_text(state: &State) -> Line {
    let text = match state.view {
        View::Memories if !state.is_loaded => "reading memories",
        View::Memories if state.memories.is_empty() => "no memories yet: `mem save` makes one",
        View::Memories if state.is_ranking => {
            "recall finds no memory for this; Tab goes back to the filter, Esc clears it"
        }
        View::Memories => "no memory fits; Tab ranks by meaning, Esc clears the filter",
        View::Inbox if !state.is_waiting_read => "reading the inbox",
        View::Inbox => "nothing waits for you",
        View::Conflicts if !state.is_waiting_read => "reading the conflicts",
        View::Conflicts => "no conflict: nothing of yours was replaced",
        View::History => "reading the history",
    };
    Line::of(Tone::Faint, text)
}

/// One row of the list that is shown.
fn row_line(state: &State, row: usize, columns: u16, marker: &mut Query) -> Line {
    let age = |change: &Change| {
        let age = age_text(state.now, change.time());
        Line::of(Tone::Faint, format!("{age:>3}  "))
    };
    let line = match state.view {
        View::Memories => {
            let memory = state.memory_at(row);
            memory.map(|one| memory_row(one, state, columns, marker))
        }
        View::Inbox => state.waiting.inbox.get(row).map(|entry| {
            let change = &entry.change;
            age(change)
                .with(Tone::Plain, format!("{:<8}  ", clean_line(&change.verb)))
                .with(Tone::Plain, format!("{}  ", entry.files_text()))
                .with(Tone::Faint, change.author())
        }),
        View::Conflicts => state.waiting.conflicts.get(row).map(|conflict| {
            Line::of(Tone::Faint, format!("{:<6}", conflict.command))
                .with(Tone::Plain, clean_line(&conflict.file))
        }),
        View::History => state.versions().get(row).map(|version| {
            let change = &version.change;
            let reason = change.reason.as_deref().map(clean_line).unwrap_or_default();
            age(change)
                .with(
                    Tone::Plain,
                    format!("{:<9} ", clean_line(&version.operation)),
                )
                .with(Tone::Plain, format!("{}  ", change.author()))
                .with(Tone::Faint, reason)
        }),
    };
    line.unwrap_or_default()
}

/// Type, scope, age, verdict, title and description, as far as there is room.
fn memory_row(memory: &Memory, state: &State, columns: u16, marker: &mut Query) -> Line {
    let mut line = Line::empty();
    if columns >= KIND_COLUMNS {
        line = line.with(Tone::Faint, format!("{:<10}", cut(&memory.kind, 9)));
    }
    if columns >= SCOPE_COLUMNS {
        line = line.with(Tone::Faint, format!("{:<8}", cut(&memory.scope, 7)));
    }
    let age = age_text(state.now, memory.modified);
    line = line.with(Tone::Faint, format!("{age:>3}  "));
    if columns >= VERDICT_COLUMNS {
        let verdict = memory.verdict.as_deref().unwrap_or("-");
        let shown = format!("{:<8}", cut(&clean_line(verdict), 7));
        line = line.with(verdict_tone(verdict), shown);
    }
    if state.has_conflict(memory) {
        line = line.with(Tone::Bad, "! ");
    }
    if memory.is_pinned {
        line = line.with(Tone::Strong, "* ");
    }
    let marks = marker.marks(&memory.title);
    for (at, c) in memory.title.chars().enumerate() {
        let tone = match marks.binary_search(&at) {
            Ok(_) => Tone::Match,
            Err(_) => Tone::Strong,
        };
        push_text(&mut line, tone, c.encode_utf8(&mut [0; 4]));
    }
    match memory.description.is_empty() || memory.description == memory.title {
        true => line,
        false => line.with(Tone::Faint, format!("  {}", memory.description)),
    }
}

fn draw_rule(canvas: &mut Canvas<'_>, area: Rect) {
    let symbol = if area.width > area.height {
        "─"
    } else {
        "│"
    };
    for position in area.positions() {
        canvas.text(position.x, position.y, Tone::Faint, symbol, 1);
    }
}

/// The foot line: what is going on, else the keys that matter most.
fn draw_foot(state: &State, canvas: &mut Canvas<'_>, columns: u16, y: u16, lines_left: usize) {
    let keys = match (state.view, state.is_typing, state.is_picking) {
        _ if state.is_reading => "Esc back  j k scroll  n p next, previous  e edit  ? keys",
        (View::Memories, _, true) if state.is_ranking => {
            "ranked by meaning: Tab back to the filter  Enter choose  Esc give up"
        }
        (View::Memories, _, true) => "Enter choose  Tab rank by meaning  Esc give up",
        (View::Memories, true, _) if state.is_ranking => {
            "ranked by meaning: Tab back to the filter  Enter keep  Esc clear"
        }
        (View::Memories, true, _) => "Enter keep filter  Esc clear  Tab rank by meaning",
        (View::Memories, ..) if state.is_ranking => {
            "ranked by meaning: Tab back to the filter  / words  Esc clear  ? keys"
        }
        (View::Memories, ..) if !state.query.is_empty() && state.row_count() == 0 => {
            "/ filter  Tab rank by meaning  Esc clear  ? keys  q quit"
        }
        (View::Memories, ..) => {
            "/ filter  Enter read  n new  e edit  d remove  u undo  i inbox  ? keys  q quit"
        }
        (View::Inbox, ..) => "a accept  x reject  e edit  Enter read  u undo  Esc back  ? keys",
        (View::Conflicts, ..) => "m mine  t theirs  e edit both  Enter read  Esc back  ? keys",
        (View::History, ..) => "Enter read  R write back  Esc back  ? keys",
    };
    let (tone, text) = match (&state.busy, &state.notice) {
        (Some(busy), _) => (Tone::Warning, &*format!("{busy} …")),
        (None, Some(notice)) => (Tone::Strong, &**notice),
        (None, None) => (Tone::Faint, keys),
    };
    let more = match lines_left {
        0 => String::new(),
        left => format!(" ↓{left}"),
    };
    let more_cells = u16::try_from(width(&more)).unwrap_or(0);
    let room = columns.saturating_sub(more_cells);
    canvas.text(0, y, tone, cut(text, room.into()), room);
    canvas.text(room, y, Tone::Faint, more, more_cells);
}

/// A box over the views.
fn draw_dialog(dialog: &Dialog, has_team: bool, canvas: &mut Canvas<'_>) -> TypingPosition {
    let (columns, rows) = (canvas.buffer.area.width, canvas.buffer.area.height);
    let cells = columns.saturating_sub(4).min(76);
    let inner = usize::from(cells.saturating_sub(4));
    let (mut lines, keys, typed) = match dialog {
        Dialog::Help => (help_lines(has_team), "any key closes", None),
        Dialog::Problem(problem) => {
            let mut lines = vec![Line::of(Tone::Bad, problem.message.clone())];
            if let Some(hint) = &problem.hint {
                lines.push(Line::of(Tone::Plain, format!("hint: {hint}")));
            }
            (lines, "any key closes", None)
        }
        Dialog::Question { lines, typed, .. } => {
            let keys = match typed {
                None => "y yes  n no",
                Some(_) => "Enter yes  Esc no",
            };
            (lines.clone(), keys, typed.as_ref())
        }
    };
    lines = lines.iter().flat_map(|line| wrap(line, inner, 0)).collect();
    let height = u16::try_from(lines.len()).unwrap_or(rows) + 3 + u16::from(typed.is_some());
    let height = height.min(rows);
    let area = Rect::new((columns - cells) / 2, (rows - height) / 2, cells, height);
    canvas.clear(area);
    draw_frame(canvas, area);
    let (x, width_max) = (area.x + 2, cells.saturating_sub(4));
    let last = area.bottom().saturating_sub(2);
    let reserved = 1 + u16::from(typed.is_some());
    for (y, line) in (area.y + 1..(last + 1).saturating_sub(reserved)).zip(&lines) {
        canvas.line(x, y, line, width_max);
    }
    canvas.text(x, last, Tone::Faint, keys, width_max);
    let (role, text) = typed?;
    let label = role.label();
    let room = inner.saturating_sub(width(label) + 1);
    let shown = end_of(text, room);
    let y = last.saturating_sub(1);
    let line = Line::of(Tone::Faint, label).with(Tone::Plain, shown);
    canvas.line(x, y, &line, width_max);
    let end = u16::try_from(width(label) + width(shown)).unwrap_or(0);
    Some((x + end.min(width_max), y))
}

fn draw_frame(canvas: &mut Canvas<'_>, area: Rect) {
    let inner = usize::from(area.width.saturating_sub(2));
    let across = "─".repeat(inner);
    let rows = [
        (area.y, format!("┌{across}┐")),
        (area.bottom() - 1, format!("└{across}┘")),
    ];
    for (y, text) in rows {
        canvas.text(area.x, y, Tone::Faint, text, area.width);
    }
    for y in area.y + 1..area.bottom() - 1 {
        for x in [area.x, area.right() - 1] {
            canvas.text(x, y, Tone::Faint, "│", 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::{loaded, memory};
    use super::super::state::{Event, Key};
    use super::*;

    fn screen(state: &State) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, state.size.0, state.size.1));
        draw(state, Theme { has_colour: false }, &mut buffer);
        let columns = usize::from(state.size.0).max(1);
        let rows = buffer.content().chunks(columns);
        let row = |cells: &[ratatui_core::buffer::Cell]| {
            cells
                .iter()
                .map(ratatui_core::buffer::Cell::symbol)
                .collect::<String>()
                .trim_end()
                .to_owned()
        };
        rows.map(row).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_size_is_drawn_with_every_dialog() {
        let memories = vec![memory(
            "a.md",
            "통과 rule",
            "long description",
            "# Text\n\n- one\n",
        )];
        let mut state = loaded(memories);
        for key in [Key::Esc, Key::Char('?'), Key::Char('d')] {
            state.update(Event::Key(Key::Esc));
            state.update(Event::Key(key));
            for columns in 0..130 {
                for rows in 0..30 {
                    state.update(Event::Resized(columns, rows));
                    screen(&state);
                }
            }
        }
    }

    #[test]
    fn without_colour_nothing_has_one_and_the_selected_row_is_marked() {
        let mut state = loaded(vec![
            memory("a.md", "One", "d", "x"),
            memory("b.md", "Two", "d", "y"),
        ]);
        state.update(Event::Key(Key::Down));
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        draw(&state, Theme { has_colour: false }, &mut buffer);
        let is_coloured =
            |cell: &&ratatui_core::buffer::Cell| cell.fg != Color::Reset || cell.bg != Color::Reset;
        assert_eq!(buffer.content().iter().find(is_coloured), None);
        assert!(
            screen(&state).contains("> project   private now  -       Two  d"),
            "{}",
            screen(&state)
        );
    }
}
