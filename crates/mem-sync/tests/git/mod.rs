//! The git remote over the real git: two copies of one bare repository.

mod bed;
mod hostile;
mod network;
mod rules;
