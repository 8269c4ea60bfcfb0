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

/// The same for fish, of which not every version knows programs called `git-…`.
const FISH: &str = r#"
function __git_rapid_behind_git
    set -l words (commandline -opc)
    test "$words[2]" = rapid
    or return
    set -l line git-rapid
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    complete -C (string join ' ' -- $line (commandline -ct))
end
complete -c git -n 'test (count (__git_rapid_behind_git)) -gt 0' -f -a '(__git_rapid_behind_git)'
"#;

/// Runs it. The script completes `git-rapid` and, through git's own completion, `git rapid`.
pub fn run(args: Args, _: &Environment, ui: &mut Ui) -> Result<i32> {
    let mut script = Vec::new();
    if args.shell != Shell::Bash {
        clap_complete::generate(args.shell, &mut Root::command(), "git-rapid", &mut script);
        ui.raw(&script);
        if args.shell == Shell::Fish {
            ui.raw(FISH.as_bytes());
        }
        return Ok(0);
    }
    // The bash script knows its own commands no more when the program's name has a hyphen.
    clap_complete::generate(Shell::Bash, &mut Root::command(), "gitrapid", &mut script);
    let script = String::from_utf8_lossy(&script).replace("-o default gitrapid\n", "-o default git-rapid\n");
    ui.raw(script.as_bytes());
    ui.raw(BASH.as_bytes());
    Ok(0)
}
