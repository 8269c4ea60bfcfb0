//! Tests of who is recognised, who is not, and of the walk.

use std::io::Write;
use std::process::Command;

use super::matching::recognise;
use super::*;
use crate::os::environment::Environment;

fn process(comm: &str, exe: &str, arguments: &[&str]) -> Process {
    let exe = (!exe.is_empty()).then(|| PathBuf::from(exe));
    let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
    Process { pid: 7, parent: 1, comm: comm.into(), exe, arguments }
}

#[test]
fn agents_are_recognised_however_they_are_installed() {
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("claude", "claude", "/usr/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe", &["claude"]),
        ("claude", "claude", "", &[]),
        ("claude", "2.1.332", "/home/u/.local/share/claude/versions/2.1.332", &[]),
        ("claude", "2.1.332", "/home/u/.local/share/claude/versions/2.1.332 (deleted)", &[]),
        ("claude", "node", "/usr/bin/node", &["node", "/opt/bin/claude", "-p", "hello"]),
        ("claude", "node", "/usr/bin/node", &["node", "/x/node_modules/@anthropic-ai/claude-code/cli.js"]),
        ("claude", "node", "/usr/bin/node", &["node", "--max-old-space-size=4096", "-r", "./hook.js", "/b/claude"]),
        ("claude", ".claude-wrapped", "/nix/store/abc-claude-code/bin/.claude-wrapped", &[]),
        ("codex", "codex", "/opt/codex/codex", &["codex", "exec"]),
        ("codex", "codex-linux-san", "", &[]),
        ("codex", "node", "/usr/bin/node", &["node", "/usr/lib/node_modules/@openai/codex/bin/codex.js"]),
        ("opencode", "opencode", "/usr/lib/node_modules/opencode-ai/bin/opencode.exe", &[]),
        ("pi", "pi", "/usr/bin/node", &["pi"]),
        ("pi", "node", "/usr/bin/node", &["node", "/usr/local/bin/pi", "-p", "x"]),
        ("gemini", "MainThread", "/usr/bin/node", &["/usr/bin/node", "--no-warnings", "/usr/local/bin/gemini"]),
        ("gemini", "MainThread", "/usr/bin/node", &["node", "/l/@google/gemini-cli/dist/index.js"]),
        ("copilot", "MainThread", "/usr/lib/node_modules/@github/copilot-linux-x64/copilot", &["copilot"]),
        ("cursor", "cursor-agent", "/home/u/.local/bin/cursor-agent", &[]),
        ("cursor", "node", "/home/u/.local/share/cursor-agent/versions/9/node", &["agent", "index.js"]),
        ("cursor", "Cursor", "/Applications/Cursor.app/Contents/MacOS/Cursor", &[]),
        ("antigravity", "agy", "", &["agy", "--print", "x"]),
        ("aider", "python3", "/usr/bin/python3.12", &["python3", "-m", "aider"]),
        ("aider", "aider", "/usr/bin/python3.12", &["/usr/bin/python3", "/usr/local/bin/aider"]),
        ("kiro", "kiro-cli", "", &[]),
        ("gemini", "bun", "/usr/bin/bun", &["bun", "run", "/usr/local/bin/gemini"]),
    ];
    for (name, comm, exe, arguments) in cases {
        let found = recognise(&process(comm, exe, arguments)).map(|(name, _)| name);
        assert_eq!(found, Some(*name), "{comm} {exe} {arguments:?}");
    }
}

#[test]
fn people_and_their_programs_are_not() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("bash", "/usr/bin/bash", &["-bash"]),
        ("vim", "/usr/bin/vim", &["vim", "claude"]),
        ("ssh", "/usr/bin/ssh", &["ssh", "pi"]),
        ("bash", "/usr/bin/bash", &["bash", "-c", "claude --help"]),
        ("sh", "/usr/bin/dash", &["sh", "-c", "pi"]),
        ("python3", "/usr/bin/python3", &["python3", "pi.py"]),
        ("python3", "/usr/bin/python3", &["python3", "manage.py", "pi"]),
        ("node", "/usr/bin/node", &["node", "/home/u/src/claude/server.js"]),
        ("node", "/usr/bin/node", &["node", "-e", "require('codex')"]),
        ("pip", "/usr/bin/python3", &["python3", "/usr/bin/pip", "install", "aider"]),
        ("pico", "/usr/bin/pico", &["pico"]),
        ("picom", "/usr/bin/picom", &[]),
        ("raspi-config", "/usr/bin/raspi-config", &[]),
        ("code", "/usr/share/code/code", &[]),
        ("make", "/usr/bin/make", &["make", "gemini"]),
        ("cargo", "/home/pi/.cargo/bin/cargo", &["cargo", "test", "-p", "codex"]),
        ("bash", "/usr/bin/bash", &["bash", "/home/pi/build.sh", "/src/codex"]),
        ("", "", &[]),
    ];
    for (comm, exe, arguments) in cases {
        assert_eq!(recognise(&process(comm, exe, arguments)), None, "{comm} {exe} {arguments:?}");
    }
}

#[test]
fn the_sign_says_what_gave_it_away() {
    let shown = |process: &Process| recognise(process).map(|(_, sign)| sign.to_string());
    let script = process("node", "/usr/bin/node", &["node", "/usr/local/bin/claude"]);
    assert_eq!(shown(&script).as_deref(), Some("runs /usr/local/bin/claude"));
    assert_eq!(shown(&process("pi", "", &[])).as_deref(), Some("is named pi"));
}

