//! A page being written. Markup is `&'static str`, so it is ours; everything else goes through [`Page::text`], which escapes it
//! and shows what would hide or reorder text.

use crate::domain::harmless::harmless;

/// The longest text of one value, in characters; the rest is counted.
const LONGEST: usize = 4000;

/// The style of every page.
const STYLE: &str = include_str!("style.css");

/// Nothing is loaded and nothing runs, whatever a page holds.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// A page.
pub struct Page {
    out: String,
}

impl Page {
    /// A page's head, up to its beginning body.
    pub fn new(title: &str, version: &str) -> Page {
        let mut page = Page { out: String::with_capacity(16 << 10) };
        page.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        page.open("meta", &[("name", "generator"), ("content", &format!("git-rapid {version}"))]);
        page.open("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
        page.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.markup(
            "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n",
        );
        page.markup("<link rel=\"icon\" href=\"data:,\">\n");
        page.element("title", &[], title);
        page.markup("<style>\n");
        page.markup(STYLE);
        page.markup("</style>\n</head>\n<body>\n");
        page
    }

    /// The whole page.
    pub fn end(mut self) -> Vec<u8> {
        self.markup("</body>\n</html>\n");
        self.out.into_bytes()
    }

    /// Markup of ours.
    pub fn markup(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    /// An element's beginning; the values of its attributes are text.
    pub fn open(&mut self, tag: &'static str, attributes: &[(&'static str, &str)]) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            self.escaped(&harmless(value));
            self.out.push('"');
        }
        self.out.push('>');
    }

    /// An element's end.
    pub fn close(&mut self, tag: &'static str) {
        self.out.push_str("</");
        self.out.push_str(tag);
        // Behind an element within a line, a line's end would be seen as a blank.
        self.out.push_str(if matches!(tag, "code" | "span" | "time") { ">" } else { ">\n" });
    }

    /// A value, as text.
    pub fn text(&mut self, text: &str) {
        match text.char_indices().nth(LONGEST) {
            None => self.escaped(&harmless(text)),
            Some((end, _)) => {
                let (shown, rest) = text.split_at(end);
                self.escaped(&harmless(shown));
                self.escaped(&format!(" … ({} more characters)", rest.chars().count()));
            }
        }
    }

    /// An id of words with dots between, which may be broken behind each.
    pub fn id(&mut self, id: &str) {
        for part in id.split_inclusive('.') {
            self.text(part);
            self.markup("<wbr>");
        }
    }

    /// A text of many lines, of which the bound is the caller's.
    pub fn lines(&mut self, text: &str) {
        self.escaped(&harmless(text));
    }

    /// An element with a value in it.
    pub fn element(&mut self, tag: &'static str, attributes: &[(&'static str, &str)], text: &str) {
        self.open(tag, attributes);
        self.text(text);
        self.close(tag);
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                // A page that is printed into the log of a CI job commands no runner: `::error::`, `##[error]`.
                ':' if self.out.ends_with(':') => self.out.push_str("&#58;"),
                '#' if self.out.ends_with('#') => self.out.push_str("&#35;"),
                c => self.out.push(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_text_wherever_it_stands() {
        let hostile = "</title><script>alert(1)</script>\" onload='x' \u{202e}\u{1b}[2J\u{200b}";
        let mut page = Page::new(hostile, "1");
        page.element("p", &[("title", hostile)], hostile);
        let text = String::from_utf8(page.end()).unwrap();
        assert_eq!(text.matches("&lt;script&gt;").count(), 3);
        assert_eq!(text.matches("<script").count(), 0);
        assert_eq!(text.matches("onload=&#39;x&#39;").count(), 3);
        assert!(text.contains("\\u{202e}\\u{1b}[2J\\u{200b}"));
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }

    #[test]
    fn no_line_of_a_page_is_a_command_to_a_runner() {
        let mut page = Page::new("t", "1");
        let begin = page.out.len();
        page.lines("::error::no\n  ::set-output name=x::y\n##[error]no\n####[x:::y");
        let text = page.out.split_off(begin);
        assert!(!text.contains("::") && !text.contains("##"), "{text}");
        assert!(text.starts_with(":&#58;error:&#58;no"), "{text}");
    }

    #[test]
    fn a_value_without_end_has_one() {
        let mut page = Page::new("t", "1");
        page.element("p", &[], &"ñ".repeat(LONGEST + 7));
        let text = String::from_utf8(page.end()).unwrap();
        assert!(text.contains("… (7 more characters)"));
    }
}
