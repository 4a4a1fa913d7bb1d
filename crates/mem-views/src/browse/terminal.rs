//! The terminal: taken for the browser, and given back however the browser ends.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{panic, thread};

use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::cursor::Show;
use ratatui_crossterm::crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event as TerminalEvent, KeyCode,
    KeyEventKind, KeyModifiers,
};
use ratatui_crossterm::crossterm::execute;
use ratatui_crossterm::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::draw::{Theme, draw};
use super::state::{Event, Key, State};

/// The stream that is the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error: standard output is for the file that is chosen.
    Stderr,
}

impl Stream {
    fn writer(self) -> Box<dyn Write> {
        match self {
            Self::Stdout => Box::new(io::stdout()),
            Self::Stderr => Box::new(io::stderr()),
        }
    }
}

type Backend = CrosstermBackend<BufWriter<Box<dyn Write>>>;

/// The terminal in raw mode, on its alternate screen.
pub(crate) struct Screen {
    terminal: Terminal<Backend>,
    stream: Stream,
    theme: Theme,
    is_taken: Arc<AtomicBool>,
    signals: Signals,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    ///
    /// When it cannot be put into raw mode, or not be written to.
    pub(crate) fn open(stream: Stream, theme: Theme) -> io::Result<Self> {
        let is_taken = Arc::new(AtomicBool::new(false));
        let signals = Signals::watch()?;
        exit_on_hangup(stream, Arc::clone(&is_taken))?;
        restore_on_panic(stream, Arc::clone(&is_taken));
        take(stream, &is_taken)?;
        match fresh_terminal(stream) {
            Ok(terminal) => Ok(Self {
                terminal,
                stream,
                theme,
                is_taken,
                signals,
            }),
            Err(error) => {
                restore(stream, &is_taken);
                Err(error)
            }
        }
    }

    /// Columns and rows.
    ///
    /// # Errors
    ///
    /// When the terminal does not say.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Draws what differs from the last time.
    ///
    /// # Errors
    ///
    /// When the terminal cannot be written to.
    pub(crate) fn draw(&mut self, state: &State) -> io::Result<()> {
        let theme = self.theme;
        self.terminal.draw(|frame| {
            let typing = draw(state, theme, frame.buffer_mut());
            if let Some(position) = typing {
                frame.set_cursor_position(position);
            }
        })?;
        Ok(())
    }

    /// Waits for an event of the terminal. `None` where the time is over, or for an event that means nothing here.
    ///
    /// # Errors
    ///
    /// When the terminal is gone.
    pub(crate) fn next_event(&self, wait: Duration) -> io::Result<Option<Event>> {
        match event::poll(wait)? {
            true => Ok(translate(event::read()?)),
            false => Ok(None),
        }
    }

    /// Whether a signal asked the program to end.
    pub(crate) fn is_ended(&self) -> bool {
        self.signals.ended.load(Ordering::SeqCst) || self.signals.interrupted.load(Ordering::SeqCst)
    }

    /// Gives the terminal back while `run` runs, and takes it again.
    ///
    /// # Errors
    ///
    /// When the terminal cannot be taken again.
    pub(crate) fn lend<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        restore(self.stream, &self.is_taken);
        let answer = run();
        // An editor's Ctrl-C was not for the browser.
        self.signals.interrupted.store(false, Ordering::SeqCst);
        take(self.stream, &self.is_taken)?;
        self.terminal = fresh_terminal(self.stream)?;
        Ok(answer)
    }

    /// Stops the program until its shell continues it.
    ///
    /// # Errors
    ///
    /// When the terminal cannot be taken again.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        self.lend(stop_process)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore(self.stream, &self.is_taken);
    }
}

#[cfg(unix)]
fn stop_process() {
    use rustix::process::{Signal, getpid, kill_process};
    // A shell without job control leaves the program running.
    let _ = kill_process(getpid(), Signal::TSTP);
}

#[cfg(not(unix))]
const fn stop_process() {}

/// An empty screen. `Terminal::clear` would ask the terminal where its cursor is: a round trip before the first frame,
/// and an error where nobody answers.
fn fresh_terminal(stream: Stream) -> io::Result<Terminal<Backend>> {
    execute!(stream.writer(), Clear(ClearType::All))?;
    Terminal::new(CrosstermBackend::new(BufWriter::new(stream.writer())))
}

/// Raw mode and the alternate screen.
fn take(stream: Stream, is_taken: &AtomicBool) -> io::Result<()> {
    enable_raw_mode()?;
    is_taken.store(true, Ordering::SeqCst);
    execute!(stream.writer(), EnterAlternateScreen, EnableBracketedPaste)
}

