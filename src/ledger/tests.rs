//! Tests of the ledger on real git.

mod laws;
