//! House rules that no compiler checks: which room may name which, what every file has, how large files may grow, that each
//! code has a page.

mod layers;
mod pages;
mod shape;
