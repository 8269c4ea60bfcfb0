//! Every command and option of `--help` has its place in the manual pages, and each shell completes it, behind `git-rapid` and
//! behind `git rapid`. The shells are the real ones; PowerShell's script is read.

use super::help::commands;
use crate::harness::{Output, World, step_aside};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A command with the options that help says it has, long ones.
struct Known {
    name: String,
    options: BTreeSet<String>,
}

fn known(world: &World) -> Vec<Known> {
    let all = commands(world).into_iter().map(|name| {
        let help = Output::of(world.tool(world.top()).args(name.split(' ')).arg("--help")).ok().stdout;
        let words = help.lines().filter_map(|line| {
            let line = line.trim_start();
            // `-o, --output <FILE>`
            let line = line.get(4..).filter(|rest| line.starts_with('-') && rest.starts_with("--")).unwrap_or(line);
            line.strip_prefix("--")?.split([' ', '=', '[']).next().map(str::to_owned)
        });
        Known { options: words.filter(|word| !word.is_empty()).collect(), name }
    });
    all.collect()
}

/// What a shell offers, a line for each command and what stands behind it: `name|word word …`.
fn lacking(known: &[Known], said: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for command in known {
        let start = format!("{}|", command.name);
        let line = said.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_default();
        let offered: BTreeSet<&str> = line.split(' ').filter_map(|word| word.strip_prefix("--")).collect();
        wrong.extend(
            command
                .options
                .iter()
                .filter(|name| !offered.contains(name.as_str()))
                .map(|name| format!("{}: --{name}", command.name)),
        );
    }
    wrong
}

