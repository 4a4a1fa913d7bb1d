//! Two views of memories for a person: `mem browse` in the terminal, `mem console` in the web browser.
//!
//! A view reads no memory and changes none by itself. It runs `mem` and shows what it answers, so that it can do nothing
//! that the command line refuses, and every change has its lock, its gate and its undo in one place:
//!
//! ```text
//!   key or request -> arguments of a command -> Program::run -> `mem --json -C DIR ...` -> data, or an error with its hint
//! ```

#[cfg(any(feature = "browse", feature = "console"))]
mod answers;
#[cfg(feature = "browse")]
pub mod browse;
#[cfg(any(feature = "browse", feature = "console"))]
mod common_lines;
#[cfg(feature = "console")]
pub mod console;
pub mod program;
