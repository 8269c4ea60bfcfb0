//! Walks a report element by element: one pass, bounded in depth, size and attributes, without document types, without
//! entities beyond the five, whole to its last tag.
//!
//! Not here: what suites and cases say ([`super::suite`], [`super::case`]).

use super::case::Case;
use super::suite::Suite;
use super::{JunitReport, LARGEST};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::test_list::MAX_TESTS;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, escape};

/// How deep elements may nest.
const DEPTH: usize = 64;
/// How many attributes an element may have.
const ATTRIBUTES: usize = 64;
/// How many elements a report may have.
const ELEMENTS: u64 = 4_000_000;
/// The longest attribute that is kept, in bytes; longer ones hold messages.
const ATTRIBUTE: usize = 64 << 10;

/// The elements that a prefix may not disguise.
const WORDS: &[&str] = &["testsuites", "testsuite", "testcase", "failure", "error", "skipped"];

/// The attributes of an element that matter.
#[derive(Debug, Default)]
pub(super) struct Attributes(Vec<(String, String)>);

impl Attributes {
    /// The value of an attribute.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn of(element: &BytesStart<'_>) -> Result<Attributes> {
        const KEPT: &[&str] = &[
            "name",
            "classname",
            "status",
            "result",
            "type",
            "tests",
            "failures",
            "errors",
            "skipped",
            "disabled",
            "timestamp",
        ];
        let mut kept = Vec::new();
        for (number, attribute) in element.attributes().enumerate() {
            if number >= ATTRIBUTES {
                return Err(fault("an element has too many attributes"));
            }
            let attribute = attribute.map_err(|error| fault(format!("an attribute is malformed: {error}")))?;
            if attribute.value.contains('<') {
                return Err(fault("an attribute holds a '<'"));
            }
            let value = escape::unescape(&attribute.value).map_err(|_| foreign_entity())?;
            if KEPT.contains(&attribute.key.as_ref()) {
                if value.len() > ATTRIBUTE {
                    return Err(fault("an attribute is too long"));
                }
                kept.push((attribute.key.as_ref().to_owned(), value.into_owned()));
            }
        }
        Ok(Attributes(kept))
    }
}

/// Reads a whole report.
pub(super) fn read(bytes: &[u8]) -> Result<JunitReport> {
    if bytes.len() as u64 > LARGEST {
        return Err(fault(format!("it is larger than {LARGEST} bytes")));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| fault("it is not UTF-8"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().check_comments = true;
    let mut walk = Walk::default();
    loop {
        match reader.read_event().map_err(|error| fault(format!("it is not XML: {error}")))? {
            Event::Start(element) => walk.open(&element)?,
            Event::End(_) => walk.close()?,
            Event::Empty(element) => {
                walk.open(&element)?;
                walk.close()?;
            }
            Event::Text(text) if walk.open.is_empty() && !text.trim_ascii().is_empty() => {
                return Err(fault("it holds text outside its elements"));
            }
            Event::CData(_) if walk.open.is_empty() => return Err(fault("it holds text outside its elements")),
            Event::Text(_) | Event::CData(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::GeneralRef(name) => {
                let plain = matches!(name.as_ref(), "amp" | "lt" | "gt" | "quot" | "apos");
                if walk.open.is_empty() || !(plain || matches!(name.resolve_char_ref(), Ok(Some(_)))) {
                    return Err(foreign_entity());
                }
            }
            Event::Decl(declaration) => {
                let encoding = declaration.encoding().transpose().map_err(|_| fault("its declaration is malformed"))?;
                if encoding.is_some_and(|name| !is_utf8(&name, text)) {
                    return Err(fault("it is not in UTF-8"));
                }
            }
            Event::DocType(_) => return Err(fault("it has a document type, which reports have no need of")),
            Event::Eof => return walk.end(),
        }
    }
}

/// The name of the outermost element; `None` where there is none to be read.
pub(super) fn root(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..bytes.len().min(64 << 10)).unwrap_or(bytes);
    let head = head.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default();
    let mut reader = Reader::from_str(head.strip_prefix('\u{feff}').unwrap_or(head));
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => return Some(element.name().as_ref().to_owned()),
            Ok(Event::Decl(_) | Event::Comment(_) | Event::PI(_)) => {}
            Ok(Event::Text(text)) if text.trim_ascii().is_empty() => {}
            _ => return None,
        }
    }
}

