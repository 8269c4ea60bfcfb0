//! The rules of the specification from outside: its acceptance table (§9.7), the life cycles (§2.6), the policy (§3), what
//! people decide, and what is refused with which code.

mod acceptance;
mod people;
mod policy;
mod refusals;
mod session;
mod specs;
mod tampering;
mod walk;
mod worktrees;
