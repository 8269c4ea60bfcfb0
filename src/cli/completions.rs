//! `git rapid completions`.

use super::{root::Root, speak::Ui};
use crate::diagnostics::Result;
use crate::os::environment::Environment;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// What git's own completion calls for `git rapid …` in bash: the same words, without `git` in front.
const BASH: &str = r#"
_git_rapid() {
    local words=(git-rapid "${COMP_WORDS[@]:2}") at=$((COMP_CWORD - 1))
    local COMP_WORDS=("${words[@]}") COMP_CWORD=$at
    _gitrapid git-rapid "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
}
"#;

/// Runs it. The script completes `git-rapid` and, through git's own completion, `git rapid`.
pub fn run(args: Args, _: &Environment, ui: &mut Ui) -> Result<i32> {
    let mut script = Vec::new();
    if args.shell != Shell::Bash {
        clap_complete::generate(args.shell, &mut Root::command(), "git-rapid", &mut script);
        ui.raw(&script);
        return Ok(0);
    }
    // The bash script knows its own commands no more when the program's name has a hyphen.
    clap_complete::generate(Shell::Bash, &mut Root::command(), "gitrapid", &mut script);
    let script = String::from_utf8_lossy(&script).replace("-o default gitrapid\n", "-o default git-rapid\n");
    ui.raw(script.as_bytes());
    ui.raw(BASH.as_bytes());
    Ok(0)
}
