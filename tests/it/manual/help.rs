//! The options of every command stand in the manual once, as `--help` says them.
//!
//! A page has them between `<!-- help: check -->` and the end of the block below it.

use super::{blessing, pages};
use crate::harness::{Output, World};
use std::collections::BTreeMap;

/// Every command and command of a command that help lists.
pub fn commands(world: &World) -> Vec<String> {
    let mut all = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(above) = waiting.pop() {
        let arguments = above.split_whitespace().chain(["--help"]);
        let help = Output::of(world.tool(world.top()).args(arguments)).ok().stdout;
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let names = listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
        for name in names.filter(|name| *name != "help") {
            waiting.push(format!("{above} {name}").trim_start().to_owned());
        }
        if !above.is_empty() {
            all.push(above);
        }
    }
    all
}

#[test]
fn every_option_stands_in_the_manual_once() {
    let world = World::new();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (path, text) in pages() {
        let mut written = String::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            written.push_str(line);
            written.push('\n');
            let Some(name) = line.strip_prefix("<!-- help: ").and_then(|rest| rest.strip_suffix(" -->")) else {
                continue;
            };
            *found.entry(name.to_owned()).or_default() += 1;
            assert_eq!(lines.next(), Some("```text"), "{}: a block follows '{line}'", path.display());
            let mut shown: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let arguments = name.split(' ').chain(["--help"]);
            let said = Output::of(world.tool(world.top()).args(arguments)).ok().stdout;
            let said: Vec<&str> = said.trim_end().lines().collect();
            if shown != said {
                wrong.push(format!("{}: '{name}'", path.display()));
            }
            if blessing() {
                shown = said;
            }
            written.push_str(&format!("```text\n{}\n```\n", shown.join("\n")));
        }
        if blessing() && written != text {
            std::fs::write(&path, written).unwrap();
        }
    }
    let expected: BTreeMap<String, usize> = commands(&world).into_iter().map(|name| (name, 1)).collect();
    assert_eq!(found, expected, "how often the options of each command are shown");
    assert!(
        wrong.is_empty() || blessing(),
        "options shown otherwise than they are (RAPID_BLESS=1 writes them):\n{}",
        wrong.join("\n")
    );
}
