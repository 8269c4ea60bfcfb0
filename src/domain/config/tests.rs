//! The configuration: what is read, and what is refused.

use super::*;

#[test]
fn an_empty_file_is_the_default() {
    assert_eq!(Config::parse("").unwrap(), Config::default());
}

#[test]
fn every_key_is_read() {
    let text = r#"
test_command = ["cargo", "test"]
ruleset = 4
approvals = "signed"
[snapshot]
max_file_size = "1MiB"
litter = ["out"]
[enforce]
pre_push = "require"
extras = "refuse"
merges = "rerun"
[push]
attachments = "all"
[hooks]
push_ledger = "try"
[limits]
check_timeout = "5m"
log_size = "64KiB"
[redact]
patterns = ["corp-[0-9]+"]
allow = ["corp-0"]
[checks]
junit = "target/junit.xml"
[policy]
minimum_risk = "medium"
"#;
    let config = Config::parse(text).unwrap();
    assert_eq!(config.test_command.as_deref(), Some(&["cargo".to_owned(), "test".to_owned()][..]));
    assert_eq!(config.ruleset, Ruleset::V4);
    assert_eq!(config.approvals, Approvals::Signed);
    assert_eq!((config.max_file_size, config.log_size), (1 << 20, 64 << 10));
    assert_eq!(config.pre_push, PushRules::all(PrePush::Require));
    assert_eq!((config.extras, config.merges), (Extras::Refuse, Merges::Rerun));
    assert_eq!(config.push_ledger, PushLedger::Try);
    assert_eq!(config.push_attachments, PushAttachments::All);
    assert_eq!(config.check_timeout, Some(Duration::from_secs(300)));
    assert_eq!(config.junit.as_ref().map(RelativePath::as_str), Some("target/junit.xml"));
    assert!(config.policy.is_some());
}

#[test]
fn a_plain_command_line_is_split_and_a_shell_line_is_not() {
    assert_eq!(Config::parse("test_command = \"npm test\"").unwrap().test_command.unwrap(), ["npm", "test"]);
    for odd in [
        "test_command = \"a | b\"",
        "test_command = \"\"",
        "test_command = []",
        "test_command = 3",
        "test_command = [\"\"]",
    ] {
        assert_eq!(Config::parse(odd).unwrap_err().code, Code::Rapid1600, "{odd}");
    }
}

#[test]
fn faults_name_the_place_and_the_nearest_key() {
    let unknown = Config::parse("rulset = 4").unwrap_err();
    assert_eq!((unknown.code, unknown.hints), (Code::Rapid1601, vec!["did you mean 'ruleset'?".to_owned()]));
    let nested = Config::parse("[enforce]\npre_puhs = \"off\"").unwrap_err();
    assert_eq!(nested.hints, ["did you mean 'enforce.pre_push'?"]);
    let broken = Config::parse("a = 1\nb = ").unwrap_err();
    assert_eq!(broken.code, Code::Rapid1600);
    assert!(broken.message.contains("line 2"), "{}", broken.message);
    for odd in [
        "ruleset = 9",
        "ruleset = \"4\"",
        "approvals = \"sms\"",
        "ruleset = 4.5",
        "[enforce]\nextras = \"perhaps\"",
        "snapshot = 3",
    ] {
        assert_eq!(Config::parse(odd).unwrap_err().code, Code::Rapid1600, "{odd}");
    }
}

#[test]
fn a_report_lies_below_the_top() {
    for odd in ["\"/tmp/x.xml\"", "\"../x.xml\"", "\"\"", "3"] {
        let text = format!("[checks]\njunit = {odd}");
        assert_eq!(Config::parse(&text).unwrap_err().code, Code::Rapid1600, "{odd}");
    }
}

#[test]
fn a_push_is_ruled_by_the_longest_pattern_that_fits() {
    let text = r#"
[enforce.pre_push]
main = "require"
"release/*" = "require"
"release/old" = "off"
"refs/tags/v*" = "require"
"refs/for/**" = "warn"
"*" = "off"
"#;
    let rules = Config::parse(text).unwrap().pre_push;
    for (reference, word) in [
        ("refs/heads/main", PrePush::Require),
        ("refs/heads/mainline", PrePush::Off),
        ("refs/heads/release/1.0", PrePush::Require),
        ("refs/heads/release/1.0/fix", PrePush::Off),
        ("refs/heads/release/old", PrePush::Off),
        ("refs/tags/v1", PrePush::Require),
        ("refs/tags/main", PrePush::Off),
        ("refs/for/main", PrePush::Warn),
        ("refs/notes/commits", PrePush::Off),
    ] {
        assert_eq!(rules.of(reference), word, "{reference}");
    }
    let all = PushRules::all(PrePush::Require);
    assert_eq!(all.of("refs/heads/a/b"), PrePush::Require);
    assert_eq!(all.of("refs/tags/v1"), PrePush::Require);
    assert_eq!(all.of("refs/rapid/ledger"), PrePush::Off);
    for odd in
        ["pre_push = 3", "pre_push = { main = 1 }", "pre_push = { main = \"never\" }", "pre_push = { \"[\" = \"off\" }"]
    {
        assert_eq!(Config::parse(&format!("[enforce]\n{odd}")).unwrap_err().code, Code::Rapid1600, "{odd}");
    }
}
