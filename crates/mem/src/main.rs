//! `mem`: the memory of coding agents.

fn main() {}
