//! What both pages show in the same way: marks, tables, moments, the foot.

use super::page::Page;
use crate::domain::{
    moment::moment,
    report::{Status, Verdict},
};
use crate::export::dossier::Dossier;

/// The colour of a mark; the word in it says the same.
pub(super) fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::PassWithWaivers => "waived",
        Verdict::Unverified => "open",
        Verdict::Fail => "fail",
    }
}

/// The same for an assertion.
pub(super) fn status_class(status: Status) -> &'static str {
    match status {
        Status::Pass => "pass",
        Status::Waived => "waived",
        Status::Unverified => "open",
        Status::Fail => "fail",
        Status::NotApplicable => "plain",
    }
}

/// A verdict as people say it.
pub(super) fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "Pass",
        Verdict::PassWithWaivers => "Pass, with waivers",
        Verdict::Unverified => "Unverified",
        Verdict::Fail => "Fail",
    }
}

impl Page {
    /// A word that stands out.
    pub(super) fn mark(&mut self, class: &'static str, word: &str) {
        self.open("span", &[("class", &format!("mark {class}"))]);
        self.text(word);
        self.markup("</span>");
    }

    /// A table's beginning: its caption and the names of its columns.
    pub(super) fn table(&mut self, caption: &str, columns: &[&str]) {
        self.open("table", &[]);
        self.element("caption", &[], caption);
        self.markup("<thead><tr>");
        for column in columns {
            self.element("th", &[("scope", "col")], column);
        }
        self.markup("</tr></thead>\n<tbody>\n");
    }

    /// A table's end.
    pub(super) fn end_table(&mut self) {
        self.markup("</tbody>\n</table>\n");
    }

    /// A name and its value in a list of such.
    pub(super) fn fact(&mut self, name: &str, value: &str) {
        self.element("dt", &[], name);
        self.element("dd", &[], value);
    }

    /// The same with a value that is an id or a path.
    pub(super) fn code_fact(&mut self, name: &str, value: &str) {
        self.element("dt", &[], name);
        self.markup("<dd>");
        self.element("code", &[], value);
        self.markup("</dd>\n");
    }

    /// A cell of a table with one of our own words in it, which is not broken.
    pub(super) fn word(&mut self, word: &str) {
        self.element("td", &[("class", "word")], word);
    }

    /// The cell that names its row, with an id in it.
    pub(super) fn row_id(&mut self, id: &str) {
        self.open("th", &[("scope", "row")]);
        self.id(id);
        self.close("th");
    }

    /// A moment.
    pub(super) fn time(&mut self, seconds: i64) {
        let text = moment(seconds);
        self.open("time", &[("datetime", &text)]);
        self.text(&text.replace('T', " ").replace('Z', " UTC"));
        self.markup("</time>");
    }

    /// What stands below everything: of which ledger this is, and what it is worth.
    pub(super) fn foot(&mut self, dossier: &Dossier) {
        self.markup("<footer>\n<p>");
        self.text(&format!("Written by git-rapid {} at ", dossier.version));
        self.time(dossier.at);
        self.text(&format!(" from the ledger at {} ({} entries), ", dossier.tip.short(), dossier.entries));
        self.text(match dossier.unproved.is_empty() {
            true => "which was proved for it.",
            false => "not all of which could be looked at.",
        });
        self.markup(
            "</p>\n<p>This page is a rendering and proves nothing by itself: whoever made it could have written anything. \
             The ledger is the proof.</p>\n</footer>\n",
        );
    }
}

/// `1 line`, `2 lines`.
pub(super) fn some(count: usize, one: &str, many: &str) -> String {
    crate::domain::quantity::counted(count, one, many)
}

/// How long something lasted, in its largest unit.
pub(super) fn age(seconds: i64) -> String {
    let time = std::time::Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
    crate::domain::moment::span(time)
}
