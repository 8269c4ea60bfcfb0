//! What no reader of reports should swallow.

use super::*;

fn refused(bytes: &[u8], what: &str) {
    let error = read(bytes).expect_err(what);
    assert_eq!(error.code, Code::Rapid1321, "{what}");
    assert!(error.message.len() < 400, "{what}: {}", error.message);
}

#[test]
fn what_reports_have_no_need_of_is_refused() {
    let inside = |text: &str| format!("<testsuite name='s'><testcase name='a'>{text}</testcase></testsuite>");
    for (what, text) in [
        ("nothing", String::new()),
        ("blanks", " \n".to_owned()),
        ("no XML", "5 passed".to_owned()),
        ("another root", "<html/>".to_owned()),
        ("a case as the root", "<testcase name='a'/>".to_owned()),
        ("a document type", format!("<!DOCTYPE testsuite>{}", inside(""))),
        ("a document type from elsewhere", format!("<!DOCTYPE t SYSTEM 'file:///etc/passwd'>{}", inside(""))),
        ("an entity of its own", format!("<!DOCTYPE t [<!ENTITY e 'x'>]>{}", inside("&e;"))),
        (
            "a billion laughs",
            format!(
                "<!DOCTYPE t [<!ENTITY a '0123456789'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>\
                 <!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]>{}",
                inside("&c;")
            ),
        ),
        ("an unknown entity", inside("&nbsp;")),
        ("an unknown entity in an attribute", "<testsuite name='&e;'/>".to_owned()),
        ("a character that is none", inside("&#xD800;")),
        ("a character beyond all", "<testsuite name='&#x110000;'/>".to_owned()),
        ("a lone ampersand", inside("a & b")),
        ("cut off in a case", "<testsuite name='s'><testcase name='a'>".to_owned()),
        ("cut off in a tag", "<testsuite name='s'><testcase name='a'/></testsui".to_owned()),
        ("cut off in an attribute", "<testsuite name='s".to_owned()),
        ("cut off in CDATA", inside("<system-out><![CDATA[x</system-out>")),
        ("cut off in a comment", inside("<!-- x")),
        ("ends that cross", "<testsuite name='s'><testcase name='a'></testsuite></testcase>".to_owned()),
        ("an end without a beginning", format!("{}</testsuite>", inside(""))),
        ("two roots", format!("{}{}", inside(""), inside(""))),
        ("text after the end", format!("{}5 passed", inside(""))),
        ("text before the beginning", format!("noise{}", inside(""))),
        ("an entity after the end", format!("{}&amp;", inside(""))),
        ("CDATA after the end", format!("{}<![CDATA[x]]>", inside(""))),
        ("a case in a case", inside("<testcase name='b'/>")),
        ("a suite in a case", inside("<testsuite name='b'/>")),
        ("a case in the output", inside("<system-out><testcase name='b'/></system-out>")),
        ("a case without a name", "<testsuite name='s'><testcase classname='a'/></testsuite>".to_owned()),
        ("an attribute twice", "<testsuite name='s' name='t'/>".to_owned()),
        ("an attribute without quotes", "<testsuite name=s/>".to_owned()),
        ("a tag in an attribute", "<testsuite name='<failure/>'/>".to_owned()),
        ("a prefix", "<x:testsuite xmlns:x='u' name='s'/>".to_owned()),
        ("a prefix on a failure", inside("<j:failure/>")),
        ("another encoding", format!("<?xml version='1.0' encoding='ISO-8859-1'?>{}", inside("é"))),
        ("a wide encoding that lies", format!("<?xml version='1.0' encoding='UTF-16'?>{}", inside(""))),
        ("too deep", format!("{}{}", "<testsuite name='s'>".repeat(100), "</testsuite>".repeat(100))),
        ("deep and never closed", "<a>".repeat(100_000)),
        ("too many attributes", format!("<testsuite {}/>", (0..100).map(|n| format!("a{n}='x' ")).collect::<String>())),
        ("a huge name", format!("<testsuite name='{}'/>", "x".repeat(1 << 17))),
    ] {
        refused(text.as_bytes(), what);
    }
}

#[test]
fn only_utf8_is_read() {
    let text = "<testsuite name='s'><testcase name='a'/></testsuite>";
    let wide = |bytes: [u8; 2], unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        bytes.into_iter().chain(text.encode_utf16().flat_map(unit)).collect()
    };
    refused(&wide([0xff, 0xfe], u16::to_le_bytes), "UTF-16, little end first");
    refused(&wide([0xfe, 0xff], u16::to_be_bytes), "UTF-16, big end first");
    refused(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(), "UTF-16 without a mark");
    refused(b"<testsuite name='\xff'/>", "bytes that are no text");
    assert_eq!(numbers(&format!("\u{feff}{text}")), (1, 0, 0), "the mark of UTF-8 says nothing");
    assert_eq!(numbers(&format!("<?xml version='1.0' encoding='us-ascii'?>{text}")), (1, 0, 0));
    assert_eq!(numbers(&format!("<?xml version='1.0' encoding='ISO-8859-1'?>{text}")), (1, 0, 0));
}

#[test]
fn long_messages_and_many_cases_are_read_in_time() {
    let mut text = "<testsuite name='s'>".to_owned();
    for number in 0..20_000 {
        text += &format!("<testcase name='t{number}'/>");
    }
    text += &format!("<testcase name='x'><failure message='{}'/></testcase></testsuite>", "m".repeat(1 << 20));
    assert_eq!(numbers(&text), (20_000, 1, 0));
}

#[test]
fn namespaces_without_a_prefix_change_nothing() {
    let text = "<testsuite xmlns='http://example.org/j' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' \
                xsi:noNamespaceSchemaLocation='x.xsd' name='s'><testcase name='a'/></testsuite>";
    assert_eq!(numbers(text), (1, 0, 0));
}
