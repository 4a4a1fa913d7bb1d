//! `mem console`: memories in the web browser, served to the browser of the person who started it.
//!
//! ```text
//!   request -> access (Host, cookie, Origin, CSRF) -> pages::answer -> `mem --json ..` -> HTML
//! ```
//!
//! Every page is whole HTML from here; scripts make it livelier and are needed for nothing. A page changes memories by a
//! form alone, and a form runs one command of `mem`.
//!
//! **Cost:** a process or three of `mem` a page. Tests: `console` in `tests/`, with a real browser.

mod access;
mod activity;
mod assets;
mod diff;
mod layout;
mod markdown;
mod pages;
mod plot;
mod request;
mod server;
pub mod stores;
mod texts;

use crate::answers;

pub use server::{ConsoleError, ConsoleOptions, serve};
