//! Trees that git would not have written, or that no ledger holds: modes, names, order, twins, depth, size.

use super::{
    Fault, Forge,
    forge::{Named, fault},
};

const ODD: &[&str] = &["RAPID1515"];
/// An odd name beside the records is no record's place either.
const ODD_PLACE: &[&str] = &["RAPID1515", "RAPID1521"];

pub(super) const FAULTS: &[Fault] = &[
    fault("a symlink at the top", |f| f.with_entry("120000", b"zlink", Named::Blob), ODD),
    fault("a submodule at the top", |f| f.with_entry("160000", b"zmodule", Named::Commit), ODD),
    fault("an executable file at the top", |f| f.with_entry("100755", b"zprogram", Named::Blob), ODD),
    fault("a symlink in a record's place", |f| mode(f, "evidence", b"E001.json", "120000"), ODD),
    fault("an executable record", |f| mode(f, "evidence", b"E001.json", "100755"), ODD),
    fault("a submodule in a run", |f| f.in_directory(&f.run, |e| f.put(e, "160000", b"zmodule", Named::Commit)), ODD),
    fault(
        "a submodule in the place of a run's states",
        |f| mode(f, "", b"states", "160000"),
        &["RAPID1515", "RAPID1011"],
    ),
    fault("a group-writable file", |f| f.with_entry("100664", b"zfile", Named::Blob), ODD),
    fault("a private file", |f| f.with_entry("100600", b"zfile", Named::Blob), ODD),
    fault("a directory with a padded mode", |f| f.with_entry("040000", b"ztree", Named::Tree), ODD),
    fault("a file with a padded mode", |f| f.with_entry("0100644", b"zfile", Named::Blob), ODD),
    fault("a mode without a kind", |f| f.with_entry("644", b"zfile", Named::Blob), ODD),
    fault("a mode that is no number", |f| f.with_entry("10064x", b"zfile", Named::Blob), ODD),
    fault("an empty mode", |f| f.with_entry("", b"zfile", Named::Blob), ODD),
    fault("a file named .git", |f| f.with_entry("100644", b".git", Named::Blob), ODD),
    fault("a directory named .GIT", |f| f.with_entry("40000", b".GIT", Named::Tree), ODD),
    fault(
        "a directory named .git in a run",
        |f| f.in_directory(&f.run, |e| f.put(e, "40000", b".git", Named::Tree)),
        ODD,
    ),
    fault("a short name of .git", |f| f.with_entry("40000", b"git~1", Named::Tree), ODD),
    fault("a name that leads up", |f| f.with_entry("40000", b"..", Named::Tree), ODD),
    fault("a name that leads nowhere", |f| f.with_entry("40000", b".", Named::Tree), ODD),
    fault("an empty name", |f| f.with_entry("100644", b"", Named::Blob), ODD),
    fault("a name with a slash", |f| f.with_entry("100644", b"a/b", Named::Blob), ODD),
    fault("an absolute name", |f| f.with_entry("100644", b"/etc", Named::Blob), ODD),
    fault("a name with a backslash", |f| f.with_entry("100644", b"a\\b", Named::Blob), ODD),
    fault("a name with a drive", |f| f.with_entry("100644", b"c:x", Named::Blob), ODD),
    fault("a name that rings", |f| f.with_entry("100644", b"z\x07", Named::Blob), ODD),
    fault("a name with an escape", |f| f.with_entry("100644", b"z\x1b[2J", Named::Blob), ODD),
    fault("a name with a line end", |f| f.with_entry("100644", b"z\nx", Named::Blob), ODD),
    fault("a name with a carriage return", |f| f.with_entry("100644", b"z\r", Named::Blob), ODD),
    fault("a name with DEL", |f| f.with_entry("100644", b"z\x7f", Named::Blob), ODD),
    fault("a name with a C1 control", |f| f.with_entry("100644", "z\u{9b}m".as_bytes(), Named::Blob), ODD),
    fault("a name that turns around", |f| f.with_entry("100644", "z\u{202e}txt".as_bytes(), Named::Blob), ODD),
    fault("a name that turns around in Arabic", |f| f.with_entry("100644", "z\u{61c}t".as_bytes(), Named::Blob), ODD),
    fault("a name with nothing in it", |f| f.with_entry("100644", "z\u{200b}".as_bytes(), Named::Blob), ODD),
    fault("a name with a soft hyphen", |f| f.with_entry("100644", "z\u{ad}x".as_bytes(), Named::Blob), ODD),
    fault("a name with a byte order mark", |f| f.with_entry("100644", "z\u{feff}".as_bytes(), Named::Blob), ODD),
    fault("a name with a hidden tag", |f| f.with_entry("100644", "z\u{e0041}".as_bytes(), Named::Blob), ODD),
    fault("a name with a line separator", |f| f.with_entry("100644", "z\u{2028}".as_bytes(), Named::Blob), ODD),
    fault("a name that is not UTF-8", |f| f.with_entry("100644", b"latin\xe9", Named::Blob), ODD),
    fault("a name that is too long", |f| f.with_entry("100644", &[b'z'; 256], Named::Blob), ODD),
    fault("one name twice", |f| twice(f, b"format"), ODD),
    fault(
        "one record twice",
        |f| f.in_directory(&f.at("evidence"), |e| f.put(e, "100644", b"E001.json", Named::Blob)),
        ODD,
    ),
    fault("a file and a directory of one name", both_kinds, ODD),
    fault("out of order", |f| f.in_directory("", |e| e.reverse()), ODD),
    fault("a directory sorted as a file", sorted_as_a_file, ODD),
    fault(
        "twins in case",
        |f| f.in_directory(&f.at("terms"), |e| f.put(e, "100644", b"Config.toml", Named::Blob)),
        ODD_PLACE,
    ),
    fault("twin directories in case", |f| f.with_entry("40000", b"Runs", Named::Tree), ODD),
    fault("twins in Unicode form, both bound", unicode_twins, ODD),
    fault("twins in width, both bound", |f| bound_twins(f, "\u{ff41}", "a"), ODD),
    fault("cut off in an id", |f| cut(f, b"100644 format\0short"), &["RAPID1515", "RAPID1524"]),
    fault("cut off in a name", |f| cut(f, b"100644 for"), &["RAPID1515", "RAPID1524"]),
    fault("cut off in a mode", |f| cut(f, b"1006"), &["RAPID1515", "RAPID1524"]),
    fault("a file in a tree's place", |f| f.replaced("runs", &f.repo.blob(b"no tree")), &["RAPID1518"]),
    fault("a commit in a tree's place", |f| f.replaced("runs", &f.tip), &["RAPID1518"]),
    fault("a tree in a record's place", |f| mode(f, "evidence", b"E001.json", "40000"), &["RAPID1518", "RAPID1515"]),
    fault("a commit in a record's place", |f| object(f, "evidence", b"E001.json", &f.tip), &["RAPID1518"]),
    fault("a tree under a record's mode", |f| object(f, "evidence", b"E001.json", &f.raw(&[])), &["RAPID1518"]),
    fault("an empty directory at the top", |f| f.in_directory("", |e| e.push(empty(f, "zempty"))), ODD),
    fault("an empty directory in a run", |f| f.in_directory(&f.run, |e| e.push(empty(f, "zempty"))), ODD),
    fault("a path that goes too deep", |f| deep(f, 60), ODD),
    fault("a path a thousand deep", |f| deep(f, 1000), ODD),
    fault(
        "a record that is not here",
        |f| f.in_directory(&f.at("terms"), |e| f.put(e, "100644", b"zterm", Named::Nothing)),
        &["RAPID1505"],
    ),
    fault("trees that name each other over and over", |f| bomb(f, 22, 24), &["RAPID1525", "RAPID1521"]),
];

