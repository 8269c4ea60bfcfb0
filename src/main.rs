//! The binary: hands the process to the library.
fn main() -> std::process::ExitCode {
    git_rapid::cli::main()
}
