//! Entries that are commits to git and no entries to us: headers, people, times, messages, parents.

use super::{Fault, Forge, forge::fault};

const ODD: &[&str] = &["RAPID1516"];
const FOREIGN: &[&str] = &["RAPID1524"];

pub(super) const FAULTS: &[Fault] = &[
    fault("an encoding", |f| header(f, "encoding UTF-7"), ODD),
    fault(
        "a signature",
        |f| header(f, "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"),
        ODD,
    ),
    fault(
        "a signature over the other hash",
        |f| header(f, "gpgsig-sha256 -----BEGIN SSH SIGNATURE-----\n x\n -----END SSH SIGNATURE-----"),
        ODD,
    ),
    fault("a merged tag", |f| header(f, &format!("mergetag object {}\n type commit\n tag x", f.tip)), ODD),
    fault("an unknown header", |f| header(f, "rapid-note x"), ODD),
    fault("a header that begins with a blank", |f| header(f, " continued"), ODD),
    fault("an empty header", |f| f.text(|text| text.replacen("\nauthor", "\n\nauthor", 1)), ODD),
    fault("a header before the author", |f| f.text(|text| text.replacen("author", "note x\nauthor", 1)), ODD),
    fault("a header before the tree", |f| f.text(|text| format!("note x\n{text}")), ODD),
    fault(
        "a parent after the author",
        |f| f.text(|text| text.replacen("committer", &format!("parent {}\ncommitter", f.tip), 1)),
        ODD,
    ),
    fault("another author", |f| f.text(|text| text.replacen("author Ada", "author Eve", 1)), ODD),
    fault(
        "an author twice",
        |f| f.text(|text| text.replacen("committer", "author Eve <e@x> 1 +0000\ncommitter", 1)),
        ODD,
    ),
    fault("no author", |f| without_line(f, "author "), ODD),
    fault("no committer", |f| without_line(f, "committer "), ODD),
    fault("no tree", |f| without_line(f, "tree "), ODD),
    fault(
        "two trees",
        |f| f.text(|text| text.replacen("parent", &format!("tree {}\nparent", "0".repeat(f.tip.len())), 1)),
        ODD,
    ),
    fault("an author without an address", |f| f.text(|text| text.replace("Ada <ada@example.com>", "Ada")), ODD),
    fault("an author without a name", |f| f.text(|text| text.replace("Ada <", "<")), ODD),
    fault("a time zone", |f| f.text(|text| text.replace("+0000", "+0100")), ODD),
    fault("a time zone of minus nothing", |f| f.text(|text| text.replace("+0000", "-0000")), ODD),
    fault("a padded time", |f| time(f, "01767300000"), ODD),
    fault("a signed time", |f| time(f, "+1767300000"), ODD),
    fault("a time before all time", |f| time(f, "-1"), ODD),
    fault("a time after all time", |f| time(f, "253402300800"), ODD),
    fault("a time that no machine holds", |f| time(f, "99999999999999999999999"), ODD),
    fault("a time at the end of the integers", |f| time(f, "9223372036854775807"), ODD),
    fault("a fraction of a second", |f| time(f, "1767300000.5"), ODD),
    fault("a NUL in the message", |f| f.text(|text| format!("{text}before\0after\n")), ODD),
    fault("a NUL in the author", |f| f.text(|text| text.replace("Ada", "A\0da")), ODD),
    fault("no message", |f| f.text(|text| text.split_once("\n\n").unwrap().0.to_owned() + "\n"), ODD),
    fault("carriage returns", |f| f.text(|text| text.replace('\n', "\r\n")), ODD),
    fault("an upper-case id", |f| f.text(|text| text.replacen(&f.tip, &f.tip.to_uppercase(), 1)), ODD),
    fault("a shortened id", |f| f.text(|text| text.replacen(&f.tip, &f.tip[..39], 1)), ODD),
    fault("a message that is not UTF-8", latin, ODD),
    fault("a very long message", |f| f.text(|text| text + &"long ".repeat(100_000)), &["RAPID1525"]),
    fault("nothing at all", |f| f.repo.raw_commit(b""), ODD),
    fault("the same parent twice", |f| parents(f, &["", ""]), ODD),
    fault("an octopus", octopus, ODD),
    fault("parents out of order", unordered, ODD),
    fault("no parent", |f| f.repo.entry(&tree(f), &[]), FOREIGN),
    fault("a foreign beginning", |f| f.repo.entry(&tree(f), &[&f.repo.entry(&tree(f), &[])]), FOREIGN),
    fault("a second beginning, joined to ours", second_beginning, &["RAPID1524", "RAPID1516"]),
    fault(
        "the code in the ledger's place",
        |f| f.repo.git(&["rev-parse", "main"]),
        &["RAPID1524", "RAPID1517", "RAPID1521"],
    ),
    fault(
        "the code below the ledger",
        |f| f.repo.entry(&tree(f), &[&f.repo.git(&["rev-parse", "main"])]),
        &["RAPID1524", "RAPID1517", "RAPID1521"],
    ),
    fault("a parent that is a tree", |f| f.repo.entry(&tree(f), &[&tree(f)]), &["RAPID1518"]),
    fault("a parent that is a file", |f| f.repo.entry(&tree(f), &[&f.repo.blob(b"x")]), &["RAPID1518"]),
    fault("a parent that is a tag", |f| f.repo.entry(&tree(f), &[&tag(f)]), &["RAPID1518"]),
    fault("a tag in the ledger's place", tag, &["RAPID1518"]),
    fault("a file in the ledger's place", |f| f.repo.blob(b"x"), &["RAPID1518"]),
    fault("a tree in the ledger's place", tree, &["RAPID1518"]),
    fault("a tree that is a commit", |f| f.repo.entry(&f.tip, &[&f.tip]), &["RAPID1518", "RAPID1517"]),
    fault("a parent that is not here", |f| f.repo.entry(&tree(f), &[&"12".repeat(f.tip.len() / 2)]), &["RAPID1505"]),
];