/// The mode of one entry of the finished run.
fn mode(f: &Forge, below: &str, name: &[u8], mode: &str) -> String {
    let directory = f.at(below).trim_end_matches('/').to_owned();
    f.in_directory(&directory, |entries| {
        entries.iter_mut().find(|(_, own, _)| own == name).unwrap().0 = mode.to_owned();
        entries.sort_by_key(|(mode, name, _)| [name.as_slice(), if mode == "40000" { b"/" } else { b"" }].concat());
    })
}

/// The object of one entry of the finished run.
fn object(f: &Forge, below: &str, name: &[u8], id: &str) -> String {
    f.in_directory(&f.at(below), |entries| {
        entries.iter_mut().find(|(_, own, _)| own == name).unwrap().2 = id.to_owned();
    })
}

fn twice(f: &Forge, name: &[u8]) -> String {
    f.in_directory("", |entries| {
        let at = entries.iter().position(|(_, own, _)| own == name).unwrap();
        entries.insert(at, entries[at].clone());
    })
}

/// By git's order a directory stands behind its neighbours with a dot, so nothing is out of order here.
fn both_kinds(f: &Forge) -> String {
    f.in_directory("", |entries| {
        f.put(entries, "100644", b"z", Named::Blob);
        f.put(entries, "100644", b"z.y", Named::Blob);
        f.put(entries, "40000", b"z", Named::Tree);
    })
}

