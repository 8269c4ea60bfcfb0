//! The report on one run: what was asked, what was seen, who decided, and how to check all of it.

use super::{
    checks,
    page::Page,
    parts::{some, status_class, verdict_class, verdict_words},
};
use crate::domain::report::{Category, Verdict};
use crate::export::dossier::{Dossier, RunFile, Signature};

/// The most rows of one table and items of one list.
pub(super) const MOST: usize = 500;

/// The page about a run of the dossier.
pub fn report(dossier: &Dossier, run: &RunFile) -> Vec<u8> {
    let verdict = run.report.verdict();
    let title = format!("{}: {}", verdict_words(verdict), run.spec.content.title);
    let mut page = Page::new(&title, dossier.version);
    head(&mut page, run);
    page.markup("<main>\n");
    conclusion(&mut page, run);
    strength(&mut page, run);
    gates(&mut page, run);
    tasks(&mut page, run);
    checks::section(&mut page, run);
    decisions(&mut page, run);
    changes(&mut page, run);
    timeline(&mut page, run);
    verification(&mut page, dossier, run);
    page.markup("</main>\n");
    page.foot(dossier);
    page.end()
}

pub(super) fn section(page: &mut Page, id: &'static str, name: &'static str) {
    page.open("section", &[("aria-labelledby", id)]);
    page.element("h2", &[("id", id)], name);
}

fn head(page: &mut Page, run: &RunFile) {
    page.markup("<header>\n");
    page.element("h1", &[], &run.spec.content.title);
    page.markup("<p class=\"soft\">");
    page.text(&format!("{} run ", run.contract.mode));
    page.element("code", &[], run.contract.run_id.as_str());
    page.text(&format!(", {}", run.state.status));
    if let Some((first, last)) = run.span() {
        page.text(", from ");
        page.time(first);
        page.text(" to ");
        page.time(last);
    }
    page.markup("</p>\n");
    let verdict = run.report.verdict();
    page.open("div", &[("class", &format!("verdict {}", verdict_class(verdict)))]);
    page.element("strong", &[], verdict_words(verdict));
    page.markup("<p>");
    page.text(match verdict {
        Verdict::Pass => "Everything that was asked for is shown.",
        Verdict::PassWithWaivers => "Everything that was asked for is shown, or a person let it go.",
        Verdict::Unverified => "Something that was asked for is not shown.",
        Verdict::Fail => "Something that was asked for is contradicted.",
    });
    match run.report.tree.as_ref().or(run.code.tree.as_ref()) {
        Some(tree) => {
            page.text(" The verdict is about the code of tree ");
            page.element("code", &[], tree.as_str());
            page.text(" and no other.");
        }
        None => page.text(" No final code was recorded yet."),
    }
    page.markup("</p>\n</div>\n</header>\n");
}

fn conclusion(page: &mut Page, run: &RunFile) {
    section(page, "verdict", "Verdict");
    let asked = run.report.assertions.iter().filter(|assertion| assertion.required).count();
    page.table(
        &some(asked, "assertion is asked for", "assertions are asked for"),
        &["Assertion", "Answer", "Why", "Evidence"],
    );
    for assertion in run.report.assertions.iter().filter(|assertion| assertion.required).take(MOST) {
        page.markup("<tr>");
        page.row_id(assertion.id.as_str());
        page.markup("<td>");
        page.mark(status_class(assertion.status), assertion.status.as_str());
        page.markup("</td>");
        page.element("td", &[], &assertion.reason);
        let ids: Vec<&str> = assertion.evidence_ids.iter().map(|id| id.as_str()).collect();
        page.element("td", &[], &ids.join(", "));
        page.markup("</tr>\n");
    }
    page.end_table();
    let current = run.recorded.last().is_some_and(|report| *report == run.report);
    page.element(
        "p",
        &[("class", "soft")],
        match (run.recorded.len(), current) {
            (0, _) => "No report is recorded: this is how the run stands.",
            (_, true) => "This is the report that is recorded in the ledger.",
            (_, false) => "The recorded report is older than the run: this is how the run stands now.",
        },
    );
    page.close("section");
}

