//! The snapshot of the working copy against git's own answer, case by case.

mod bounds;
mod content;
mod encodings;
mod hiding;
mod index;
mod kinds;
mod nested;
mod notes;
mod oracle;
mod quiet;
mod random;
mod remembered;
mod rules;
mod states;
mod unlike;
