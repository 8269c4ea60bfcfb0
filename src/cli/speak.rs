//! Everything that is printed goes through here: text made harmless, JSON once, errors in one form.

mod harmless;
mod live;
mod moment;
mod table;
mod ui;

pub use harmless::harmless;
pub use moment::{moment, span};
pub use table::Table;
pub use ui::{Ui, error_value};
