//! A daemon in a thread of its own, around work that counts.

mod fixture;
mod requests;
mod watch;