fn strength(page: &mut Page, run: &RunFile) {
    section(page, "strength", "How strong the evidence is");
    page.markup("<dl>\n");
    page.fact("Evidence", run.standing.strength);
    page.fact(
        "Approvals",
        match run.standing.approvals {
            "signed" => "signed: each decision has a valid signature by an allowed key",
            "terminal" => "terminal: typed in a terminal, which proves nobody",
            _ => "none: nobody decided",
        },
    );
    page.fact("Rules", &format!("ruleset {}", run.contract.ruleset.number()));
    if let Some(tests) = run.standing.tests {
        page.fact("Tests", &format!("{} passed, {} failed, {} skipped", tests.passed, tests.failed, tests.skipped));
    }
    if let Some(rerun) = &run.standing.rerun {
        let how = if rerun.green { "green" } else { "NOT green" };
        let who = if rerun.another_party { "" } else { ", who recorded the run too" };
        page.fact("Run again", &format!("by {}{who}: {how} ({})", rerun.by, rerun.summary));
    }
    page.markup("</dl>\n<p class=\"soft\">Recorded here is less than seen by another clone, that less than re-run by another party, and that less \
                 than signed by an allowed key on a device that asks for a touch.</p>\n");
    page.close("section");
}

fn gates(page: &mut Page, run: &RunFile) {
    section(page, "gates", "Gates");
    if run.state.gates.is_empty() {
        page.markup("<p>The contract has no gates.</p>\n");
    } else {
        page.table("In the order of the contract", &["Gate", "Decision", "Decided by", "Shown", "Why"]);
        for gate in run.state.gates.iter().take(MOST) {
            let shown = run
                .report
                .assertions
                .iter()
                .find(|assertion| assertion.category == Category::Gate && assertion.subject_id == gate.id.as_str());
            page.markup("<tr>");
            page.row_id(gate.id.as_str());
            page.word(gate.disposition.as_str());
            page.word(if gate.kind.is_human() { "a person" } else { "evidence" });
            page.markup("<td>");
            match shown {
                Some(shown) => page.mark(status_class(shown.status), shown.status.as_str()),
                None => page.text("not asked"),
            }
            page.markup("</td>");
            page.element("td", &[], &gate.reason);
            page.markup("</tr>\n");
        }
        page.end_table();
    }
    page.close("section");
}

fn tasks(page: &mut Page, run: &RunFile) {
    section(page, "tasks", "Tasks");
    page.table(&some(run.state.tasks.len(), "task", "tasks"), &["Task", "Stands", "What", "Why"]);
    for task in run.state.tasks.iter().take(MOST) {
        page.markup("<tr>");
        page.row_id(task.id.as_str());
        page.word(task.status.as_str());
        page.element("td", &[], &task.description);
        page.element("td", &[], &task.reason);
        page.markup("</tr>\n");
    }
    page.end_table();
    page.close("section");
}

fn decisions(page: &mut Page, run: &RunFile) {
    section(page, "decisions", "Approvals and signatures");
    let all: Vec<_> = run.reviews().collect();
    if all.is_empty() {
        page.markup("<p>Nobody decided anything.</p>\n");
    } else {
        page.table("What people, and agents who reviewed, said", &["Record", "Decision", "By", "Signature", "Said"]);
        for (item, review) in all.into_iter().take(MOST) {
            page.markup("<tr>");
            page.element("th", &[("scope", "row")], item.evidence.id.as_str());
            let gates: Vec<&str> = item.evidence.gate_ids.iter().map(|id| id.as_str()).collect();
            page.element("td", &[], &format!("{} {}", review.outcome, gates.join(", ")));
            page.markup("<td>");
            page.text(&format!("{} ({})", review.reviewer, item.evidence.producer));
            page.markup("</td><td>");
            match &item.signature {
                Signature::None => page.text("none"),
                Signature::Holds(signer) => {
                    page.mark("pass", "holds");
                    let touch = if signer.touch { ", on a device that was touched" } else { "" };
                    page.text(&format!(" {}, {}{touch}", signer.name(), signer.key));
                }
                Signature::Void(why) => {
                    page.mark("fail", "does not count");
                    page.text(&format!(" {why}"));
                }
            }
            page.markup("</td>");
            page.element("td", &[], review.comment.as_deref().unwrap_or_default());
            page.markup("</tr>\n");
        }
        page.end_table();
    }
    page.close("section");
}

