//! TypeScript and JavaScript: imports, exports from elsewhere, `require`, and the files that they lead to.

mod read;
mod regex;
mod resolve;
mod tokens;

pub(super) use read::{Import, read};
pub(super) use resolve::resolve;
