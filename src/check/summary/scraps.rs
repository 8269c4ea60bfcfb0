//! Lines that only a red total has, also when something else is printed in its middle and it is no total any more.
//!
//! A process that was left behind may print between two lines of a runner's closing block. The block is then not recognised,
//! and a green one beside it must not stand for the whole. Without a red total such a line is
//! a contradiction. Not here: whole totals, which each runner's scanner reads.

use super::pattern::patterns;

patterns! {
    SCRAP = r"(?x)
        # unittest, nose2, green, trial, shunit2
        ^FAILED\ \([A-Za-z_]+[A-Za-z_\ =0-9,]*\)$
        # mocha, AVA
        | ^\ \ [1-9][0-9]*\ (?:failing|tests?\ failed|unhandled\ rejections?|uncaught\ exceptions?)$
        # RSpec, hspec, jasmine, ExUnit, minitest, behave
        | ^[0-9]+\ (?:examples?|specs?|(?:doc)?tests?|propert(?:y|ies)|runs|(?:features?|scenarios?)\ passed),\ (?:.*\ )?
          [1-9][0-9]*\ (?:fail|error|invalid|undefined)[a-z]*(?:[,\ ].*)?$
        # cucumber
        | ^[0-9]+\ (?:scenarios?|steps?)\ \((?:.*,\ )?[1-9][0-9]*\ (?:failed|undefined|ambiguous)[,)]
        # jest
        | ^(?:Test\ Suites|Tests):\ +(?:.*\ )?[1-9][0-9]*\ failed[,\ ]
        # vitest
        | ^\ +(?:Test\ Files|Tests|Type\ Errors|Errors)\ +[1-9][0-9]*\ (?:failed|errors?)(?:\ .*)?$
        # node
        | ^(?:\#|ℹ|\t*<!--)\ (?:fail|cancelled)\ [1-9][0-9]*(?:\ -->)?$
        # prove, OUnit, clojure.test, JUnit's console launcher
        | ^Result:\ FAIL$ | ^FAILED:\ Cases:\ [0-9]
        | ^(?:[1-9][0-9]*\ failures,\ [0-9]+|[0-9]+\ failures,\ [1-9][0-9]*)\ errors\.$
        | ^\[\ +[1-9][0-9]*\ (?:tests|containers)\ failed\ +\]$
        # DejaGnu
        | ^\#\ of\ (?:unexpected\ (?:failures|successes)|unresolved\ testcases)\s+[1-9]
        # meson
        | ^(?:Fail|Unexpected\ Pass|Timeout):\ +[1-9][0-9]*$
        # JUnit XML
        | ^\s*<testsuites?\ [^>]*\b(?:failures|errors)=\x22[1-9]
        # CUnit
        | ^\ +(?:suites|tests)\ +[0-9]+\ +[0-9]+\ +\S+\ +[1-9][0-9]*\ +[0-9]+$";
}

/// What such a line without a red total means.
pub(super) const TORN: &str = "a line that counts failures belongs to no summary";

/// Parts of which each such line has one: most lines have none.
const PARTS: [&str; 9] = ["fail", "FAIL", "Fail", "rror", "un", "Un", "Timeout", "cancelled", "ambiguous"];

/// Whether this is such a line.
pub(super) fn is(line: &str) -> bool {
    let table = line.starts_with("  ") && line.ends_with(|c: char| c.is_ascii_digit());
    (table || PARTS.iter().any(|part| line.contains(part))) && SCRAP.is_match(line)
}
