//! Lying surroundings: whatever a clone, its configuration or the environment says, `verify` gives the same answer or refuses
//! to give any, and runs no program that is named there.

use crate::harness::{Output, Repo, World, finished, run_of};

/// What is expected of an answer.
#[derive(Clone, Copy)]
enum Expected {
    /// The same as without any of this.
    Same,
    /// None, with this code.
    Refused(&'static str),
}

use Expected::{Refused, Same};

/// Sets something up in the clone; returns variables of the environment. The program is one that leaves a mark.
type Setting = fn(&Clone, &str) -> Vec<(&'static str, String)>;

/// A clone with a finished run, and a merge that git would not make without a conflict.
struct Clone {
    repo: Repo,
    conflict: String,
}

const SETTINGS: &[(&str, Setting, Expected)] = &[
    ("nothing at all", |_, _| vec![], Same),
    ("a replaced entry", |c, _| replace(c, "refs/rapid/ledger", "refs/rapid/ledger~2"), Same),
    ("a replaced tree", |c, _| replace(c, "refs/rapid/ledger^{tree}", "refs/rapid/ledger~2^{tree}"), Same),
    ("a replaced commit", |c, _| replace(c, "HEAD", "HEAD~1"), Same),
    ("replacements elsewhere", replaced_elsewhere, Same),
    (
        "replacements asked for",
        |c, _| {
            replace(c, "refs/rapid/ledger", "refs/rapid/ledger~2");
            vec![("GIT_NO_REPLACE_OBJECTS", "0".to_owned())]
        },
        Same,
    ),
    ("a graft", |c, _| graft(c, ".git/info/grafts"), Same),
    (
        "a graft file elsewhere",
        |c, _| {
            graft(c, "grafts");
            vec![("GIT_GRAFT_FILE", place(c, "grafts"))]
        },
        Same,
    ),
    ("a lying commit-graph", |c, _| commit_graph(c), Same),
    ("a commit-graph of rubbish", |c, _| file(c, ".git/objects/info/commit-graph", "CGPH\x01\x01\x03\0rubbish"), Same),
    (
        "a multi-pack index of rubbish",
        |c, _| file(c, ".git/objects/pack/multi-pack-index", "MIDX\x01\x01\x01\0rubbish"),
        Same,
    ),
    (
        "a shallow file that cuts off what is here",
        |c, _| {
            let cut = c.repo.git(&["rev-parse", "refs/rapid/ledger~2"]);
            file(c, ".git/shallow", &format!("{cut}\n"))
        },
        Same,
    ),
    (
        "a shallow file elsewhere",
        |c, _| {
            file(c, "shallow", &format!("{}\n", c.repo.tip()));
            vec![("GIT_SHALLOW_FILE", place(c, "shallow"))]
        },
        Same,
    ),
    ("a promising remote", promisor, Same),
    ("an alternate that is not there", |c, _| file(c, ".git/objects/info/alternates", "/nowhere/objects\n"), Same),
    ("an alternate with other bytes", alternate, Same),
    (
        "a symbolic ref in the ledger's place",
        |c, _| {
            c.repo.git(&["update-ref", "refs/heads/other", "refs/rapid/ledger"]);
            c.repo.git(&["symbolic-ref", "refs/rapid/ledger", "refs/heads/other"]);
            vec![]
        },
        Refused("RAPID1511"),
    ),
    ("programs in the clone's configuration", |c, program| file(c, ".git/config", &hostile(c, program)), Same),
    (
        "programs in the person's configuration",
        |c, program| {
            c.repo.world().configure(&hostile(c, program));
            vec![]
        },
        Same,
    ),
    (
        "programs in another person's configuration",
        |c, program| {
            file(c, "other-config", &hostile(c, program));
            vec![("GIT_CONFIG_GLOBAL", place(c, "other-config"))]
        },
        Same,
    ),
    (
        "programs in the machine's configuration",
        |c, program| {
            file(c, "other-config", &hostile(c, program));
            vec![("GIT_CONFIG_SYSTEM", place(c, "other-config")), ("GIT_CONFIG_NOSYSTEM", "0".to_owned())]
        },
        Same,
    ),
    (
        "programs in an included configuration",
        |c, program| {
            file(c, "other-config", &hostile(c, program));
            c.repo.git(&["config", "include.path", &place(c, "other-config")]);
            vec![]
        },
        Same,
    ),
    (
        "programs in the environment's configuration",
        |_, program| {
            vec![
                ("GIT_CONFIG_COUNT", "3".to_owned()),
                ("GIT_CONFIG_KEY_0", "core.fsmonitor".to_owned()),
                ("GIT_CONFIG_VALUE_0", program.to_owned()),
                ("GIT_CONFIG_KEY_1", "merge.evil.driver".to_owned()),
                ("GIT_CONFIG_VALUE_1", program.to_owned()),
                ("GIT_CONFIG_KEY_2", "core.useReplaceRefs".to_owned()),
                ("GIT_CONFIG_VALUE_2", "true".to_owned()),
                ("GIT_CONFIG_PARAMETERS", format!("'core.fsmonitor={program}' 'gpg.ssh.program={program}'")),
            ]
        },
        Same,
    ),
    (
        "a driver that makes every merge a clean one",
        |c, program| {
            file(c, ".git/info/attributes", "* merge=evil\n");
            c.repo.git(&["config", "merge.evil.driver", &format!("{program} && true")]);
            vec![]
        },
        Same,
    ),
    ("attributes that make every merge a clean one", |c, _| file(c, ".git/info/attributes", "* merge=union\n"), Same),
    (
        "a person's attributes that make every merge a clean one",
        |c, _| {
            file(c, "attributes", "* merge=union\n");
            c.repo.git(&["config", "core.attributesFile", &place(c, "attributes")]);
            vec![]
        },
        Same,
    ),
    ("the repository by its name", |c, _| vec![("GIT_DIR", place(c, ".git"))], Same),
    ("another work tree", |c, _| vec![("GIT_DIR", place(c, ".git")), ("GIT_WORK_TREE", "/tmp".to_owned())], Same),
    ("other objects", |c, _| vec![("GIT_OBJECT_DIRECTORY", place(c, "objects"))], Refused("RAPID1502")),
    ("more objects", |c, _| vec![("GIT_ALTERNATE_OBJECT_DIRECTORIES", place(c, "objects"))], Refused("RAPID1502")),
    ("another shared directory", |c, _| vec![("GIT_COMMON_DIR", place(c, "objects"))], Refused("RAPID1502")),
    ("a namespace", |_, _| vec![("GIT_NAMESPACE", "evil".to_owned())], Same),
    ("another index", |c, _| vec![("GIT_INDEX_FILE", place(c, "no-index"))], Same),
    ("a ceiling", |c, _| vec![("GIT_CEILING_DIRECTORIES", c.repo.world().top().display().to_string())], Same),
    ("a limit that nothing fits into", |_, _| vec![("GIT_ALLOC_LIMIT", "1".to_owned())], Refused("RAPID1502")),
    ("attributes from another tree", |_, _| vec![("GIT_ATTR_SOURCE", "HEAD~1".to_owned())], Same),
    ("another hash", |_, _| vec![("GIT_DEFAULT_HASH", "sha256".to_owned())], Same),
    (
        "programs in the environment",
        |_, program| {
            [
                "GIT_SSH",
                "GIT_SSH_COMMAND",
                "GIT_ASKPASS",
                "SSH_ASKPASS",
                "GIT_PAGER",
                "PAGER",
                "GIT_EDITOR",
                "EDITOR",
                "VISUAL",
                "GIT_EXTERNAL_DIFF",
                "GIT_PROXY_COMMAND",
                "GIT_SEQUENCE_EDITOR",
                "LESSOPEN",
            ]
            .map(|name| (name, program.to_owned()))
            .to_vec()
        },
        Same,
    ),
    (
        "other programs of git",
        |c, program| {
            for name in ["git-merge-tree", "git-rev-parse", "git-rev-list", "git-cat-file", "git"] {
                file(c, &format!("bin/{name}"), &format!("#!/bin/sh\n{program}\n"));
                c.repo.sh(&format!("chmod +x bin/{name}"));
            }
            vec![("GIT_EXEC_PATH", place(c, "bin"))]
        },
        Same,
    ),
    ("traces", |c, _| vec![("GIT_TRACE", "1".to_owned()), ("GIT_TRACE2_EVENT", place(c, "trace"))], Same),
];

fn place(clone: &Clone, name: &str) -> String {
    clone.repo.path().join(name).display().to_string()
}

fn file(clone: &Clone, name: &str, text: &str) -> Vec<(&'static str, String)> {
    let path = clone.repo.path().join(name);
    // Some of these are written without the right to write to them.
    let _ = std::fs::remove_file(&path);
    clone.repo.write(name, text);
    vec![]
}

fn replace(clone: &Clone, one: &str, other: &str) -> Vec<(&'static str, String)> {
    let [one, other] = [one, other].map(|name| clone.repo.git(&["rev-parse", name]));
    clone.repo.git(&["replace", &one, &other]);
    vec![]
}

fn replaced_elsewhere(clone: &Clone, _: &str) -> Vec<(&'static str, String)> {
    let [one, other] = ["refs/rapid/ledger", "refs/rapid/ledger~2"].map(|name| clone.repo.git(&["rev-parse", name]));
    clone.repo.git(&["update-ref", &format!("refs/evil/{one}"), &other]);
    vec![("GIT_REPLACE_REF_BASE", "refs/evil/".to_owned())]
}

fn graft(clone: &Clone, at: &str) -> Vec<(&'static str, String)> {
    file(clone, at, &format!("{} {}\n", clone.repo.tip(), clone.repo.first_entry()))
}

/// Every commit has the same parent, as the commit-graph has it.
fn commit_graph(clone: &Clone) -> Vec<(&'static str, String)> {
    clone.repo.git(&["commit-graph", "write", "--reachable"]);
    let path = clone.repo.path().join(".git/objects/info/commit-graph");
    let mut bytes = std::fs::read(&path).unwrap();
    let chunks = (8..8 + 12 * usize::from(bytes[6])).step_by(12);
    let at = chunks.map(|at| &bytes[at..at + 12]).find(|chunk| chunk.starts_with(b"CDAT")).unwrap();
    let begin = usize::try_from(u64::from_be_bytes(at[4..].try_into().unwrap())).unwrap();
    let count = clone.repo.git(&["rev-list", "--all"]).lines().count();
    for row in 0..count {
        let parent = begin + row * 36 + 20;
        bytes[parent..parent + 8].copy_from_slice(&[0, 0, 0, 0, 0x70, 0, 0, 0]);
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, bytes).unwrap();
    vec![]
}

/// An object is not here, and a remote promises it.
fn promisor(clone: &Clone, program: &str) -> Vec<(&'static str, String)> {
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", "ssh://nowhere.invalid/repository"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialCloneFilter", "blob:none"),
        ("remote.origin.uploadpack", program),
        ("core.sshCommand", program),
    ] {
        clone.repo.git(&["config", key, value]);
    }
    vec![]
}

/// Another repository has a file of other bytes under the id of one of our records.
fn alternate(clone: &Clone, _: &str) -> Vec<(&'static str, String)> {
    let id = clone.repo.git(&["rev-parse", &format!("refs/rapid/ledger:{}", clone.repo.record("reports/0001.json"))]);
    let other = clone.repo.world().path("objects");
    std::fs::create_dir_all(other.join(&id[..2])).unwrap();
    std::fs::write(other.join(&id[..2]).join(&id[2..]), super::pack::stored(b"blob 2\0{}")).unwrap();
    file(clone, ".git/objects/info/alternates", &format!("{}\n", other.display()))
}

/// The clone's configuration, with a program wherever git would run one.
fn hostile(clone: &Clone, program: &str) -> String {
    let mut text = std::fs::read_to_string(clone.repo.path().join(".git/config")).unwrap();
    let keys = [
        ("gpg", "program"),
        ("gpg \"ssh\"", "program"),
        ("gpg \"x509\"", "program"),
        ("gpg \"ssh\"", "defaultKeyCommand"),
        ("core", "fsmonitor"),
        ("core", "sshCommand"),
        ("core", "pager"),
        ("core", "editor"),
        ("core", "askPass"),
        ("core", "alternateRefsCommand"),
        ("core", "gitProxy"),
        ("pager", "rapid"),
        ("pager", "rev-list"),
        ("diff", "external"),
        ("diff \"evil\"", "textconv"),
        ("diff \"evil\"", "command"),
        ("merge \"evil\"", "driver"),
        ("merge \"default\"", "driver"),
        ("filter \"evil\"", "clean"),
        ("filter \"evil\"", "smudge"),
        ("filter \"evil\"", "process"),
        ("interactive", "diffFilter"),
        ("sequence", "editor"),
        ("credential", "helper"),
        ("uploadpack", "packObjectsHook"),
        ("trailer \"evil\"", "command"),
        ("mergetool \"evil\"", "cmd"),
    ];
    for (section, key) in keys {
        text.push_str(&format!("[{section}]\n\t{key} = {program}\n"));
    }
    for verb in ["rapid", "verify", "merge-tree", "rev-list", "rev-parse"] {
        text.push_str(&format!("[alias]\n\t{verb} = \"!{program}\"\n"));
    }
    let hooks = clone.repo.path().join("hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    for hook in ["reference-transaction", "post-checkout", "post-index-change", "pre-auto-gc", "fsmonitor-watchman"] {
        std::fs::write(hooks.join(hook), format!("#!/bin/sh\n{program}\n")).unwrap();
        clone.repo.sh(&format!("chmod +x hooks/{hook}"));
    }
    text.push_str(&format!("[core]\n\thooksPath = {}\n\tuseReplaceRefs = true\n", hooks.display()));
    text.push_str(
        "[protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n[log]\n\tshowSignature = true\n",
    );
    text.push_str("[gitoxide \"objects\"]\n\tallocLimit = 1\n\treplaceRefBase = refs/evil/\n[color]\n\tui = always\n");
    text
}

/// What is asked: the ledger, the commit of the run, and a merge that is none.
fn answers(clone: &Clone, variables: &[(&'static str, String)]) -> Vec<(i32, String, String)> {
    let ask = |commit: &str| {
        let mut command = clone.repo.tool();
        command.args(["verify", "--full", "--json", "--commit", commit]);
        let seen = Output::of(command.envs(variables.iter().map(|(name, value)| (name, value))));
        let document = seen.json();
        let kept = ["answer", "tip", "entries", "attachments", "commit"].map(|key| format!("{:?}", document.get(key)));
        let findings: Vec<_> = seen.findings().into_iter().filter(|(code, _)| code != "RAPID1523").collect();
        let said = seen.stderr.lines().filter(|line| line.starts_with("error[")).collect::<Vec<_>>().join("\n");
        (seen.code, format!("{}\n{findings:?}", kept.join("\n")), said)
    };
    vec![ask("refs/heads/main"), ask(&clone.conflict)]
}

/// A merge of the run's commit with one that changes the same lines, solved as a driver would that takes its own side.
fn clone() -> Option<Clone> {
    let repo = finished()?;
    let git = |arguments: &[&str]| repo.git(arguments);
    let run = git(&["rev-parse", "HEAD"]);
    git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    repo.write("greeting.sh", &format!("echo hello\necho '{}'\necho other\n", run_of("Another", 1)));
    let side = repo.commit("the other side");
    let tree = git(&["rev-parse", &format!("{run}^{{tree}}")]);
    let union = repo.blob(
        format!("echo hello\necho '{}'\necho '{}'\necho other\n", run_of("Add a greeting", 1), run_of("Another", 1))
            .as_bytes(),
    );
    let merged = repo.tree_with(&tree, &[("greeting.sh", Some(&union))]);
    let conflict = git(&["commit-tree", &merged, "-p", &side, "-p", &run, "-m", "merged"]);
    git(&["update-ref", "refs/heads/conflict", &conflict]);
    git(&["config", "remote.origin.url", "/nowhere"]);
    git(&["update-ref", "refs/remotes/origin/main", &side]);
    git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    git(&["checkout", "--quiet", "main"]);
    Some(Clone { repo, conflict })
}

fn moved(base: &Clone, name: &str, set: Setting, expected: Expected) -> Option<String> {
    let world = World::new();
    let copied = world.path("work");
    Output::of(world.command("cp", world.top()).arg("-a").arg(base.repo.path()).arg(&copied)).ok();
    let clone = Clone { repo: Repo::at(&world, copied), conflict: base.conflict.clone() };
    let honest = answers(base, &[]);
    assert_eq!((honest[0].0, honest[1].0), (0, 1), "{honest:?}");
    let (program, mark) = (world.path("program"), world.path("mark"));
    std::fs::write(&program, format!("#!/bin/sh\necho \"$0 $*\" >>'{}'\nexit 0\n", mark.display())).unwrap();
    clone.repo.sh(&format!("chmod +x '{}'", program.display()));
    let variables = set(&clone, program.to_str().unwrap());
    // What git ran while this was set up is not what is asked.
    let _ = std::fs::remove_file(&mark);
    let seen = answers(&clone, &variables);
    let ran = std::fs::read_to_string(&mark).unwrap_or_default();
    let right = match expected {
        Same => seen == honest,
        Refused(code) => seen.iter().all(|(status, _, said)| *status == 2 && said.contains(code)),
    };
    (!right || !ran.is_empty()).then(|| format!("{name}: {seen:#?}\ninstead of {honest:#?}\nran: {ran}"))
}

#[test]
fn lying_surroundings_do_not_move_the_answer_and_run_no_program() {
    let Some(base) = clone() else { return };
    let ask = |(name, set, expected): &(&str, Setting, Expected)| moved(&base, name, *set, *expected);
    let wrong: Vec<String> = SETTINGS.iter().filter_map(ask).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), SETTINGS.len(), wrong.join("\n\n"));
}
