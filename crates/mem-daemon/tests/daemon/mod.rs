//! A daemon in a thread of its own, around work that counts.

mod asked;
mod house;
mod watching;
