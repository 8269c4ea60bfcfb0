//! Python: its import statements, and the files that they lead to.

mod read;
mod resolve;
mod tokens;

pub(super) use read::{Import, read};
pub(super) use resolve::Roots;
