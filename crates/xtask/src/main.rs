//! Repository chores: `cargo xtask test|ci|bench|eval|dist`.

fn main() {}
