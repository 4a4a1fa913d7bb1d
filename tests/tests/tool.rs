//! `mem tool`: the memory tool of the Messages API.

mod bad_input;
mod host;
mod options;
mod page;
mod project;
mod python;
mod python_confined;
mod released;
mod traversal;
mod typescript;
