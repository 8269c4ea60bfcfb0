//! Everything that is printed goes through here: text made harmless, JSON once, errors in one form.

mod harmless;
mod table;
mod ui;

pub use harmless::harmless;
pub use table::Table;
pub use ui::Ui;
