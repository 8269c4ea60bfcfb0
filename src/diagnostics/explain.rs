//! The pages that explain the codes, one file each in `docs/codes`, built into the program.
//!
//! A code without a page does not compile; what a page must hold is tested below, and that
//! none is left over by the house rules.

use super::Code;

/// The page of a code, in Markdown.
pub fn page(code: Code) -> &'static str {
    match code {
        Code::Rapid001 => include_str!("../../docs/codes/RAPID001.md"),
        Code::Rapid002 => include_str!("../../docs/codes/RAPID002.md"),
        Code::Rapid003 => include_str!("../../docs/codes/RAPID003.md"),
        Code::Rapid004 => include_str!("../../docs/codes/RAPID004.md"),
        Code::Rapid109 => include_str!("../../docs/codes/RAPID109.md"),
        Code::Rapid801 => include_str!("../../docs/codes/RAPID801.md"),
        Code::Rapid802 => include_str!("../../docs/codes/RAPID802.md"),
        Code::Rapid803 => include_str!("../../docs/codes/RAPID803.md"),
        Code::Rapid804 => include_str!("../../docs/codes/RAPID804.md"),
        Code::Rapid805 => include_str!("../../docs/codes/RAPID805.md"),
        Code::Rapid806 => include_str!("../../docs/codes/RAPID806.md"),
        Code::Rapid807 => include_str!("../../docs/codes/RAPID807.md"),
        Code::Rapid1001 => include_str!("../../docs/codes/RAPID1001.md"),
        Code::Rapid1002 => include_str!("../../docs/codes/RAPID1002.md"),
        Code::Rapid1003 => include_str!("../../docs/codes/RAPID1003.md"),
        Code::Rapid1005 => include_str!("../../docs/codes/RAPID1005.md"),
        Code::Rapid1006 => include_str!("../../docs/codes/RAPID1006.md"),
        Code::Rapid1007 => include_str!("../../docs/codes/RAPID1007.md"),
        Code::Rapid1009 => include_str!("../../docs/codes/RAPID1009.md"),
        Code::Rapid1010 => include_str!("../../docs/codes/RAPID1010.md"),
        Code::Rapid1011 => include_str!("../../docs/codes/RAPID1011.md"),
        Code::Rapid1012 => include_str!("../../docs/codes/RAPID1012.md"),
        Code::Rapid1013 => include_str!("../../docs/codes/RAPID1013.md"),
        Code::Rapid1014 => include_str!("../../docs/codes/RAPID1014.md"),
        Code::Rapid1101 => include_str!("../../docs/codes/RAPID1101.md"),
        Code::Rapid1104 => include_str!("../../docs/codes/RAPID1104.md"),
        Code::Rapid1201 => include_str!("../../docs/codes/RAPID1201.md"),
        Code::Rapid1202 => include_str!("../../docs/codes/RAPID1202.md"),
        Code::Rapid1203 => include_str!("../../docs/codes/RAPID1203.md"),
        Code::Rapid1204 => include_str!("../../docs/codes/RAPID1204.md"),
        Code::Rapid1205 => include_str!("../../docs/codes/RAPID1205.md"),
        Code::Rapid1206 => include_str!("../../docs/codes/RAPID1206.md"),
        Code::Rapid1207 => include_str!("../../docs/codes/RAPID1207.md"),
        Code::Rapid1208 => include_str!("../../docs/codes/RAPID1208.md"),
        Code::Rapid1210 => include_str!("../../docs/codes/RAPID1210.md"),
        Code::Rapid1211 => include_str!("../../docs/codes/RAPID1211.md"),
        Code::Rapid1221 => include_str!("../../docs/codes/RAPID1221.md"),
        Code::Rapid1222 => include_str!("../../docs/codes/RAPID1222.md"),
        Code::Rapid1223 => include_str!("../../docs/codes/RAPID1223.md"),
        Code::Rapid1225 => include_str!("../../docs/codes/RAPID1225.md"),
        Code::Rapid1226 => include_str!("../../docs/codes/RAPID1226.md"),
        Code::Rapid1227 => include_str!("../../docs/codes/RAPID1227.md"),
        Code::Rapid1228 => include_str!("../../docs/codes/RAPID1228.md"),
        Code::Rapid1300 => include_str!("../../docs/codes/RAPID1300.md"),
        Code::Rapid1301 => include_str!("../../docs/codes/RAPID1301.md"),
        Code::Rapid1302 => include_str!("../../docs/codes/RAPID1302.md"),
        Code::Rapid1303 => include_str!("../../docs/codes/RAPID1303.md"),
        Code::Rapid1304 => include_str!("../../docs/codes/RAPID1304.md"),
        Code::Rapid1305 => include_str!("../../docs/codes/RAPID1305.md"),
        Code::Rapid1306 => include_str!("../../docs/codes/RAPID1306.md"),
        Code::Rapid1307 => include_str!("../../docs/codes/RAPID1307.md"),
        Code::Rapid1308 => include_str!("../../docs/codes/RAPID1308.md"),
        Code::Rapid1309 => include_str!("../../docs/codes/RAPID1309.md"),
        Code::Rapid1310 => include_str!("../../docs/codes/RAPID1310.md"),
        Code::Rapid1311 => include_str!("../../docs/codes/RAPID1311.md"),
        Code::Rapid1312 => include_str!("../../docs/codes/RAPID1312.md"),
        Code::Rapid1320 => include_str!("../../docs/codes/RAPID1320.md"),
        Code::Rapid1420 => include_str!("../../docs/codes/RAPID1420.md"),
        Code::Rapid1430 => include_str!("../../docs/codes/RAPID1430.md"),
        Code::Rapid1431 => include_str!("../../docs/codes/RAPID1431.md"),
        Code::Rapid1432 => include_str!("../../docs/codes/RAPID1432.md"),
        Code::Rapid1433 => include_str!("../../docs/codes/RAPID1433.md"),
        Code::Rapid1434 => include_str!("../../docs/codes/RAPID1434.md"),
        Code::Rapid1435 => include_str!("../../docs/codes/RAPID1435.md"),
        Code::Rapid1500 => include_str!("../../docs/codes/RAPID1500.md"),
        Code::Rapid1501 => include_str!("../../docs/codes/RAPID1501.md"),
        Code::Rapid1502 => include_str!("../../docs/codes/RAPID1502.md"),
        Code::Rapid1503 => include_str!("../../docs/codes/RAPID1503.md"),
        Code::Rapid1504 => include_str!("../../docs/codes/RAPID1504.md"),
        Code::Rapid1505 => include_str!("../../docs/codes/RAPID1505.md"),
        Code::Rapid1506 => include_str!("../../docs/codes/RAPID1506.md"),
        Code::Rapid1507 => include_str!("../../docs/codes/RAPID1507.md"),
        Code::Rapid1510 => include_str!("../../docs/codes/RAPID1510.md"),
        Code::Rapid1511 => include_str!("../../docs/codes/RAPID1511.md"),
        Code::Rapid1512 => include_str!("../../docs/codes/RAPID1512.md"),
        Code::Rapid1513 => include_str!("../../docs/codes/RAPID1513.md"),
        Code::Rapid1514 => include_str!("../../docs/codes/RAPID1514.md"),
        Code::Rapid1515 => include_str!("../../docs/codes/RAPID1515.md"),
        Code::Rapid1516 => include_str!("../../docs/codes/RAPID1516.md"),
        Code::Rapid1517 => include_str!("../../docs/codes/RAPID1517.md"),
        Code::Rapid1518 => include_str!("../../docs/codes/RAPID1518.md"),
        Code::Rapid1519 => include_str!("../../docs/codes/RAPID1519.md"),
        Code::Rapid1520 => include_str!("../../docs/codes/RAPID1520.md"),
        Code::Rapid1521 => include_str!("../../docs/codes/RAPID1521.md"),
        Code::Rapid1522 => include_str!("../../docs/codes/RAPID1522.md"),
        Code::Rapid1523 => include_str!("../../docs/codes/RAPID1523.md"),
        Code::Rapid1524 => include_str!("../../docs/codes/RAPID1524.md"),
        Code::Rapid1525 => include_str!("../../docs/codes/RAPID1525.md"),
        Code::Rapid1526 => include_str!("../../docs/codes/RAPID1526.md"),
        Code::Rapid1530 => include_str!("../../docs/codes/RAPID1530.md"),
        Code::Rapid1531 => include_str!("../../docs/codes/RAPID1531.md"),
        Code::Rapid1532 => include_str!("../../docs/codes/RAPID1532.md"),
        Code::Rapid1533 => include_str!("../../docs/codes/RAPID1533.md"),
        Code::Rapid1534 => include_str!("../../docs/codes/RAPID1534.md"),
        Code::Rapid1535 => include_str!("../../docs/codes/RAPID1535.md"),
        Code::Rapid1536 => include_str!("../../docs/codes/RAPID1536.md"),
        Code::Rapid1540 => include_str!("../../docs/codes/RAPID1540.md"),
        Code::Rapid1600 => include_str!("../../docs/codes/RAPID1600.md"),
        Code::Rapid1601 => include_str!("../../docs/codes/RAPID1601.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::diagnostics::Code;

    const SECTIONS: &[&str] = &["What happened", "Why we refuse", "What to do", "Example"];

    #[test]
    fn every_code_has_a_whole_page() {
        for &code in Code::ALL {
            let page = page(code);
            assert!(page.starts_with(&format!("# {code}: {}\n", code.title())), "{code}: the heading is not its title");
            let mut rest = page;
            for section in SECTIONS {
                let split = rest.split_once(&format!("\n## {section}\n\n"));
                let (_, after) = split.unwrap_or(("", ""));
                assert!(after.chars().next().is_some_and(|c| !c.is_whitespace()), "{code}: nothing under '{section}'");
                rest = after;
            }
            let example =
                rest.split_once("```sh\n").and_then(|(_, rest)| rest.split_once("\n```")).map(|(example, _)| example);
            assert!(example.is_some_and(|example| !example.trim().is_empty()), "{code}: no example command");
        }
    }
}