/// Whether an encoding of this name reads this text as UTF-8 does.
fn is_utf8(name: &str, text: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let wide = ["utf-16", "utf-32", "utf16", "utf32", "ucs", "iso-10646", "ebcdic", "utf-7"];
    name == "utf-8" || name == "utf8" || (text.is_ascii() && !wide.iter().any(|wide| name.starts_with(wide)))
}

fn fault(why: impl std::fmt::Display) -> Diagnostic {
    Code::Rapid1321.because(format!("the test report cannot be read: {why}"))
}

fn foreign_entity() -> Diagnostic {
    fault("it uses an entity that is not one of the five of XML")
}

/// An element that is open.
enum Open {
    Suite(Suite),
    Case(Box<Case>),
    Other,
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    elements: u64,
    cases: u64,
    ended: bool,
    report: JunitReport,
}

impl Walk {
    fn open(&mut self, element: &BytesStart<'_>) -> Result<()> {
        self.elements = self.elements.saturating_add(1);
        if self.open.len() >= DEPTH {
            return Err(fault("its elements nest too deeply"));
        }
        if self.elements > ELEMENTS {
            return Err(fault("it has too many elements"));
        }
        if self.ended {
            return Err(fault("something follows its end"));
        }
        let name = element.name();
        let name: &str = name.as_ref();
        if name.split_once(':').is_some_and(|(_, local)| WORDS.contains(&local)) {
            return Err(fault("an element of the report has a prefix"));
        }
        let attributes = Attributes::of(element)?;
        self.report.dated |= attributes.get("timestamp").is_some_and(|time| !time.is_empty());
        let open = match (self.open.last_mut(), name) {
            (None, "testsuites") => Open::Suite(Suite::new(&attributes).nameless()),
            (None | Some(Open::Suite(_)), "testsuite") => Open::Suite(Suite::new(&attributes)),
            (None, _) => return Err(fault(format!("it begins with '{}', not with test suites", shown(name)))),
            (Some(Open::Suite(_)), "testcase") => {
                self.cases = self.cases.saturating_add(1);
                if self.cases > MAX_TESTS {
                    return Err(fault("it has too many test cases"));
                }
                Open::Case(Box::new(Case::new(&attributes)))
            }
            (Some(Open::Suite(suite)), "failure" | "error") => {
                suite.failed();
                self.report.other_failures = self.report.other_failures.saturating_add(1);
                Open::Other
            }
            (Some(Open::Case(case)), name) if !matches!(name, "testcase" | "testsuite" | "testsuites") => {
                case.child(name, &attributes);
                Open::Other
            }
            (Some(_), "testcase" | "testsuite" | "testsuites") => {
                return Err(fault(format!("a '{name}' stands where none can")));
            }
            (Some(_), _) => Open::Other,
        };
        self.open.push(open);
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        match self.open.pop() {
            Some(Open::Suite(suite)) => self.suite_ends(suite),
            Some(Open::Case(case)) => self.case_ends(*case)?,
            Some(Open::Other) => {}
            None => return Err(fault("an element ends that never began")),
        }
        self.ended = self.open.is_empty();
        Ok(())
    }

    fn suite_ends(&mut self, suite: Suite) {
        if suite.hides_failures() {
            self.report.other_failures = self.report.other_failures.max(1);
        }
        self.report.fault = self.report.fault.or(suite.fault());
        if let Some(Open::Suite(outer)) = self.open.last_mut() {
            outer.inner(&suite);
        }
    }

    fn case_ends(&mut self, case: Case) -> Result<()> {
        if case.name.trim().is_empty() {
            return Err(fault("a test case has no name"));
        }
        let outcome = case.outcome();
        let mut path: Vec<&str> = Vec::new();
        for open in &self.open {
            if let Open::Suite(suite) = open {
                path.push(&suite.name);
            }
        }
        let class = case.class.trim();
        let suite = path.last().copied().unwrap_or_default();
        let catch2 =
            case.plain_run && !suite.is_empty() && class.strip_prefix(suite).is_some_and(|c| c.starts_with('.'));
        if !path.contains(&class) {
            path.push(class);
        }
        path.push(case.name.trim());
        path.retain(|part| !part.is_empty());
        let name = path.join(" > ");
        self.report.tests.add(&name, outcome);
        if let Some(Open::Suite(suite)) = self.open.last_mut() {
            suite.case(outcome, case.failed_to_do(), catch2);
        }
        Ok(())
    }

    fn end(self) -> Result<JunitReport> {
        match self.ended && self.open.is_empty() {
            true => Ok(self.report),
            false => Err(fault("it is cut off, or empty")),
        }
    }
}

fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(40).collect()
}