fn sorted_as_a_file(f: &Forge) -> String {
    f.in_directory("", |entries| {
        let tree = entries.iter().find(|(_, name, _)| name == b"runs").unwrap().2.clone();
        let blob = f.repo.blob(b"x\n");
        entries.push(("40000".to_owned(), b"z".to_vec(), tree));
        entries.push(("100644".to_owned(), b"z-".to_vec(), blob));
    })
}

fn unicode_twins(f: &Forge) -> String {
    bound_twins(f, "caf\u{e9}", "cafe\u{301}")
}

/// Two terms that the contract binds, so that nothing but their names is wrong.
fn bound_twins(f: &Forge, one: &str, other: &str) -> String {
    let bytes = b"x\n";
    let digest = git_rapid::domain::digest::Digest::of(bytes).to_string();
    let good = f.contract(|contract| {
        let terms = contract.get("terms").unwrap().clone().with(one, digest.as_str()).with(other, digest.as_str());
        contract.with("terms", terms)
    });
    let blob = f.repo.blob(bytes);
    let paths = [one, other].map(|name| f.at_open(&format!("terms/{name}")));
    f.whole(&f.repo.tree_with(&good, &[(&paths[0], Some(&blob)), (&paths[1], Some(&blob))]))
}

fn cut(f: &Forge, bytes: &[u8]) -> String {
    f.whole(&f.repo.git_with(&["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], bytes))
}

fn empty(f: &Forge, name: &str) -> super::forge::Raw {
    ("40000".to_owned(), name.as_bytes().to_vec(), f.raw(&[]))
}

fn deep(f: &Forge, depth: usize) -> String {
    let mut tree = f.raw(&[("100644".to_owned(), b"x".to_vec(), f.repo.blob(b"x\n"))]);
    for _ in 0..depth {
        tree = f.raw(&[("40000".to_owned(), b"d".to_vec(), tree)]);
    }
    f.in_directory("", |entries| entries.push(("40000".to_owned(), b"zdeep".to_vec(), tree)))
}

/// A few small trees that stand for `wide` to the power of `depth` paths.
pub(super) fn bomb(f: &Forge, depth: usize, wide: usize) -> String {
    let mut tree = f.raw(&[("100644".to_owned(), b"x".to_vec(), f.repo.blob(b"x\n"))]);
    for _ in 0..depth {
        let entries: Vec<super::forge::Raw> =
            (0..wide).map(|at| ("40000".to_owned(), format!("d{at:03}").into_bytes(), tree.clone())).collect();
        tree = f.raw(&entries);
    }
    f.in_directory("", |entries| entries.push(("40000".to_owned(), b"zbomb".to_vec(), tree)))
}
