//! The binary: hands the process to the library.
fn main() {}
