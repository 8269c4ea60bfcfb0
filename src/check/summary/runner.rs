//! The test runners that are known, one file each, and the table that joins them.
//!
//! A runner is one file with a `scan` function, and one row in the table below. A scanner gets all lines and reports what
//! it finds; it knows nothing of the other runners, of the exit code or of the command. Not here: adding up.

mod alcotest;
mod automake;
mod ava;
mod bats;
mod behave;
mod boost;
mod bun;
mod busted;
mod cabal;
mod cargo_test;
mod catch2;
mod check_c;
mod clojure;
mod common_test;
mod criterion;
mod ctest;
mod cucumber;
mod cunit;
mod dejagnu;
mod deno;
mod doctest_cpp;
mod doctest_py;
mod eunit;
mod exunit;
mod ginkgo;
mod go_json;
mod go_test;
mod gotestsum;
mod gradle;
mod green;
mod gtest;
mod hunit;
mod jasmine;
mod jest;
mod json_report;
mod junit4;
mod junit_console;
mod junit_xml;
mod libtest_json;
mod luaunit;
mod meson;
mod minitest;
mod mocha;
mod nextest;
mod nim;
mod node_spec;
mod node_tap;
mod ounit;
mod phpunit;
mod plain;
mod playwright;
mod prove;
mod pytest;
mod pytest_words;
mod robot;
mod rspec;
mod shunit2;
mod srfi64;
mod stestr;
mod surefire;
mod tap;
mod tap_line;
mod tap_stream;
mod tasty;
mod tcltest;
mod test_unit;
mod testng;
mod testthat;
mod trial;
mod unittest;
mod uvu;
mod vitest;
mod wrappers;
mod xml;

use super::finding::Findings;

/// The cleaned lines of an output.
pub(super) type Lines<'t> = [&'t str];

macro_rules! runners {
    ($($(#[doc = $doc:literal])+ $name:ident = $word:literal by [$($scan:path),*];)+) => {
        /// A test runner whose summaries are recognised.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Runner {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Runner {
            /// Every runner.
            pub const ALL: &[Runner] = &[$(Runner::$name),+];

            /// The word used in records.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Runner::$name => $word,)+
                }
            }
        }

        /// Lets every runner look for its sessions.
        pub(super) fn scan_all(lines: &Lines<'_>, findings: &mut Findings) {
            $($($scan(lines, findings);)*)+
            wrappers::scan(lines, findings);
        }
    };
}

