//! The dashboard: many runs in one table, and what they show together.

use super::{
    page::Page,
    parts::{age, some, verdict_class, verdict_words},
};
use crate::export::{
    dossier::{Dossier, RunFile},
    trends::Trends,
};

/// The most runs that are shown, the newest first.
const MOST: usize = 1000;

/// The page.
pub fn dashboard(dossier: &Dossier) -> Vec<u8> {
    let trends = Trends::of(dossier);
    let mut page = Page::new("Runs of this ledger", dossier.version);
    page.markup("<header>\n<h1>Runs of this ledger</h1>\n<p class=\"soft\">");
    page.text(&some(dossier.runs.len(), "run", "runs"));
    page.markup("</p>\n</header>\n<main>\n");
    numbers(&mut page, &trends);
    runs(&mut page, dossier);
    waivers(&mut page, &trends);
    flaky(&mut page, &trends);
    page.markup("</main>\n");
    page.foot(dossier);
    page.end()
}

fn numbers(page: &mut Page, trends: &Trends) {
    let (closed, passed) = trends.passed();
    page.markup("<section aria-labelledby=\"numbers\">\n<h2 id=\"numbers\">In numbers</h2>\n<dl>\n");
    // A run that was given up did not pass either; `finish` closes no other.
    let over = closed + trends.given_up;
    let rate = match over {
        0 => "no run is over yet".to_owned(),
        _ => format!(
            "{} %: {passed} of {} passed",
            passed * 100 / over,
            some(over, "run that is over", "runs that are over")
        ),
    };
    page.fact("Pass rate", &rate);
    for verdict in crate::domain::report::Verdict::ALL {
        let count = trends.closed.get(verdict.as_str()).copied().unwrap_or(0);
        page.fact(verdict_words(*verdict), &count.to_string());
    }
    page.fact("Not over", &trends.open.to_string());
    page.fact("Given up", &trends.given_up.to_string());
    page.fact("Waivers", &trends.waivers.len().to_string());
    page.fact("Flaky checks", &trends.flaky.len().to_string());
    page.markup("</dl>\n</section>\n");
}

fn runs(page: &mut Page, dossier: &Dossier) {
    page.markup("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Runs</h2>\n");
    if dossier.runs.is_empty() {
        page.markup("<p>There is no run yet.</p>\n</section>\n");
        return;
    }
    let columns = ["Run", "Verdict", "Stands", "Kind", "Began", "Lasted, or waits", "Approvals", "Strength"];
    let caption = match dossier.runs.len() {
        0..=MOST => "Newest first".to_owned(),
        all => format!("The newest {MOST} of {all}"),
    };
    page.table(&caption, &columns);
    dossier.runs.iter().take(MOST).for_each(|run| row(page, dossier, run));
    page.end_table();
    page.markup("</section>\n");
}

fn row(page: &mut Page, dossier: &Dossier, run: &RunFile) {
    page.markup("<tr>");
    page.open("th", &[("scope", "row")]);
    page.text(&run.spec.content.title);
    page.markup("<br>");
    page.element("code", &[], run.contract.run_id.as_str());
    page.markup("</th><td>");
    let verdict = run.report.verdict();
    page.mark(verdict_class(verdict), verdict_words(verdict));
    page.markup("</td>");
    page.word(run.state.status.as_str());
    page.word(run.contract.mode.as_str());
    let span = run.span();
    page.markup("<td>");
    if let Some((first, _)) = span {
        page.time(first);
    }
    page.markup("</td>");
    let lasted = span.map(|(first, last)| match run.state.status.is_terminal() {
        true => age(last - first),
        false => format!("{} without news", age(dossier.at - last)),
    });
    page.element("td", &[], &lasted.unwrap_or_default());
    page.word(run.standing.approvals);
    page.element("td", &[], run.standing.strength);
    page.markup("</tr>\n");
}

fn waivers(page: &mut Page, trends: &Trends) {
    page.markup("<section aria-labelledby=\"waivers\">\n<h2 id=\"waivers\">Waivers</h2>\n");
    if trends.waivers.is_empty() {
        page.markup("<p>No gate was let go.</p>\n</section>\n");
        return;
    }
    page.table("Gates that a person let go", &["Run", "Gate", "Why"]);
    for (run, gate, reason) in trends.waivers.iter().take(MOST) {
        page.markup("<tr>");
        page.element("th", &[("scope", "row")], run);
        page.element("td", &[], gate);
        page.element("td", &[], reason);
        page.markup("</tr>\n");
    }
    page.end_table();
    page.markup("</section>\n");
}

fn flaky(page: &mut Page, trends: &Trends) {
    page.markup("<section aria-labelledby=\"flaky\">\n<h2 id=\"flaky\">Flaky checks</h2>\n");
    if trends.flaky.is_empty() {
        page.markup("<p>No command was green and red on the same code.</p>\n</section>\n");
        return;
    }
    page.table("Commands that were green and red on the same code", &["Command", "Tree", "Green", "Red", "Seen in"]);
    for check in trends.flaky.iter().take(MOST) {
        page.markup("<tr>");
        page.open("th", &[("scope", "row")]);
        page.element("code", &[], &check.command.join(" "));
        page.markup("</th><td>");
        page.element("code", &[], check.tree.get(..12).unwrap_or(&check.tree));
        page.markup("</td>");
        page.element("td", &[("class", "number")], &check.counts.0.to_string());
        page.element("td", &[("class", "number")], &check.counts.1.to_string());
        page.element("td", &[], &check.runs.iter().cloned().collect::<Vec<_>>().join(", "));
        page.markup("</tr>\n");
    }
    page.end_table();
    page.markup("</section>\n");
}
