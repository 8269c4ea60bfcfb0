//! Laws of missions: whatever the plan and whatever the children answer, `run` ends within the bound; nothing is done without a
//! green check and a fresh checker's pass; events give the same state again.

mod laws;
mod plans;
mod steps;
mod world;
