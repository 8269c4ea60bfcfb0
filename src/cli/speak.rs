//! Everything that is printed goes through here: text made harmless, JSON once, errors in one form.

mod graph;
mod live;
mod screen;
mod table;
mod ui;

pub use crate::domain::{
    harmless::harmless,
    moment::{moment, span},
};
pub use graph::Graph;
pub use table::Table;
pub use ui::{Ui, error_value};
