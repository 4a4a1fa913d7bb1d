//! The mind of the daemon, alone and in a world of its own.

mod alone;
mod day;
mod interleavings;
mod world;
