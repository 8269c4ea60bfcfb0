//! Checks from the shell through the built binary: what counts as tests that ran.

mod clean;
mod junit;
mod running;
mod summary;