runners! {
    /// `cargo test` and whatever else prints libtest's text or JSON.
    CargoTest = "cargo-test" by [cargo_test::scan, libtest_json::scan];
    /// `cargo nextest run`.
    Nextest = "cargo-nextest" by [nextest::scan];
    /// pytest, with or without pytest-xdist and pytest-sugar.
    Pytest = "pytest" by [pytest::scan];
    /// Python's unittest and nose2.
    Unittest = "unittest" by [unittest::scan];
    /// `node --test`, spec reporter or TAP.
    NodeTest = "node-test" by [node_spec::scan];
    /// `go test -v` and `go test -json`.
    GoTest = "go-test" by [go_test::scan, go_json::scan];
    /// The Test Anything Protocol of no particular runner.
    Tap = "tap" by [tap::scan];
    /// jest.
    Jest = "jest" by [jest::scan];
    /// vitest.
    Vitest = "vitest" by [vitest::scan];
    /// mocha.
    Mocha = "mocha" by [mocha::scan];
    /// AVA.
    Ava = "ava" by [ava::scan];
    /// jasmine.
    Jasmine = "jasmine" by [jasmine::scan];
    /// uvu.
    Uvu = "uvu" by [uvu::scan];
    /// node-tap.
    NodeTap = "node-tap" by [node_tap::scan];
    /// Playwright.
    Playwright = "playwright" by [playwright::scan];
    /// `bun test`.
    Bun = "bun-test" by [bun::scan];
    /// `deno test`.
    Deno = "deno-test" by [deno::scan];
    /// cucumber, in JavaScript and Ruby.
    Cucumber = "cucumber" by [cucumber::scan];
    /// behave.
    Behave = "behave" by [behave::scan];
    /// Robot Framework.
    Robot = "robotframework" by [robot::scan];
    /// Twisted's trial.
    Trial = "trial" by [trial::scan];
    /// green.
    Green = "green" by [green::scan];
    /// stestr.
    Stestr = "stestr" by [stestr::scan];
    /// Python's doctest.
    DoctestPy = "doctest-py" by [doctest_py::scan];
    /// gotestsum.
    Gotestsum = "gotestsum" by [gotestsum::scan];
    /// ginkgo.
    Ginkgo = "ginkgo" by [ginkgo::scan];
    /// PHPUnit.
    Phpunit = "phpunit" by [phpunit::scan];
    /// RSpec.
    Rspec = "rspec" by [rspec::scan];
    /// hspec.
    Hspec = "hspec" by [];
    /// Crystal's spec.
    CrystalSpec = "crystal-spec" by [];
    /// minitest.
    Minitest = "minitest" by [minitest::scan];
    /// Ruby's test-unit.
    TestUnit = "test-unit" by [test_unit::scan];
    /// Perl's prove.
    Prove = "prove" by [prove::scan];
    /// bats with its pretty formatter.
    Bats = "bats" by [bats::scan];
    /// shunit2.
    Shunit2 = "shunit2" by [shunit2::scan];
    /// busted.
    Busted = "busted" by [busted::scan];
    /// LuaUnit.
    Luaunit = "luaunit" by [luaunit::scan];
    /// tcltest.
    Tcltest = "tcltest" by [tcltest::scan];
    /// DejaGnu.
    Dejagnu = "dejagnu" by [dejagnu::scan];
    /// SRFI 64.
    Srfi64 = "srfi64" by [srfi64::scan];
    /// testthat.
    Testthat = "testthat" by [testthat::scan];
    /// GoogleTest.
    Googletest = "googletest" by [gtest::scan];
    /// cmocka.
    Cmocka = "cmocka" by [];
    /// Catch2.
    Catch2 = "catch2" by [catch2::scan];
    /// doctest for C++.
    DoctestCpp = "doctest-cpp" by [doctest_cpp::scan];
    /// Boost.Test.
    BoostTest = "boost-test" by [boost::scan];
    /// Check for C.
    CheckC = "check-c" by [check_c::scan];
    /// Criterion for C.
    CriterionC = "criterion-c" by [criterion::scan];
    /// CUnit.
    Cunit = "cunit" by [cunit::scan];
    /// ctest.
    Ctest = "ctest" by [ctest::scan];
    /// `meson test`.
    Meson = "meson-test" by [meson::scan];
    /// `make check` of automake.
    Automake = "automake-check" by [automake::scan];
    /// Maven's surefire and failsafe.
    Surefire = "maven-surefire" by [surefire::scan];
    /// Gradle.
    Gradle = "gradle" by [gradle::scan];
    /// JUnit's console launcher.
    JunitConsole = "junit-console" by [junit_console::scan];
    /// JUnit 4's own runner.
    Junit4 = "junit4" by [junit4::scan];
    /// TestNG.
    Testng = "testng" by [testng::scan];
    /// ExUnit.
    Exunit = "exunit" by [exunit::scan];
    /// EUnit.
    Eunit = "eunit" by [eunit::scan];
    /// Common Test.
    CommonTest = "common-test" by [common_test::scan];
    /// tasty.
    Tasty = "tasty" by [tasty::scan];
    /// HUnit.
    Hunit = "hunit" by [hunit::scan];
    /// `cabal test`.
    Cabal = "cabal-test" by [cabal::scan];
    /// alcotest.
    Alcotest = "alcotest" by [alcotest::scan];
    /// OUnit.
    Ounit = "ounit2" by [ounit::scan];
    /// clojure.test.
    ClojureTest = "clojure-test" by [clojure::scan];
    /// Nim's unittest.
    NimUnittest = "nim-unittest" by [nim::scan];
    /// A report of a whole run in JSON.
    JsonReport = "json-report" by [json_report::scan];
    /// JUnit XML of no particular runner.
    JunitXml = "junit-xml" by [junit_xml::scan];
    /// A home-made closing line such as `3 passed, 0 failed`.
    Plain = "plain" by [plain::scan];
}

impl Runner {
    /// Whether this is a format several runners can write besides their own text.
    pub(super) fn is_format(self) -> bool {
        matches!(self, Runner::JunitXml | Runner::JsonReport)
    }

    /// The runners whose sessions a summary of this one sums up, although it prints no header above them.
    pub(super) fn sums_up(self) -> &'static [Runner] {
        match self {
            Runner::NodeTap | Runner::Prove => &[Runner::Tap],
            Runner::Gotestsum => &[Runner::GoTest],
            _ => &[],
        }
    }

    /// What to change so that the output settles the question.
    pub(super) fn advice(self) -> Option<&'static str> {
        match self {
            Runner::GoTest => Some("run `go test -v ./...` or `go test -json ./...`, which print every test"),
            Runner::Pytest => Some("drop one `-q`, or let pytest write a JUnit file to a path you choose"),
            _ => None,
        }
    }
}
