//! What strangers write into a run is data in every export: markup, escapes, commands of other tools, text that runs backwards.

use super::python;
use crate::harness::{Output, Repo, World, project};
use git_rapid::domain::json::{self, Value};

/// Ends attributes, elements, CDATA and comments; commands a terminal, a runner of GitHub; hides and reorders text.
const HOSTILE: &str = "x\"' onmouseover='alert(1)'></title></style></pre></details>--><script>alert(1)</script><img src=http://evil.example/x onerror=alert(1)>\
    ]]>&amp;&#0; %0A::error::no \u{1b}[2J\u{1b}]52;c;AAAA\u{7} \u{202e}gpj\u{202c} \u{200b}\u{feff} \u{9b}31m \u{5d0}\u{5d1}";

/// Lines that a runner of GitHub obeys.
const COMMANDS: &str = "::set-output name=verdict::pass\n::error::no\n##[error]no";

fn hostile() -> Repo {
    let world = World::new();
    let repo = project(&world, "work");
    let task = format!("{HOSTILE}\n{COMMANDS}\n{}", "long ".repeat(4000));
    repo.write("test.sh", &format!("cat <<'END'\n{HOSTILE}\n{COMMANDS}\nEND\n"));
    repo.commit("tests that print");
    let start = ["start", "feature", "--spec-id", "odd", "--run-id", "odd", "--title", HOSTILE, "--task", &task];
    repo.git_rapid(&start).ok();
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.git_rapid(&[
        "check",
        "--task",
        "T001",
        "--label",
        "a <b>label</b> ::set-output name=a::b",
        "--",
        "sh",
        "test.sh",
        "<i>&",
    ])
    .ok();
    repo.write("notes.txt", &format!("{HOSTILE}\n{COMMANDS}\n"));
    repo.git_rapid(&["attach", "notes.txt", "--label", "<b>notes"]).ok();
    repo
}

/// Whether a text commands a terminal or hides something of itself.
fn commands_a_reader(text: &str) -> bool {
    let is_bidi =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    text.chars().any(|c| is_bidi(c) || (c.is_control() && c != '\n' && c != '\t'))
}

#[test]
fn pages_hold_no_element_that_a_stranger_wrote() {
    let repo = hostile();
    for arguments in [&["--run", "odd"][..], &["--all"]] {
        let page = repo.git_rapid(&[&["export", "--format", "html"], arguments].concat()).ok().stdout;
        assert!(!commands_a_reader(&page), "{arguments:?}");
        assert!(page.contains("alert(1)") && page.contains("\\u{202e}gpj"), "it is shown: {arguments:?}");
        let lower = page.to_lowercase();
        for never in ["<script", "<img", "<i>", "<b>", " onerror=\"", "href=\"http"] {
            assert!(!lower.contains(never), "{never} in {arguments:?}");
        }
        assert_eq!(lower.matches("</title>").count(), 1);
        assert_eq!(lower.matches("</style>").count(), 1);
        assert!(page.len() < 200_000, "a value without end has one: {}", page.len());
        assert_parses(&repo, &page);
    }
}

/// A strict parser finds no fault, no element that is not ours, and no attribute that runs or loads anything.
fn assert_parses(repo: &Repo, page: &str) {
    const PARSE: &str = r#"
import sys, html5lib
parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False)
document = parser.parse(open(sys.argv[1], encoding="utf-8").read())
ours = set("""html head meta link title style body header main footer section div span h1 h2 p br wbr code pre strong
table caption thead tbody tr th td dl dt dd ol ul li details summary time""".split())
for element in document.iter():
    assert element.tag in ours, element.tag
    for name, value in element.attrib.items():
        assert not name.startswith("on") and name not in ("src", "srcset", "action", "formaction"), (element.tag, name)
        assert name != "href" or value == "data:,", value
        assert name != "style", value
"#;
    let world = repo.world();
    if python::has(world, &["html5lib"]) {
        let file = world.path("page.html");
        std::fs::write(&file, page).unwrap();
        let _ = python::run(world, PARSE, &[file.to_str().unwrap()]).ok();
    }
}

#[test]
fn documents_stay_documents() {
    let repo = hostile();
    let out = repo.git_rapid(&["export", "--format", "json"]).ok();
    assert!(!commands_a_reader(&out.stdout));
    let document = out.json();
    let spec = document.get("runs").unwrap().as_list().unwrap()[0].get("spec").unwrap().clone();
    assert_eq!(spec.get("title").and_then(Value::as_text), Some(HOSTILE.trim()), "nothing of it is lost");
    let lines = repo.git_rapid(&["export", "--format", "in-toto"]).ok().stdout;
    assert!(!commands_a_reader(&lines));
    for line in lines.lines() {
        assert!(json::parse(line.as_bytes()).is_ok(), "{line}");
    }
}

