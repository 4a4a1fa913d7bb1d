//! The client side of HTTP, as every remote needs it: whoever asks a server of a team, of memory stores, of records
//! or a model holds to the same bounds.
//!
//! # Layout
//! - [`parse_address()`]: whom a client may be pointed at. [`credential_header`]: what it shows of itself.
//!   [`client_builder`]: a client that follows nobody with that.
//! - [`BodyReader`]: how an answer is read. [`HttpReply`]: what came of it. [`StallTimeout`]: whether more of it comes
//!   in time. [`LineFault`]: what came instead.
//! - [`RetryHint`], [`Retries`], [`random_fraction`]: what the server says about being asked again, and whether and
//!   when that is done. How often is for each client to know.
//! - [`mask_key`], [`sanitize_reply`]: foreign words, harmless.

mod address;
mod client;
mod fault;
mod mask;
mod reply;
mod retry;
mod stall_timeout;

pub use address::{AddressFault, PlainHttp, is_loopback, parse_address};
pub use client::{client_builder, credential_header, install_crypto};
pub use fault::LineFault;
pub use mask::{mask_key, sanitize_reply};
pub use reply::{BodyReader, HttpReply};
pub use retry::{Attempt, Retries, RetryHint, random_fraction};
pub use stall_timeout::StallTimeout;