fn changes(page: &mut Page, run: &RunFile) {
    section(page, "changes", "Changed files");
    match &run.code.changes {
        None => page.markup(
            "<p>The code is not in the clone that this page was made in, or no final code was recorded yet.</p>\n",
        ),
        Some(changes) if changes.is_empty() => page.markup("<p>No file differs from the base.</p>\n"),
        Some(changes) => {
            let sum =
                |pick: fn(&(u64, u64)) -> u64| changes.iter().filter_map(|c| c.lines.as_ref().map(pick)).sum::<u64>();
            let (added, removed) = (sum(|lines| lines.0), sum(|lines| lines.1));
            let files = some(changes.len(), "file", "files");
            let more = if changes.len() > MOST { format!("; the first {MOST} are shown") } else { String::new() };
            page.table(
                &format!("{files}, {added} lines added, {removed} removed{more}"),
                &["File", "How", "Added", "Removed"],
            );
            for change in changes.iter().take(MOST) {
                page.markup("<tr>");
                page.open("th", &[("scope", "row")]);
                page.element("code", &[], &change.path);
                page.markup("</th>");
                let how = match change.letter {
                    'A' => "added",
                    'D' => "deleted",
                    _ => "changed",
                };
                page.element("td", &[], how);
                let shown = |count: Option<u64>| count.map_or_else(|| "not text".to_owned(), |count| count.to_string());
                page.element("td", &[("class", "number")], &shown(change.lines.map(|lines| lines.0)));
                page.element("td", &[("class", "number")], &shown(change.lines.map(|lines| lines.1)));
                page.markup("</tr>\n");
            }
            page.end_table();
        }
    }
    page.close("section");
}

fn timeline(page: &mut Page, run: &RunFile) {
    section(page, "timeline", "Timeline");
    let skipped = run.entries.len().saturating_sub(MOST);
    if skipped > 0 {
        page.element("p", &[], &format!("The oldest {skipped} entries are not shown."));
    }
    page.markup("<ol class=\"time\">\n");
    for entry in run.entries.iter().skip(skipped) {
        page.markup("<li>");
        page.time(entry.seconds);
        page.text(&format!(" {} ", entry.subject));
        page.markup("<br><span class=\"soft\">");
        page.text(&format!("{}, entry ", entry.author));
        page.element("code", &[], entry.id.short());
        page.markup("</span></li>\n");
    }
    page.markup(
        "</ol>\n<p class=\"soft\">Times are those that the writers' clocks had; the order is that of the ledger.</p>\n",
    );
    page.close("section");
}

fn verification(page: &mut Page, dossier: &Dossier, run: &RunFile) {
    section(page, "verify", "How to verify it");
    page.markup("<p>In a clone of the repository, with nobody's word taken:</p>\n<pre>");
    let commit = run.code.commits.first().map_or("HEAD", |commit| commit.as_str());
    page.lines(&format!(
        "git rapid fetch\ngit rapid verify --expect {}\ngit rapid verify --commit {commit} --require-pass\ngit rapid verify --rerun --commit {commit}",
        dossier.tip
    ));
    page.markup("</pre>\n<dl>\n");
    page.code_fact("Run", run.contract.run_id.as_str());
    page.code_fact("Contract", &run.contract.digest().to_string());
    page.code_fact("Report", &run.report.digest().to_string());
    page.code_fact(
        "Base",
        &format!(
            "{} (tree {})",
            run.contract.base.commit.as_ref().map_or("no commit", |id| id.as_str()),
            run.contract.base.tree
        ),
    );
    page.code_fact("First entry of the ledger", run.contract.ledger.as_str());
    page.code_fact("Newest entry when this was written", dossier.tip.as_str());
    page.markup("</dl>\n");
    if !dossier.unproved.is_empty() {
        page.markup("<p>When this page was made, these could not be looked at:</p>\n<ul>\n");
        dossier.unproved.iter().take(20).for_each(|what| page.element("li", &[], what));
        page.markup("</ul>\n");
    }
    page.close("section");
}