/// The terminal as it was. Does nothing where it was given back already.
fn restore(stream: Stream, is_taken: &AtomicBool) {
    if is_taken.swap(false, Ordering::SeqCst) {
        // There is nobody left to tell that this failed.
        let _ = execute!(
            stream.writer(),
            DisableBracketedPaste,
            LeaveAlternateScreen,
            Show
        );
        let _ = disable_raw_mode();
    }
}

/// Gives the terminal back before a panic is reported, which the alternate screen would swallow. A panic on another
/// thread ends a job only, and is not reported onto the screen.
fn restore_on_panic(stream: Stream, is_taken: Arc<AtomicBool>) {
    let (report, drawing) = (panic::take_hook(), thread::current().id());
    panic::set_hook(Box::new(move |info| {
        let is_open = is_taken.load(Ordering::SeqCst);
        if is_open && thread::current().id() != drawing {
            return;
        }
        restore(stream, &is_taken);
        report(info);
    }));
}

/// Ends the program when its terminal is gone. crossterm reads a terminal without an end again and again and never comes
/// back (0.29, `source/unix/mio.rs`), so that no flag would be looked at; a thread ends the process in its place.
#[cfg(unix)]
#[expect(
    clippy::exit,
    reason = "the thread that draws hangs in a read, and there is nobody to tell"
)]
fn exit_on_hangup(stream: Stream, is_taken: Arc<AtomicBool>) -> io::Result<()> {
    use signal_hook::consts::SIGHUP;
    use signal_hook::iterator::Signals as SignalIterator;
    /// What a shell says of a program that a hang-up ended.
    const EXIT_CODE: i32 = 128 + SIGHUP;
    let mut hangups = SignalIterator::new([SIGHUP])?;
    thread::Builder::new()
        .name("hangup".to_owned())
        .spawn(move || {
            if hangups.forever().next().is_some() {
                restore(stream, &is_taken);
                std::process::exit(EXIT_CODE);
            }
        })?;
    Ok(())
}

#[cfg(not(unix))]
fn exit_on_hangup(_: Stream, _: Arc<AtomicBool>) -> io::Result<()> {
    Ok(())
}

/// Signals that end the browser in order.
#[cfg_attr(not(unix), derive(Default))]
struct Signals {
    ended: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
    #[cfg(unix)]
    handlers: Vec<signal_hook::SigId>,
}

impl Signals {
    #[cfg(unix)]
    fn watch() -> io::Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::flag::register;
        let (ended, interrupted) = (Arc::default(), Arc::default());
        let handlers = vec![
            register(SIGTERM, Arc::clone(&ended))?,
            register(SIGINT, Arc::clone(&interrupted))?,
        ];
        Ok(Self {
            ended,
            interrupted,
            handlers,
        })
    }

    #[cfg(not(unix))]
    fn watch() -> io::Result<Self> {
        Ok(Self::default())
    }
}

#[cfg(unix)]
impl Drop for Signals {
    fn drop(&mut self) {
        for handler in self.handlers.drain(..) {
            signal_hook::low_level::unregister(handler);
        }
    }
}

/// An event of the terminal as the browser knows it.
fn translate(event: TerminalEvent) -> Option<Event> {
    let key = match event {
        TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => key,
        TerminalEvent::Paste(text) => return Some(Event::Pasted(text)),
        TerminalEvent::Resize(columns, rows) => return Some(Event::Resized(columns, rows)),
        _ => return None,
    };
    let key = match key.code {
        KeyCode::Char(c) if key.modifiers.contains(KeyModifiers::CONTROL) => {
            Key::Ctrl(c.to_ascii_lowercase())
        }
        KeyCode::Char(_) if key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        _ => return None,
    };
    Some(Event::Key(key))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_is_reported() {
        let is_taken = Arc::new(AtomicBool::new(true));
        let reported = Arc::new(Mutex::new(Vec::new()));
        let before = panic::take_hook();
        let (taken, reports) = (Arc::clone(&is_taken), Arc::clone(&reported));
        panic::set_hook(Box::new(move |_| {
            reports.lock().unwrap().push(taken.load(Ordering::SeqCst));
        }));
        restore_on_panic(Stream::Stderr, Arc::clone(&is_taken));
        let of_a_job = thread::spawn(|| panic!("of a job")).join();
        let is_left_alone = is_taken.load(Ordering::SeqCst);
        let of_the_browser = panic::catch_unwind(|| panic!("of the browser"));
        panic::set_hook(before);
        assert!(of_a_job.is_err() && of_the_browser.is_err());
        assert!(is_left_alone, "a job that ends takes nothing away");
        let reported = reported.lock().unwrap();
        assert_eq!(*reported, [false], "one report, to a terminal as it was");
    }
}
