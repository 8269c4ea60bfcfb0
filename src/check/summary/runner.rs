//! The test runners that are known, one file each, and the table that joins them.
//!
//! A runner is one file with a `scan` function, and one row in the table below. A scanner gets all lines and reports what
//! it finds; it knows nothing of the other runners, of the exit code or of the command. Not here: adding up.

mod alcotest;
mod automake;
mod ava;
mod bats;
mod bazel;
mod behave;
mod boost;
mod buck2;
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
mod cypress;
mod dart;
mod dejagnu;
mod deno;
mod doctest_cpp;
mod doctest_py;
mod dotnet;
mod eunit;
mod exunit;
mod foundry;
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
mod julia;
mod junit4;
mod junit_console;
mod junit_xml;
mod karma;
mod libtest_json;
mod luaunit;
mod meson;
mod minitest;
mod mocha;
mod mtp;
mod nextest;
mod nim;
mod node_spec;
mod node_tap;
mod ounit;
mod pest;
mod pester;
mod phpunit;
mod plain;
mod playwright;
mod prove;
mod pytest;
mod pytest_words;
mod robot;
mod rspec;
mod sbt;
mod scalatest;
mod shunit2;
mod srfi64;
mod stestr;
mod surefire;
mod swift_testing;
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
mod webdriverio;
mod wrappers;
mod xctest;
mod xml;
mod zig;

use super::finding::Findings;
use super::shown;

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
            shown::scan(lines, findings);
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
    /// `dotnet test` with VSTest.
    Dotnet = "dotnet-test" by [dotnet::scan];
    /// Microsoft.Testing.Platform.
    Mtp = "testing-platform" by [mtp::scan];
    /// XCTest.
    Xctest = "xctest" by [xctest::scan];
    /// Swift Testing.
    SwiftTesting = "swift-testing" by [swift_testing::scan];
    /// `zig test`.
    Zig = "zig-test" by [zig::scan];
    /// Julia's Test.
    Julia = "julia-test" by [julia::scan];
    /// `dart test` and `flutter test`.
    Dart = "dart-test" by [dart::scan];
    /// ScalaTest.
    Scalatest = "scalatest" by [scalatest::scan];
    /// sbt.
    Sbt = "sbt" by [sbt::scan];
    /// Bazel.
    Bazel = "bazel-test" by [bazel::scan];
    /// Buck2.
    Buck2 = "buck2-test" by [buck2::scan];
    /// Foundry.
    Foundry = "foundry" by [foundry::scan];
    /// Pest.
    Pest = "pest" by [pest::scan];
    /// Cypress.
    Cypress = "cypress" by [cypress::scan];
    /// Karma.
    Karma = "karma" by [karma::scan];
    /// WebdriverIO.
    Webdriverio = "webdriverio" by [webdriverio::scan];
    /// Pester.
    Pester = "pester" by [pester::scan];
    /// A report of a whole run in JSON.
    JsonReport = "json-report" by [json_report::scan];
    /// JUnit XML of no particular runner.
    JunitXml = "junit-xml" by [junit_xml::scan];
    /// A home-made closing line such as `3 passed, 0 failed`.
    Plain = "plain" by [plain::scan];
}

impl Runner {
    /// Whether this can be a second view of what a runner's own text says: a format several runners write, or a closing
    /// line a script prints about the runners it started.
    pub(super) fn is_format(self) -> bool {
        matches!(self, Runner::JunitXml | Runner::JsonReport | Runner::Plain)
    }

    /// The runners whose sessions a summary of this one sums up, although it prints no header above them.
    pub(super) fn sums_up(self) -> &'static [Runner] {
        match self {
            Runner::NodeTap | Runner::Prove => &[Runner::Tap],
            Runner::Gotestsum => &[Runner::GoTest],
            Runner::Sbt => &[Runner::Scalatest],
            Runner::Cypress => &[Runner::Mocha],
            _ => &[],
        }
    }

    /// What to change so that the output settles the question.
    pub(super) fn advice(self) -> Option<&'static str> {
        match self {
            Runner::GoTest => Some("run `go test -v ./...` or `go test -json ./...`, which print every test"),
            Runner::Pytest => Some("drop one `-q`, or have pytest write a JUnit file to a path you choose"),
            Runner::Gradle => Some("have the check read the XML files in `build/test-results`, which hold the counts"),
            Runner::Surefire | Runner::Ctest | Runner::Tasty => Some("run it without its quiet flag"),
            Runner::DoctestPy => Some("run doctest with `-v`, which prints a total"),
            Runner::Cabal => Some("run the test program itself, or `cabal test --test-show-details=direct`"),
            Runner::NimUnittest => Some("end the tests with a line such as `12 passed, 0 failed`"),
            Runner::Bazel => Some("run it with `--nocache_test_results`, so that the tests are executed now"),
            _ => None,
        }
    }
}
