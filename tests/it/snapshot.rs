//! The snapshot of the working copy against git's own answer, case by case.

mod content;
mod index;
mod kinds;
mod nested;
mod notes;
mod oracle;
mod quiet;
mod random;
mod rules;
mod states;
