//! The ledger on real git: what is in it, what is found when somebody tampers with it, and what survives.

mod changed_code;
mod clones;
mod entries;
mod environments;
mod forgery;
mod formats;
mod hostile_places;
mod housekeeping;
mod killed;
mod locks;
mod mutation;
mod next_is_pure;
mod odd_commits;
mod odd_trees;
mod racing;
mod refs;
mod repair;
mod sandbox;
mod spooled;
mod streams;
mod whole_run;
mod wrong_input;