fn script(world: &Arc<World>, shell: &str, name: &str) {
    let text = Output::of(world.tool(world.top()).args(["completions", shell])).ok().stdout;
    let path = world.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Runs a script of a shell with the commands as its arguments; `None`, said aloud, where there is no such shell.
fn shell(world: &Arc<World>, program: &str, options: &[&str], text: &str, known: &[Known]) -> Option<Output> {
    std::fs::write(world.path("asked"), text).unwrap();
    let mut command = world.command(program, world.top());
    command.env("TERM", "dumb").args(options).arg(world.path("asked")).args(known.iter().map(|command| &command.name));
    let said = Output::of_any(&mut command);
    if said.is_none() {
        step_aside(&format!("there is no {program} here"));
    }
    said.map(Output::ok)
}

#[test]
fn bash_offers_every_option_and_every_command() {
    let world = World::new();
    let known = known(&world);
    script(&world, "bash", "git-rapid.bash");
    let text = "
. ./git-rapid.bash
ask() { COMP_WORDS=(git rapid $1 \"$2\") COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _git_rapid; echo \"$3|${COMPREPLY[*]}\"; }
for command; do ask \"$command\" -- \"$command\"; done
ask '' '' top
ask spec '' below
ask spec cr begun
";
    let Some(said) = shell(&world, "bash", &["--norc"], text, &known) else { return };
    assert_eq!(lacking(&known, &said.stdout), Vec::<String>::new(), "{said}");
    offers_commands(&known, &said);
    assert!(said.stdout.ends_with("\nbegun|create\n"), "{said}");
}

/// Every command at the top, and those of `spec`.
fn offers_commands(known: &[Known], said: &Output) {
    let words = |name: &str| -> BTreeSet<String> {
        let line = said.stdout.lines().find_map(|line| line.strip_prefix(&format!("{name}|"))).unwrap_or_default();
        line.split(' ')
            .filter(|word| !word.is_empty() && !word.starts_with('-') && *word != "help")
            .map(str::to_owned)
            .collect()
    };
    let top: BTreeSet<String> =
        known.iter().map(|command| command.name.clone()).filter(|name| !name.contains(' ')).collect();
    assert_eq!(words("top"), top, "{said}");
    let below: BTreeSet<String> =
        known.iter().filter_map(|command| command.name.strip_prefix("spec ")).map(str::to_owned).collect();
    assert_eq!(words("below"), below, "{said}");
}

#[test]
fn fish_offers_every_option_and_every_command() {
    let world = World::new();
    let known = known(&world);
    script(&world, "fish", "home/.config/fish/conf.d/git-rapid.fish");
    let text = "
function ask
    set -l offered (complete -C \"$argv[1]\" | string split -f 1 \\t)
    echo \"$argv[2]|$offered\"
end
for command in $argv
    ask \"git rapid $command --\" $command
end
ask 'git-rapid ' top
ask 'git rapid spec ' below
";
    let Some(said) = shell(&world, "fish", &[], text, &known) else { return };
    assert_eq!(lacking(&known, &said.stdout), Vec::<String>::new(), "{said}");
    offers_commands(&known, &said);
}

/// Asks a zsh at a terminal of its own what it would show; completion there works nowhere else.
const ZSH: &str = r#"
zmodload zsh/zpty
for command; do
    zpty shell zsh -f -i
    zpty -w shell 'PROMPT= RPROMPT=; fpath=($HOME/functions $fpath); autoload -Uz compinit; compinit -u -D'
    zpty -w shell 'compadd() { local -a all; builtin compadd -O all "$@"; print -rl -- "=${^all}"; builtin compadd "$@" }'
    zpty -w shell 'look() { unset "compstate[vared]"; _main_complete; print -r -- END-OF-IT; exit }'
    zpty -w shell 'zle -C look complete-word look; bindkey "^I" look; print READY-TO-LOOK'
    zpty -r shell said '*READY-TO-LOOK*READY-TO-LOOK*'
    zpty -n -w shell "git rapid $command"$'\t'
    zpty -r shell said '*END-OF-IT*'
    zpty -d shell
    offered=(${(f)"$(print -r -- $said | tr -d '\r' | sed -n 's/^=//p')"})
    print -r -- "${${command%--}% }|$offered"
done
"#;

#[test]
fn zsh_offers_options_and_commands() {
    let world = World::new();
    let known = known(&world);
    script(&world, "zsh", "home/functions/_git-rapid");
    let asked = ["verify --", "spec create --", "spec "];
    std::fs::write(world.path("asked"), ZSH).unwrap();
    let mut command = world.command("zsh", world.top());
    let Some(said) = Output::of_any(command.arg("-f").arg(world.path("asked")).args(asked)) else {
        return step_aside("there is no zsh here");
    };
    let said = said.ok();
    // `--help` is offered apart from the others, in a group that this look does not see.
    let mut some: Vec<Known> =
        known.into_iter().filter(|command| ["verify", "spec create"].contains(&command.name.as_str())).collect();
    some.iter_mut().for_each(|command| command.options.retain(|option| option != "help"));
    assert_eq!(lacking(&some, &said.stdout), Vec::<String>::new(), "{said}");
    assert!(said.stdout.contains("spec|create list show revise status diff"), "{said}");
}

/// In a script that is only read: each command has a case, and each of its options stands in it.
#[test]
fn scripts_that_are_not_run_hold_every_option() {
    let world = World::new();
    let known = known(&world);
    let text = |shell: &str| Output::of(world.tool(world.top()).args(["completions", shell])).ok().stdout;
    let powershell = text("powershell");
    let zsh = text("zsh");
    for command in &known {
        let case = format!("'git-rapid;{}' {{", command.name.replace(' ', ";"));
        let (_, below) = powershell.split_once(&case).unwrap_or_else(|| panic!("{case}"));
        let below = below.split("break").next().unwrap();
        let words = command.name.split(' ').collect::<Vec<_>>();
        assert!(zsh.contains(&format!("({})\n", words.last().unwrap())), "zsh: {}", command.name);
        for option in &command.options {
            assert!(below.contains(&format!("'--{option}'")), "powershell: {}: --{option}", command.name);
            assert!(zsh.contains(&format!("--{option}")), "zsh: {}: --{option}", command.name);
        }
    }
}

#[test]
fn every_command_has_a_manual_page_with_its_options() {
    let world = World::new();
    let known = known(&world);
    let place = world.path("home/share/man/man1");
    let said = Output::of(world.tool(world.top()).args(["man", "--into"]).arg(&place)).ok();
    assert!(said.stdout.starts_with(&format!("wrote {} pages", known.len() + 1)), "{said}");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), known.len() + 1);
    let page = |name: &str| {
        let file =
            place.join(format!("git-rapid{}{}.1", if name.is_empty() { "" } else { "-" }, name.replace(' ', "-")));
        std::fs::read_to_string(file).unwrap()
    };
    for command in &known {
        let text = page(&command.name);
        let printed = Output::of(world.tool(world.top()).arg("man").args(command.name.split(' '))).ok().stdout;
        assert_eq!(printed, text, "what is printed is what is installed");
        let (_, options) = text.split_once(".SH OPTIONS").unwrap_or_default();
        for option in &command.options {
            let shown = options.matches(&format!("\\fB\\-\\-{}\\fR", option.replace('-', "\\-"))).count();
            assert_eq!(shown, 1, "{}: --{option}", command.name);
        }
    }
    let whole = page("");
    for command in known.iter().filter(|command| !command.name.contains(' ')) {
        assert!(whole.contains(&format!("git\\-rapid\\-{}(1)", command.name)), "{}", command.name);
    }
    // A formatter of such pages has nothing to complain about.
    let pages = std::fs::read_dir(&place).unwrap().map(|page| page.unwrap().path());
    match Output::of_any(world.command("groff", &place).args(["-man", "-Tutf8", "-ww", "-z"]).args(pages)) {
        Some(said) => assert_eq!(said.ok().stderr, ""),
        None => step_aside("there is no groff here"),
    }
    // Git shows it: for 'git help rapid', and so for 'git rapid --help'.
    if Output::of_any(world.command("man", &place).arg("--version")).is_none() {
        return step_aside("there is no man here");
    }
    for asked in [["git", "help", "rapid"], ["git", "rapid", "--help"], ["man", "1", "git-rapid-check"]] {
        let mut git = world.command(asked[0], world.top());
        git.env("MANPATH", world.path("home/share/man")).env("MANPAGER", "cat").env("PAGER", "cat").env("TERM", "dumb");
        let said = Output::of(git.args(&asked[1..])).ok();
        assert!(said.stdout.contains("git-rapid") && said.stdout.contains("SYNOPSIS"), "{asked:?}: {said}");
    }
}
