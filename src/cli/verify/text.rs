//! What `verify` says to people.

use crate::cli::{
    check::some,
    speak::{Ui, moment},
};
use crate::domain::quantity::counted;
use crate::verbs::verify::{Answer, Covered, Outcome, Told};
use anstyle::AnsiColor;

/// Says it.
pub(super) fn tell(ui: &mut Ui, seen: &Outcome) {
    let proof = &seen.proof;
    let (entries, found) = (counted(proof.entries, "entry", "entries"), proof.weighty().count());
    let material = match (proof.material.present, proof.material.missing) {
        (0, 0) => String::new(),
        (1, 0) => "; its 1 attachment is here and matches".to_owned(),
        (present, 0) => format!("; all {present} attachments are here and match"),
        (present, missing) => format!("; of the attachments {present} are here and match, {missing} not in this clone"),
    };
    let material = match proof.material.expunged {
        0 => material,
        expunged => format!("{material}; {expunged} were expunged"),
    };
    match proof.answer() {
        Answer::Proven => ui.marked("proven", AnsiColor::Green, format!("{entries}{material}")),
        Answer::Disproven if seen.by_frozen_lists == Some(Answer::Proven) => {
            ui.marked(
                "proven",
                AnsiColor::Green,
                format!("{entries}, by the lists of signers that the runs froze{material}"),
            );
            let decisions = counted(found, "signature", "signatures");
            ui.marked(
                "not by your list",
                AnsiColor::Red,
                format!("{decisions} by nobody whom --allowed-signers lets sign"),
            );
        }
        Answer::Disproven => {
            ui.marked("disproven", AnsiColor::Red, format!("{} in {entries}", counted(found, "finding", "findings")))
        }
        Answer::CannotSay => ui.marked(
            "cannot say",
            AnsiColor::Yellow,
            format!("{} could not be looked at", counted(found, "thing", "things")),
        ),
    }
    for finding in &proof.findings {
        let entry = finding.entry.map_or_else(String::new, |entry| format!(", in entry {}", entry.short()));
        let path = finding
            .diagnostic
            .path
            .as_deref()
            .filter(|path| !path.is_empty())
            .map_or_else(String::new, |path| format!("{path}: "));
        ui.line(format!("  {} {path}{}{entry}", finding.diagnostic.code, finding.diagnostic.message));
    }
    let Some(commit) = &seen.commit else { return };
    if let Some(why) = &seen.refused {
        ui.marked("not covered", AnsiColor::Red, format!("commit {} {why}", commit.id.short()));
    }
    match &commit.covered {
        Covered::Extras(_) | Covered::Merge if seen.refused.is_some() => ui.line("  the runs behind it:"),
        Covered::Exact => {
            ui.marked("covered", AnsiColor::Green, format!("commit {} has the final tree of", commit.id.short()))
        }
        Covered::Extras(files) => {
            let names: Vec<String> = files.iter().map(|file| file.path.to_string()).collect();
            ui.marked(
                "covered",
                AnsiColor::Green,
                format!("commit {} leaves out {}, untracked and unchanged during", commit.id.short(), some(&names)),
            );
        }
        Covered::Merge => {
            let words = format!("commit {} is git's own clean merge of what is covered by", commit.id.short());
            ui.marked("covered", AnsiColor::Green, words);
        }
        Covered::No => {
            ui.marked(
                "not covered",
                AnsiColor::Red,
                format!("commit {} has tree {}", commit.id.short(), commit.tree.short()),
            );
            for other in commit.other_terms.iter().take(5) {
                ui.line(format!("  {other}"));
            }
            for change in commit.difference.iter().take(20) {
                ui.line(format!("  {} {}", change.letter(), change.path));
            }
            for unseen in commit.unseen.iter().take(5) {
                ui.line(format!(
                    "  run {} passed on tree {}, whose files are not in this clone to compare",
                    unseen.run_id,
                    unseen.tree.short()
                ));
            }
            if !commit.other_terms.is_empty() && commit.difference.is_empty() {
                // Said above.
            } else if commit.difference.is_empty() && commit.runs.is_empty() && commit.unseen.is_empty() {
                ui.line("  there is no passing run to compare it with");
            } else if commit.difference.is_empty() && !commit.runs.is_empty() {
                ui.line("  no run on it has passed:");
            } else if !commit.difference.is_empty() {
                ui.line("  is how it differs from the nearest run's final tree");
            }
        }
    }
    for run in &commit.runs {
        let tests =
            run.tests.map_or_else(|| "no tests counted".to_owned(), |counts| format!("{} tests passed", counts.passed));
        let (strength, ruleset) = (run.strength.as_str(), run.ruleset.number());
        let verdict = match run.only_a_missions {
            true => "made by a mission, and finished by no person",
            false => run.verdict.as_str(),
        };
        ui.line(format!(
            "  run {}: {verdict} ({}, ruleset {ruleset}, {tests}, approvals: {}, {strength})",
            run.run_id, run.mode, run.approvals
        ));
        if let Some(told) = seen.told.iter().find(|told| told.run_id == run.run_id) {
            tell_more(ui, told);
        }
        if let Some(rerun) = &run.rerun {
            let who = if rerun.another_party { "" } else { ", who recorded the run too" };
            let how = if rerun.green { "green" } else { "NOT green" };
            ui.line(format!("    run again by {}{who}: {how} ({})", rerun.by, rerun.summary));
        }
        for (what, names) in run.notes.in_words() {
            ui.line(format!("    {what}: {}", some(names)));
        }
        if run.spooled > 0 {
            ui.line(format!(
                "    {} pieces of its evidence were recorded in a sandbox and folded in later",
                run.spooled
            ));
        }
        for made in &run.signers {
            let touch = if made.signer.touch { ", on a device that asked for a touch" } else { "" };
            let gates: Vec<String> = made.gate_ids.iter().map(ToString::to_string).collect();
            ui.line(format!("    {} signed by {} ({}){touch}", gates.join(", "), made.signer.name(), made.signer.key));
        }
    }
    match &seen.onto {
        Some((name, tip)) => ui.line(format!("  judged for {name}, at {}", tip.short())),
        None => ui.line("  judged for no other branch, by its own history: --onto names the one it is to get to"),
    }
}

/// What it was for, when it ended, how much it changed; and who decided what.
fn tell_more(ui: &mut Ui, told: &Told) {
    let finished = told.finished_at.map_or_else(String::new, |at| format!("; finished {}", moment(at)));
    let files = counted(told.files_changed, "file", "files");
    ui.line(format!("    {}{finished}; {files} changed", told.title));
    for decided in &told.decided {
        let gates: Vec<String> = decided.gate_ids.iter().map(ToString::to_string).collect();
        let at = decided.at.map_or_else(String::new, |at| format!(", {}", moment(at)));
        let signed = if decided.signed { "signed" } else { "not signed" };
        ui.line(format!("    {} {} by {}{at} ({signed})", gates.join(", "), decided.outcome, decided.reviewer));
    }
}
