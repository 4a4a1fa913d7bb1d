//! The hermetic environment that whole-system tests run the real binary in.