/// Paths of commits and names in a forged ledger are what a stranger chooses in an answer of `verify`.
#[test]
fn answers_for_other_tools_hold_what_a_stranger_wrote_as_text() {
    let repo = hostile();
    let odd = "::set-output name=a,b::c%0A]]><x>&\u{202e}.txt";
    repo.write(odd, "x");
    repo.commit("an odd name");
    let blob = repo.blob(b"{}\n");
    let spoilt = format!("runs/00/<script>]]>::error::{}/contract.json", "\u{5d0}");
    repo.append_entry(&[(&spoilt, Some(&blob))]);
    let answer = |form: &str| repo.git_rapid(&["verify", "--commit", "HEAD", "--format", form]);
    let github = answer("github").ends(1);
    assert_eq!(github.stderr, "", "a runner reads both streams: {github}");
    for line in github.stdout.lines() {
        let (kind, _) = line[2..].split_once(' ').unwrap();
        assert!(line.starts_with("::") && ["error", "warning", "notice"].contains(&kind), "{line}");
    }
    for form in ["github", "junit", "sarif"] {
        let said = answer(form);
        assert!(!commands_a_reader(&said.stdout), "{said}");
    }
    json::parse(answer("sarif").stdout.as_bytes()).unwrap();
    let xml = answer("junit").stdout;
    assert!(!xml.contains("]]>") && !xml.contains("<script>"), "{xml}");
    parses_as_xml(&repo, &xml);
}

fn parses_as_xml(repo: &Repo, xml: &str) {
    let file = repo.world().path("report.xml");
    std::fs::write(&file, xml).unwrap();
    let script = "import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])";
    let parsed = Output::of_any(repo.world().command("python3", repo.world().top()).args(["-c", script]).arg(&file));
    let _ = parsed.map(Output::ok);
}

/// Every field that somebody else sets, in the formats that hold them: names of people, reasons, documents of a spec, files, branches.
#[test]
fn whoever_sets_a_field_sets_text_and_nothing_else() {
    let repo = hostile();
    let name = format!("Mallory <b>{COMMANDS}</b> \u{202e}yrollaM ]]> </script>").replace('\n', " ");
    let reason = format!("{HOSTILE}\n{COMMANDS}");
    let mut command = repo.world().command("git", repo.path());
    command.env("GIT_COMMITTER_NAME", &name).env("GIT_COMMITTER_EMAIL", "<script>@example.com");
    Output::of(command.args(["rapid", "task", "block", "T001", "--reason", &reason])).ok();
    let evidence = Value::object([
        ("kind", "review".into()),
        ("producer", "ci:lint".into()),
        ("summary", HOSTILE.into()),
        (
            "payload",
            Value::object([
                ("review_type", "peer".into()),
                ("outcome", "approved".into()),
                // A name may hold no '/' and no control character.
                ("reviewer", "bot ]]> <b onload='alert(1)'> ::error::no".into()),
            ]),
        ),
    ]);
    repo.write("../evidence.json", &evidence.canonical());
    repo.git_rapid(&["evidence", "add", "--run", "odd", "--input", "../evidence.json"]).ok();
    let odd = "a\nb::error::no \u{202e}<script>]]>.sh";
    repo.write(odd, "echo 1\n");
    repo.git(&["checkout", "--quiet", "-b", "x]]><script>alert(1)</script>\u{202e}"]);
    repo.commit("an odd branch, an odd file");
    repo.git_rapid(&["eval", "run", "--run", "odd"]).ok();
    for format in ["html", "json", "in-toto"] {
        for which in [&["--run", "odd"][..], &["--all"]] {
            let said = repo.git_rapid(&[&["export", "--format", format][..], which].concat()).ok().stdout;
            assert!(!commands_a_reader(&said), "{format} {which:?}");
            assert!(said.lines().all(|line| !line.trim_start().starts_with("::")), "{format} {which:?}");
            match format {
                "html" => {
                    let lower = said.to_lowercase();
                    assert!(!["<script", "<b>", "]]>", "##["].iter().any(|never| lower.contains(never)), "{which:?}");
                    assert!(which == ["--all"] || lower.contains("mallory"), "who wrote it is shown");
                    assert_parses(&repo, &said);
                }
                "json" => drop(json::parse(said.as_bytes()).unwrap()),
                _ => said.lines().for_each(|line| drop(json::parse(line.as_bytes()).unwrap())),
            }
        }
    }
    for form in ["text", "github", "junit", "sarif"] {
        let said = repo.git_rapid(&["verify", "--commit", "HEAD", "--format", form]).ends(1);
        assert!(!commands_a_reader(&said.stdout) && !commands_a_reader(&said.stderr), "{form}: {said}");
        let begun = |line: &str| ["::set", "::error::", "##["].iter().any(|command| line.starts_with(command));
        assert!(!said.stdout.lines().any(begun), "{form}: {said}");
        if form == "junit" {
            parses_as_xml(&repo, &said.stdout);
        }
    }
}

/// A run is a row of a bounded size, and the rows are bounded.
#[test]
fn a_dashboard_of_many_runs_is_bounded() {
    let world = World::new();
    let repo = project(&world, "work");
    let create = ["spec", "create", "--id", "odd", "--title", HOSTILE, "--mode", "feature", "--status", "ready"];
    repo.git_rapid(&[&create[..], &["--task", &"x".repeat(9000), "--acceptance", "A"]].concat()).ok();
    let size = |many: usize| {
        for _ in 0..many {
            repo.git_rapid(&["run", "create", "--spec", "odd"]).ok();
        }
        repo.git_rapid(&["export", "--all", "--format", "html"]).ok().stdout
    };
    let one = size(1).len();
    let each = (size(3).len() - one) / 3;
    assert!(each < 2500, "a run is a row: {each} bytes");
    // Slow: each run is an entry that is flushed.
    if std::env::var_os("RAPID_SLOW_TESTS").is_some() {
        let page = size(1000);
        assert!(page.contains("The newest 1000 of 1004"));
        assert!(page.len() < 2500 * 1000 + one, "{} bytes", page.len());
        assert_eq!(page.matches("<th scope=\"row\">").count(), 1000);
    }
}