/// A chain where each process's parent is the next number, given by names.
fn chain(names: &'static [&'static str], top: u32) -> impl Fn(u32) -> Option<Process> {
    move |pid| {
        let name = names.get(usize::try_from(pid).ok()?.checked_sub(1)?)?;
        let last = usize::try_from(pid).ok()? == names.len();
        Some(Process { pid, parent: if last { top } else { pid + 1 }, comm: (*name).to_owned(), ..Process::default() })
    }
}

#[test]
fn the_walk_goes_to_the_top_nearest_first() {
    let found = above(1, &chain(&["bash", "claude", "bash", "codex", "init"], 0));
    let agents: Vec<_> = found.agents.iter().map(|agent| (agent.name, agent.pid)).collect();
    assert_eq!((agents, found.whole), (vec![("claude", 2), ("codex", 4)], true));
}

#[test]
fn the_walk_ends_where_the_chain_breaks_or_closes() {
    let broken = above(1, &chain(&["bash", "claude"], 99));
    assert_eq!((broken.agents.len(), broken.whole), (1, false));
    let closed = above(1, &chain(&["bash", "claude"], 1));
    assert_eq!((closed.agents.len(), closed.whole), (1, false));
    let endless = |pid| Some(Process { pid, parent: pid + 1, ..Process::default() });
    assert!(!above(1, &endless).whole);
}

#[test]
fn marks_are_found_and_configuration_is_none() {
    let marks = |pairs: &[(&str, &str)]| {
        let environment = Environment::from_pairs("/", pairs.iter().copied());
        agent_markers(&environment).into_iter().map(|mark| (mark.agent, mark.variable)).collect::<Vec<_>>()
    };
    assert_eq!(marks(&[("CLAUDE_CODE_CHILD_SESSION", "1")]), [("claude", "CLAUDE_CODE_CHILD_SESSION")]);
    assert_eq!(marks(&[("AI_AGENT", "pi"), ("PI_SESSION_ID", "x")]), [("pi", "PI_SESSION_ID"), ("agent", "AI_AGENT")]);
    let every = ["CLAUDECODE", "CODEX_THREAD_ID", "OPENCODE", "GEMINI_CLI", "COPILOT_CLI", "CURSOR_AGENT", "AGENT"];
    for variable in every {
        assert_eq!(marks(&[(variable, "1")]).len(), 1, "{variable}");
        assert!(marks(&[(variable, "0")]).is_empty() && marks(&[(variable, "")]).is_empty(), "{variable}");
    }
    assert!(marks(&[("CODEX_HOME", "/h"), ("GEMINI_API_KEY", "k"), ("GOOSE_MODEL", "m"), ("HOME", "/h")]).is_empty());
}

#[test]
fn what_ps_prints_is_read() {
    let read = listing::parent_and_name;
    assert_eq!(read("  501 /Applications/Some App.app/x\n"), Some((501, "/Applications/Some App.app/x".into())));
    assert_eq!((read(""), read("bash"), read("x bash")), (None, None, None));
    // A system without `ps` shows nothing; one with it shows this process.
    if let Some(this) = listing::process(std::process::id()) {
        assert_eq!(this.parent, std::os::unix::process::parent_id());
        assert!(!this.comm.is_empty() && !this.arguments.is_empty());
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::super::procfs::{parent_and_name, process, words};
    use super::*;

    #[test]
    fn a_stat_is_read_whatever_the_name() {
        let read = |stat: &str| parent_and_name(stat.as_bytes());
        assert_eq!(read("12 (bash) S 7 12 12 0"), Some((7, "bash".into())));
        assert_eq!(read("12 (a) R 1 (b)) S 7 12"), Some((7, "a) R 1 (b)".into())));
        assert_eq!((read("12 (bash) S"), read("nonsense"), read("")), (None, None, None));
        assert_eq!(words(b"node\0/bin/pi\0\0\0"), ["node", "/bin/pi"]);
        assert_eq!(words(b"sh\0-c\0\0x\0"), ["sh", "-c", "", "x"]);
        assert_eq!(words(b"\0"), Vec::<String>::new());
    }

    #[test]
    fn this_process_is_there_and_no_other_of_its_kind() {
        let this = process(std::process::id()).expect("this process");
        assert_eq!(this.parent, std::os::unix::process::parent_id());
        assert_eq!(this.exe, std::env::current_exe().ok());
        assert!(process(u32::MAX).is_none());
    }

    const ROLE: &str = "RAPID_TEST_ANCESTRY";

    /// What the process below a pretended agent does: tells whom it sees.
    #[test]
    fn part_of_the_process_below() {
        if std::env::var_os(ROLE).is_some() {
            let ancestry = agents_among_ancestors();
            let shown = ancestry.agents.iter().map(|agent| format!("saw {} {}\n", agent.name, agent.pid));
            std::io::stderr().write_all(shown.collect::<String>().as_bytes()).expect("shown");
        }
    }

    #[test]
    fn a_real_process_below_an_agent_sees_it() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let agent = dir.path().join("opencode");
        std::os::unix::fs::symlink("/bin/sh", &agent).expect("linked");
        let program = std::env::current_exe().expect("this program");
        let test = "os::ancestry::tests::linux::part_of_the_process_below";
        let mut command = Command::new(&agent);
        command.args(["-c", "\"$@\"; echo above $$ >&2", "sh"]).arg(program).args([test, "--exact", "--nocapture"]);
        let output = command.env(ROLE, "1").output().expect("ran");
        let told = String::from_utf8_lossy(&output.stderr);
        let pid = told.lines().find_map(|line| line.strip_prefix("above ")).expect("the agent's number");
        assert!(told.lines().any(|line| line == format!("saw opencode {pid}")), "{told}");
    }
}
