//! HTML exports: one file that asks for nothing, runs nothing, and is read on any screen and on paper.
//!
//! `page` is the only place that writes markup: a value can come in as text only. `run` is the report on one run, `overview` the
//! table of many.

mod checks;
mod overview;
mod page;
mod parts;
mod run;

pub use overview::dashboard;
pub use run::report;
