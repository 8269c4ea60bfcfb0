//! Tests of the life cycles: every pair (from, to) is allowed by the table of the specification (§2.2, §2.6), or refused with
//! the code of its kind.

use super::*;
use crate::diagnostics::{Code, Result};

/// Compares every pair with the lines `from: to to`.
fn table<T: Copy + std::fmt::Display>(all: &[T], lines: &str, code: Code, step: impl Fn(T, T) -> Result<T>) {
    let mut allowed = Vec::new();
    for line in lines.lines() {
        let (from, to) = line.trim().split_once(':').unwrap();
        allowed.extend(to.split_whitespace().map(|to| (from.trim().to_owned(), to.to_owned())));
    }
    let mut found = 0;
    for &from in all {
        for &to in all {
            let due = allowed.contains(&(from.to_string(), to.to_string()));
            match step(from, to) {
                Ok(reached) => assert!(due && reached.to_string() == to.to_string(), "{from} -> {to} is allowed"),
                Err(refusal) => assert!(!due && refusal.code == code, "{from} -> {to}: {refusal}"),
            }
            found += usize::from(due);
        }
    }
    assert_eq!(found, allowed.len(), "every line names what there is");
}

#[test]
fn specs() {
    let lines = "draft: draft ready archived
        ready: draft ready archived";
    table(SpecStatus::ALL, lines, Code::Rapid805, SpecStatus::step);
}

#[test]
fn runs() {
    let lines = "prepared: active cancelled
        active: blocked finished failed cancelled
        blocked: active failed cancelled";
    table(RunStatus::ALL, lines, Code::Rapid1009, RunStatus::step);
    let terminal: Vec<&str> = RunStatus::ALL.iter().filter(|s| s.is_terminal()).map(|s| s.as_str()).collect();
    assert_eq!(terminal, ["finished", "failed", "cancelled"]);
}

#[test]
fn tasks() {
    let lines = "pending: in_progress skipped
        in_progress: blocked done skipped
        blocked: in_progress skipped";
    table(TaskStatus::ALL, lines, Code::Rapid1010, TaskStatus::step);
    let terminal: Vec<&str> = TaskStatus::ALL.iter().filter(|s| s.is_terminal()).map(|s| s.as_str()).collect();
    assert_eq!(terminal, ["done", "skipped"]);
}

#[test]
fn gates() {
    table(Disposition::ALL, "pending: acknowledged waived", Code::Rapid1013, Disposition::step);
    let decided: Vec<&str> = Disposition::ALL.iter().filter(|d| d.is_decided()).map(|d| d.as_str()).collect();
    assert_eq!(decided, ["acknowledged", "waived"]);
}