fn header(f: &Forge, header: &str) -> String {
    f.text(|text| text.replacen("\n\n", &format!("\n{header}\n\n"), 1))
}

fn without_line(f: &Forge, beginning: &str) -> String {
    f.text(|text| {
        let (head, message) = text.split_once("\n\n").unwrap();
        let lines: Vec<&str> = head.lines().filter(|line| !line.starts_with(beginning)).collect();
        format!("{}\n\n{message}", lines.join("\n"))
    })
}

fn time(f: &Forge, time: &str) -> String {
    f.text(|text| text.replace("1767300000", time))
}

fn tree(f: &Forge) -> String {
    f.repo.git(&["rev-parse", &format!("{}^{{tree}}", f.tip)])
}

fn latin(f: &Forge) -> String {
    let mut text = f.repo.entry_text(&tree(f), &[&f.tip]).into_bytes();
    text.extend_from_slice(b"caf\xe9\n");
    f.repo.raw_commit(&text)
}

/// An entry on ancestors of the tip.
fn parents(f: &Forge, which: &[&str]) -> String {
    let ids: Vec<String> = which.iter().map(|which| f.repo.git(&["rev-parse", &format!("{}{which}", f.tip)])).collect();
    f.repo.entry(&tree(f), &ids.iter().map(String::as_str).collect::<Vec<_>>())
}

fn octopus(f: &Forge) -> String {
    let mut ids: Vec<String> =
        ["", "~1", "~2"].iter().map(|back| f.repo.git(&["rev-parse", &format!("{}{back}", f.tip)])).collect();
    ids.sort();
    f.repo.entry(&tree(f), &ids.iter().map(String::as_str).collect::<Vec<_>>())
}

fn unordered(f: &Forge) -> String {
    let before = f.repo.git(&["rev-parse", &format!("{}~1", f.tip)]);
    let (low, high) = if before < f.tip { (&before, &f.tip) } else { (&f.tip, &before) };
    f.repo.entry(&tree(f), &[high, low])
}

/// Another first entry that has the very same tree as ours.
fn second_beginning(f: &Forge) -> String {
    let other = f.repo.entry(&f.repo.git(&["rev-parse", &format!("{}^{{tree}}", f.first)]), &[]);
    let mut both = [other.as_str(), f.tip.as_str()];
    both.sort_unstable();
    f.repo.entry(&tree(f), &both)
}

fn tag(f: &Forge) -> String {
    let text = format!("object {}\ntype commit\ntag x\ntagger Ada <ada@example.com> 1767300000 +0000\n\nx\n", f.tip);
    f.repo.git_with(&["hash-object", "-w", "-t", "tag", "--stdin"], text.as_bytes())
}
