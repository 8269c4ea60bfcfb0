//! House rules that no compiler checks: which room may name which, what every file has, how large files may grow.

mod layers;
mod shape;
