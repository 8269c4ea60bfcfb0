//! Git's hooks: what they refuse, what they leave alone, and how they live beside those of others. Always through real git.

mod beside;
mod commit;
mod managers;
mod places;
mod push;
mod rewind;
mod server;
mod team;
