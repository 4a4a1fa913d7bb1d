//! What reads transcripts and talks to a model.
//!
//! - [`transcript`]: what was said and done in a session, as a stream. [`tokens`]: what it costs.
//! - [`session`]: the notes that keep its thread.
//! - [`extract`]: the memories that a session suggests. [`extraction`]: those of one session, written into memory.
//! - [`dream`]: a plan that turns logs and notes into memories. [`distillation`]: one run of it over a memory, also at
//!   night. [`access`]: the memory that both write. [`dates`]: what "tomorrow" meant in either.
//! - [`tool`]: the memory tool of the Messages API.
//! - [`model`]: any program, the prompt on its standard input, the answer on its standard output; or one behind the
//!   Messages API. Everything that asks one also works without, and falls back to that whenever an answer is late,
//!   empty or unfit. [`select`]: memories chosen by one. [`template`]: what it is asked.
//! - [`memory_prompt`]: what a model reads about memory.
//! - `orders`: texts that pose as something else than a memory.
//! - [`wrote`]: whether the agent wrote memory itself. [`memory_use`]: whether its model used what it was given.
//!   [`injection`]: what hooks gave it. [`use_figures`]: what became of that, in numbers; [`cost`]: in tokens.
//!   [`space_sharing`]: room, shared out fairly.

pub mod access;
pub mod cost;
pub mod dates;
pub mod distillation;
pub mod dream;
pub mod extract;
pub mod extraction;
pub mod injection;
pub mod memory_prompt;
pub mod memory_use;
pub mod model;
mod orders;
pub mod select;
pub mod session;
pub mod space_sharing;
pub mod template;
mod title;
pub mod tokens;
pub mod tool;
pub mod transcript;
pub mod use_figures;
pub mod wrote;
