//! The integration tests, one binary: the house rules, and the program driven from outside.

mod house;
mod snapshot;
