//! Signed decisions, with real keys made by `ssh-keygen` and `gpg`: who may sign, what a signature is over, and what every
//! reader says of one that does not count.
//!
//! `team` is a project whose runs ask for signatures, and the people at it.

mod again;
mod approving;
mod forged;
mod openpgp;
mod server;
mod several;
mod team;

pub use team::{Team, people_can_sign};
