//! `git rapid mission` through the command line, on a small real project, with stand-ins for the agents.

mod gates;
mod kept;
mod killed;
mod lost;
mod outside;
mod plans;
mod stage;
mod whole;
