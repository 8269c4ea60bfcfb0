//! A screen that is drawn anew again and again: what does not fit into it is counted and left out, so that its top stays in sight.

use crate::os::terminal;

/// Room for lines, until it is used up.
pub struct Screen {
    rows: usize,
    columns: usize,
    left_out: usize,
}

impl Screen {
    /// The room of a terminal, without the lines that stand below everything.
    pub fn of(size: terminal::Size, below: usize) -> Screen {
        Screen { rows: size.rows.saturating_sub(below).max(1), columns: size.columns.max(1), left_out: 0 }
    }

    /// The lines of a text that still fit, in order; none after one that did not.
    pub fn fitting(&mut self, text: &str) -> String {
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            let rows = visible(line).div_ceil(self.columns).max(1);
            if self.left_out > 0 || rows > self.rows {
                self.left_out += 1;
            } else {
                self.rows -= rows;
                out.push_str(line);
            }
        }
        out
    }

    /// How many lines did not fit.
    pub fn left_out(&self) -> usize {
        self.left_out
    }
}

/// How many characters of a line are seen: colours are not.
fn visible(line: &str) -> usize {
    let mut hidden = false;
    let mut count = 0;
    for c in line.trim_end_matches('\n').chars() {
        match (hidden, c) {
            (false, '\u{1b}') => hidden = true,
            (true, 'm') => hidden = false,
            (true, _) => {}
            (false, _) => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::Screen;
    use crate::os::terminal::Size;

    #[test]
    fn the_top_is_kept_and_the_rest_is_counted() {
        let mut screen = Screen::of(Size { rows: 6, columns: 10 }, 2);
        assert_eq!(screen.fitting("one\n\u{1b}[1mcoloured \u{1b}[0mx\n"), "one\n\u{1b}[1mcoloured \u{1b}[0mx\n");
        assert_eq!(screen.fitting("two lines of it are\n"), "two lines of it are\n", "it takes what is left");
        assert_eq!(screen.fitting("a\nb\n"), "");
        assert_eq!(screen.left_out(), 2);
        let mut narrow = Screen::of(Size { rows: 4, columns: 3 }, 2);
        assert_eq!(narrow.fitting("much too long\nx\n"), "", "nothing stands below a line that is missing");
        let mut none = Screen::of(Size { rows: 0, columns: 0 }, 2);
        assert_eq!(none.fitting("x\n"), "x\n");
    }
}
