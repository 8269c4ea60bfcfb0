//! `git rapid snapshot` names what hides edits from git's own commands, in JSON and for people.

use super::oracle::Place;
use git_rapid::domain::json::{self, Value};

struct Told {
    document: Value,
    notes: String,
}

impl Place {
    fn told(&self) -> Told {
        let ask = |arguments: &[&str]| {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_git-rapid"));
            command.current_dir(&self.top).env_clear().envs(self.variables()).args(arguments);
            let output = command.output().unwrap();
            let notes = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{notes}");
            (String::from_utf8(output.stdout).unwrap(), notes)
        };
        let (tree, notes) = ask(&["snapshot"]);
        let (document, _) = ask(&["snapshot", "--json"]);
        let told = Told { document: json::parse(document.as_bytes()).unwrap(), notes };
        assert_eq!(told.document.get("tree").and_then(Value::as_text), Some(tree.trim()));
        told
    }
}

impl Told {
    fn list(&self, key: &str) -> Vec<String> {
        let list = self.document.get(key).and_then(Value::as_list).unwrap();
        list.iter().map(|item| item.as_text().map_or_else(|| item.canonical(), str::to_owned)).collect()
    }

    #[track_caller]
    fn says(&self, words: &str) {
        assert!(self.notes.contains(words), "'{words}' in {}", self.notes);
    }
}

#[test]
fn nothing_where_there_is_nothing() {
    let told = Place::new().told();
    for key in ["withheld", "opaque", "dirty_submodules", "private_rules", "flagged", "settings"] {
        assert_eq!(told.list(key), [""; 0], "{key}");
    }
    assert_eq!(told.notes, "");
}

#[test]
fn flags_in_the_index() {
    let place = Place::new();
    place.settle();
    place.git(&["update-index", "--assume-unchanged", "a.txt", "d/x.txt", "run.sh"]);
    place.git(&["update-index", "--skip-worktree", "ln", ".gitignore"]);
    place.append("a.txt", "hidden\n");
    place.remove("run.sh");
    place.remove("ln"); // left out, as in a sparse checkout
    place.append(".gitignore", "# hidden\n");
    assert_eq!(place.git(&["status", "--porcelain"]), "");
    let told = place.told();
    let line = |edited: bool, flag: &str, path: &str| {
        format!("{{\"edited\":{edited},\"flag\":\"{flag}\",\"path\":\"{path}\"}}")
    };
    assert_eq!(
        told.list("flagged"),
        [
            line(true, "skip-worktree", ".gitignore"),
            line(true, "assume-unchanged", "a.txt"),
            line(false, "assume-unchanged", "d/x.txt"),
            line(true, "assume-unchanged", "run.sh"),
        ]
    );
    told.says(".gitignore (skip-worktree), a.txt (assume-unchanged), run.sh (assume-unchanged)");
    assert_eq!(place.agrees().notes.flagged, [".gitignore", "a.txt", "run.sh"]);
}

#[test]
fn a_clean_filter_of_this_clones_configuration() {
    let place = Place::new();
    place.config("filter.up.clean", "tr a-z A-Z");
    place.write(".gitattributes", "*.f filter=up\n*.g filter=undefined\n");
    place.write("x.g", "abc\n");
    assert_eq!(place.told().list("private_rules"), [""; 0], "it did nothing");
    place.write("x.f", "abc\n");
    let told = place.told();
    assert_eq!(told.list("private_rules"), ["filter.up of git's configuration"]);
    told.says("filter.up of git's configuration");
    assert_eq!(place.told().list("private_rules"), told.list("private_rules"), "a second time too");
}

#[test]
fn private_excludes_and_attributes() {
    let place = Place::new();
    place.write(".git/info/exclude", "zz*\n");
    place.write("../own rules", "gg*\n");
    place.write("../own attributes", "*.txt text\n");
    place.config("core.excludesFile", place.root.join("own rules").to_str().unwrap());
    place.config("core.attributesFile", place.root.join("own attributes").to_str().unwrap());
    place.settle();
    assert_eq!(place.told().list("private_rules"), [""; 0], "they hid nothing");
    for path in ["zz", "gg", "n.txt"] {
        place.write(path, "1\r\n");
    }
    let told = place.told();
    assert_eq!(told.list("private_rules"), [".git/info/exclude", "~/own attributes", "~/own rules"]);
    told.says(".git/info/exclude, ~/own attributes, ~/own rules");
}

#[test]
fn settings_that_hide() {
    let hiding = [
        ("core.checkStat", "minimal"),
        ("core.fileMode", "false"),
        ("core.fsmonitor", "/opt/monitor"),
        ("core.ignoreStat", "true"),
        ("core.trustctime", "false"),
        ("core.untrackedCache", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("status.showUntrackedFiles", "no"),
    ];
    let harmless = ["default", "true", "false", "false", "true", "false", "none", "normal"];
    let place = Place::new();
    for ((key, value), harmless) in hiding.into_iter().zip(harmless) {
        place.config(key, value);
        let told = place.told();
        assert_eq!(told.list("settings"), [format!("{key}={value}")]);
        told.says(&format!("{key}={value}"));
        place.config(key, harmless);
        assert_eq!(place.told().list("settings"), [""; 0], "{key}={harmless}");
    }
}

#[test]
fn executable_bits_that_this_clone_does_not_look_at() {
    let place = Place::new();
    place.config("core.fileMode", "false");
    assert_eq!(place.told().list("private_rules"), [""; 0]);
    place.mode("a.txt", 0o755);
    assert_eq!(place.told().list("private_rules"), ["core.fileMode of git's configuration"]);
}

#[test]
fn submodules_and_repositories_inside() {
    let place = Place::new();
    place.git(&["init", "-q", "-b", "main", "../other"]);
    place.git_in(&place.root.join("other"), &["commit", "-q", "--allow-empty", "-m", "o"]);
    place.git(&["submodule", "--quiet", "add", "../other", "sm"]);
    place.commit("sub");
    place.config("submodule.sm.ignore", "all");
    place.write("sm/new", "n\n");
    place.git(&["init", "-q", "nest"]);
    let told = place.told();
    assert_eq!((told.list("dirty_submodules"), told.list("opaque")), (vec!["sm".to_owned()], vec!["nest".to_owned()]));
    told.says("changes that their commit does not show: sm");
    told.says("repositories of their own: nest");
}

#[test]
fn what_is_withheld_and_why() {
    let place = Place::new();
    place.write(".env", "TOKEN=1\n");
    place.write("large.bin", vec![0_u8; (10 << 20) + 1]);
    place.write(format!("{0}/{0}/{0}/{0}/{0}/{0}", "n".repeat(200)), "deep\n");
    let told = place.told();
    let because = told.document.get("withheld_because").unwrap();
    let why = |path: &str| because.get(path).and_then(Value::as_text).unwrap().to_owned();
    assert_eq!(why(".env"), "looks secret");
    assert_eq!(why("large.bin"), "larger than snapshot.max_file_size");
    told.says(".env (looks secret), large.bin (larger than snapshot.max_file_size)");
    assert_eq!(told.list("withheld").len(), told.list("withheld").iter().filter(|path| !why(path).is_empty()).count());
}
