//! The integration tests of mem-core: real files, the real git.

mod store;
