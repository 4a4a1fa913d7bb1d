//! `mem tool`: the memory tool of the Messages API.

mod bad_input;
mod host;
mod options;
mod page_dialect;
mod project;
mod python;
mod python_confinement;
mod released_clients;
mod traversal;
mod typescript;
