//! A history drawn beside its lines: one column for each line of entries that is still open. It knows no entries, only which
//! follows which; a row costs what there are columns, whatever came before.

/// A history that is being drawn, from the newest down.
pub struct Graph<Id> {
    /// What each column leads down to.
    columns: Vec<Option<Id>>,
    ascii: bool,
}

/// Where the strokes of a cell go: up, down, left, right.
#[derive(Clone, Copy, Default)]
struct Strokes(bool, bool, bool, bool);

impl<Id: Copy + PartialEq> Graph<Id> {
    /// Nothing drawn yet; without `ascii` with the line-drawing characters of Unicode.
    pub fn new(ascii: bool) -> Graph<Id> {
        Graph { columns: Vec::new(), ascii }
    }

    /// What stands before an entry, and the line below it where columns part or come together.
    pub fn row(&mut self, id: Id, parents: &[Id]) -> (String, Option<String>) {
        let at = self.place_of(id);
        let before: Vec<bool> = self.columns.iter().map(Option::is_some).collect();
        let mark = match (parents.len() > 1, self.ascii) {
            (false, false) => '○',
            (true, false) => '◇',
            (false, true) => '*',
            (true, true) => 'o',
        };
        let upright = if self.ascii { '|' } else { '│' };
        let cells = before.iter().enumerate().map(|(column, open)| match (column == at, open) {
            (true, _) => [mark, ' '],
            (false, true) => [upright, ' '],
            (false, false) => [' ', ' '],
        });
        let row = cells.flatten().collect::<String>().trim_end().to_owned();
        let joined = self.follow(at, parents);
        let link = (!joined.is_empty()).then(|| self.link(at, &joined, &before));
        while self.columns.last().is_some_and(Option::is_none) {
            self.columns.pop();
        }
        (row, link)
    }

    /// The column that waits for an entry; a new one where none does.
    fn place_of(&mut self, id: Id) -> usize {
        let waiting = self.columns.iter().position(|column| *column == Some(id));
        waiting.unwrap_or_else(|| self.open(id))
    }

    fn open(&mut self, id: Id) -> usize {
        let free = self.columns.iter().position(Option::is_none);
        match free.and_then(|free| self.columns.get_mut(free).map(|column| (free, column))) {
            Some((free, column)) => {
                *column = Some(id);
                free
            }
            None => {
                self.columns.push(Some(id));
                self.columns.len().saturating_sub(1)
            }
        }
    }

    fn set(&mut self, column: usize, id: Option<Id>) {
        if let Some(column) = self.columns.get_mut(column) {
            *column = id;
        }
    }

    /// Lets the columns lead to what follows; the columns that the one of the entry is joined with.
    fn follow(&mut self, at: usize, parents: &[Id]) -> Vec<usize> {
        self.set(at, None);
        let mut joined = Vec::new();
        for parent in parents {
            let is_free = self.columns.get(at).is_some_and(Option::is_none);
            match self.columns.iter().position(|column| *column == Some(*parent)) {
                Some(there) if there == at => {}
                // The line goes on in the column further left.
                Some(there) if is_free && there > at => {
                    self.set(at, Some(*parent));
                    self.set(there, None);
                    joined.push(there);
                }
                Some(there) => joined.push(there),
                None if is_free => self.set(at, Some(*parent)),
                None => joined.push(self.open(*parent)),
            }
        }
        joined
    }

    /// The line between the row of an entry and the next.
    fn link(&self, at: usize, joined: &[usize], before: &[bool]) -> String {
        let first = joined.iter().copied().min().unwrap_or(at).min(at);
        let last = joined.iter().copied().max().unwrap_or(at).max(at);
        let mut out = String::new();
        for column in 0..self.columns.len().max(before.len()) {
            let up = before.get(column).copied().unwrap_or(false);
            let down = self.columns.get(column).is_some_and(Option::is_some);
            let within = first <= column && column <= last;
            let is_end = column == at || joined.contains(&column);
            let across = within && (is_end || !(up || down));
            let strokes = Strokes(up, down, across && column > first, across && column < last);
            out.push(self.drawn(strokes));
            out.push(if first <= column && column < last {
                self.drawn(Strokes(false, false, true, true))
            } else {
                ' '
            });
        }
        out.trim_end().to_owned()
    }

    fn drawn(&self, strokes: Strokes) -> char {
        let Strokes(up, down, left, right) = strokes;
        let (plain, drawn) = match (up, down, left, right) {
            (false, false, false, false) => (' ', ' '),
            (false, false, _, _) => ('-', '─'),
            (true, true, true, true) => ('+', '┼'),
            (true, true, true, false) => ('|', '┤'),
            (true, true, false, true) => ('|', '├'),
            (_, _, false, false) => ('|', '│'),
            (true, false, true, true) => ('\'', '┴'),
            (true, false, true, false) => ('\'', '╯'),
            (true, false, false, true) => ('\'', '╰'),
            (false, true, true, true) => ('.', '┬'),
            (false, true, true, false) => ('.', '╮'),
            (false, true, false, true) => ('.', '╭'),
        };
        if self.ascii { plain } else { drawn }
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn drawn(ascii: bool, history: &[(char, &str)]) -> String {
        let mut graph = Graph::new(ascii);
        let mut lines = Vec::new();
        for (id, parents) in history {
            let (row, link) = graph.row(*id, &parents.chars().collect::<Vec<_>>());
            lines.push(format!("{row} {id}"));
            lines.extend(link);
        }
        lines.join("\n")
    }

    const MERGED: &[(char, &str)] = &[('m', "ab"), ('b', "c"), ('a', "c"), ('c', "d"), ('d', "")];

    #[test]
    fn two_sides_part_and_come_together() {
        assert_eq!(drawn(false, MERGED), "◇ m\n├─╮\n│ ○ b\n○ │ a\n├─╯\n○ c\n○ d");
        assert_eq!(drawn(true, MERGED), "o m\n|-.\n| * b\n* | a\n|-'\n* c\n* d");
    }

    #[test]
    fn a_line_that_another_crosses_stays_a_line() {
        let history = [('n', "mx"), ('m', "ab"), ('b', "x"), ('a', "z"), ('x', "z"), ('z', "")];
        let rows = drawn(false, &history);
        assert_eq!(rows, "◇ n\n├─╮\n◇ │ m\n├─│─╮\n│ │ ○ b\n│ ├─╯\n○ │ a\n│ ○ x\n├─╯\n○ z");
    }

    #[test]
    fn several_tips_and_merges_of_many_are_drawn_and_columns_are_used_again() {
        let history = [('a', "r"), ('b', "r"), ('o', "xyz"), ('z', "r"), ('y', "r"), ('x', "r"), ('r', "")];
        let rows = drawn(true, &history);
        assert!(rows.lines().all(|line| line.chars().count() <= 10), "{rows}");
        assert!(rows.ends_with("* r"), "{rows}");
        let long: Vec<(char, &str)> = MERGED.iter().take(4).copied().collect();
        let mut graph = Graph::new(true);
        for _ in 0..1000 {
            for (id, parents) in &long {
                graph.row(*id, &parents.chars().map(|c| if c == 'd' { 'm' } else { c }).collect::<Vec<_>>());
            }
        }
        assert_eq!(graph.columns.len(), 1, "no column is left behind");
    }
}
