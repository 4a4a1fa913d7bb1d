//! The state machine of the daemon, alone and in a simulation.

mod interleavings;
mod rules;
mod simulated_day;
mod simulation;
