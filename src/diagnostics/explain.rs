//! The pages that explain the codes, one file each in `docs/codes`, built into the program.
//!
//! A code without a page does not compile; what a page must hold is tested below, and that
//! none is left over by the house rules.

use super::Code;

/// The page of a code, in Markdown.
pub fn page(code: Code) -> &'static str {
    code.page()
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
