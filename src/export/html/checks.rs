//! The checks in the report on a run: each folded, with its log inside.

use super::{page::Page, parts::some, run};
use crate::export::dossier::{Item, Log, RunFile, check_outcome};

/// The section.
pub(super) fn section(page: &mut Page, file: &RunFile) {
    run::section(page, "checks", "Checks");
    let all: Vec<&Item> = file.checks().collect();
    if all.is_empty() {
        page.markup("<p>No check was recorded.</p>\n");
    }
    let skipped = all.len().saturating_sub(run::MOST);
    if skipped > 0 {
        page.element("p", &[], &format!("The oldest {skipped} are not shown."));
    }
    all.into_iter().skip(skipped).for_each(|item| check(page, file, item));
    page.close("section");
}

fn check(page: &mut Page, file: &RunFile, item: &Item) {
    let Some(facts) = item.evidence.payload.check_facts() else { return };
    let outcome = check_outcome(&item.evidence);
    let expected = facts.expects_failure;
    page.markup("<details>\n<summary>");
    let class = match outcome {
        "pass" => "pass",
        "fail" if expected => "plain",
        "fail" => "fail",
        _ => "open",
    };
    page.mark(class, if expected && outcome == "fail" { "fails, as expected" } else { outcome });
    page.text(&format!(" {}: {}", item.evidence.id, item.evidence.summary));
    page.markup("</summary>\n<dl>\n");
    if let Some(command) = &facts.command {
        page.code_fact("Command", &command.join(" "));
    }
    page.code_fact(
        "Tree",
        facts.tree.as_ref().map_or("none: the code changed while it ran, or has no name", |tree| tree.as_str()),
    );
    page.fact("Where", if facts.clean { "in a fresh worktree of exactly this tree" } else { "in the working copy" });
    page.fact("Recorded by", &item.evidence.producer.to_string());
    if let Some(entry) = file.written(&item.path) {
        page.element("dt", &[], "Entry");
        page.markup("<dd>");
        page.time(entry.seconds);
        page.text(&format!(", {}, ", entry.author));
        page.element("code", &[], entry.id.short());
        page.markup("</dd>\n");
    }
    let gates: Vec<&str> = item.evidence.gate_ids.iter().map(|id| id.as_str()).collect();
    let tasks: Vec<&str> = item.evidence.task_ids.iter().map(|id| id.as_str()).collect();
    page.fact("Bound to", &[tasks, gates].concat().join(", "));
    if facts.redactions > 0 {
        page.fact("Redacted", &some(usize::try_from(facts.redactions).unwrap_or(usize::MAX), "place", "places"));
    }
    page.markup("</dl>\n");
    log(page, &item.log);
    page.markup("</details>\n");
}

fn log(page: &mut Page, log: &Log) {
    match log {
        Log::Text(text, cut) => {
            page.markup("<pre>");
            page.lines(text);
            page.markup("</pre>\n");
            if *cut > 0 {
                page.element("p", &[("class", "soft")], &format!("{cut} bytes of its middle are left out."));
            }
        }
        Log::Expunged(why) => page.element("p", &[], &format!("Its log was expunged: {why}")),
        Log::Missing => page.markup("<p>Its log is not in the clone that this page was made in.</p>\n"),
        Log::Kept => page.markup("<p>Its log is kept, and too much for this page.</p>\n"),
        Log::None => page.markup("<p>No log was kept.</p>\n"),
    }
}
