//! Secrets that a command prints are in no object, no file and no answer afterwards, however they are printed.
//!
//! The command is real: a shell that writes fixtures from outside the repository to its two streams. Not here: what people
//! say (`said`), and what only looks secret (`lookalikes`).

use super::recipes::{ALL, made};
use super::store::{Hidden, objects};
use crate::harness::{Loop, Output, Repo, World};
use git_rapid::domain::json::Value;
use std::fmt::Write;
use std::path::PathBuf;

/// Where the texts to print lie: the only place that may hold them.
const FIXTURES: &str = "fixtures";

/// A repository with an active run, in whose terms a pattern of its own stands.
fn opened() -> Repo {
    let world = World::new();
    let repo = world.repository("work", &[]);
    repo.write("greeting.sh", "echo hello\n");
    repo.write("test.sh", "true\n");
    let redact = "[redact]\npatterns = [\"corp-[0-9]{12}\", \"badge=([a-z]+)\"]\n";
    repo.write(".rapid/config.toml", &format!("test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n{redact}"));
    repo.commit("a project");
    Loop::start(&repo, "Add a greeting");
    std::fs::create_dir(world.path(FIXTURES)).unwrap();
    repo
}

fn fixture(repo: &Repo, name: &str, bytes: &[u8]) -> PathBuf {
    let path = repo.world().path(FIXTURES).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// A check of a shell script with the fixtures' paths as `$1`, `$2` …; with variables of its own.
fn check(repo: &Repo, script: &str, fixtures: &[PathBuf], variables: &[(String, String)]) -> Output {
    let mut command = repo.world().command("git", repo.path());
    command.args(["rapid", "check", "--json", "--", "sh", "-c", script, "sh"]).args(fixtures);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    Output::of(&mut command).ok()
}

fn log_of(repo: &Repo, checked: &Output) -> (String, i64) {
    let document = checked.json();
    let id = document.get("evidence_id").and_then(Value::as_text).unwrap().to_owned();
    let count = document.get("log").and_then(|log| log.get("redactions")).and_then(Value::as_int).unwrap();
    (repo.git_rapid(&["evidence", "log", &id]).ok().stdout, count)
}

/// Every shape, with what is secret in it.
fn shapes() -> (Vec<String>, Hidden) {
    let mut hidden = Hidden::default();
    let secrets: Vec<String> = ALL
        .iter()
        .enumerate()
        .map(|(nth, recipe)| {
            hidden.recipe(recipe, nth);
            made(recipe, nth)
        })
        .collect();
    assert!(secrets.len() >= 60 && hidden.pieces() >= 60);
    (secrets, hidden)
}

/// One-word secrets may be wrapped anywhere; those with blanks of their own wrap as words do.
fn one_word(secrets: &[String]) -> Vec<&String> {
    secrets.iter().filter(|secret| !secret.contains(' ')).collect()
}

/// `secret` with something put into its middle.
fn broken(secret: &str, with: &str) -> String {
    let middle = secret.char_indices().nth(secret.chars().count() / 2).map_or(0, |(at, _)| at);
    format!("{}{with}{}", &secret[..middle], &secret[middle..])
}

/// Prints lines, and looks everywhere. As many are taken out as there are.
fn hides(lines: &[String], hidden: &Hidden, script: &str) {
    let repo = opened();
    let text: String = lines.iter().fold(String::new(), |text, line| text + "line: " + line + "\nok then\n");
    assert!(!hidden.found_in(text.as_bytes()).is_empty(), "what is looked for is printed");
    let path = fixture(&repo, "text", text.as_bytes());
    let checked = check(&repo, script, &[path], &[]);
    let (log, count) = log_of(&repo, &checked);
    assert!(log.matches("[redacted:").count() >= lines.len(), "{log}");
    assert_eq!(usize::try_from(count).unwrap(), log.matches("[redacted:").count(), "counts are recorded");
    assert_eq!(log.matches("ok then\n").count(), lines.len(), "what is between them stays");
    assert_eq!(hidden.found_in(log.as_bytes()), Vec::<String>::new());
    hidden.nowhere(&repo, FIXTURES, &[&checked.stdout, &log]);
    // The values are nowhere, and neither is their number's secret: the record tells how often, and no more.
    let record = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{}", last_record(&repo))]);
    assert!(record.contains(&format!("\"redactions\":{count}")) && !record.contains("[redacted:"), "{record}");
}

fn last_record(repo: &Repo) -> String {
    repo.records().into_iter().filter(|path| path.contains("/evidence/E")).max().unwrap()
}

#[test]
fn every_shape_in_plain_sight() {
    let (secrets, hidden) = shapes();
    hides(&secrets, &hidden, "cat \"$1\"");
}

#[test]
fn every_shape_interleaved_with_colours() {
    let (secrets, hidden) = shapes();
    let lines: Vec<String> = secrets.iter().map(|secret| broken(secret, "\x1b[0m\x1b[1;31m")).collect();
    hides(&lines, &hidden, "cat \"$1\"");
}

#[test]
fn every_shape_in_wrapped_lines() {
    let (secrets, hidden) = shapes();
    let lines: Vec<String> = one_word(&secrets).iter().map(|secret| broken(secret, "\n    ")).collect();
    assert!(lines.len() >= 60);
    hides(&lines, &hidden, "cat \"$1\"");
}

#[test]
fn every_shape_in_single_bytes() {
    let (secrets, hidden) = shapes();
    // Written in pieces of seven bytes, each a write of its own.
    hides(&secrets, &hidden, "dd if=\"$1\" bs=7 2>/dev/null");
}

#[test]
fn every_shape_split_over_both_streams() {
    let (secrets, hidden) = shapes();
    let repo = opened();
    let directory = repo.world().path(FIXTURES);
    for (nth, secret) in secrets.iter().enumerate() {
        let (first, second) = secret.split_at(broken(secret, "\0").find('\0').unwrap());
        fixture(&repo, &format!("{nth:03}.a"), format!("line: {first}").as_bytes());
        fixture(&repo, &format!("{nth:03}.b"), format!("{second}\nok then\n").as_bytes());
    }
    let script = "for file in \"$1\"/*.a; do cat \"$file\"; cat \"${file%.a}.b\" >&2; done";
    let checked = check(&repo, script, &[directory], &[]);
    let (log, _) = log_of(&repo, &checked);
    assert_eq!(log.matches("ok then\n").count(), secrets.len());
    assert!(log.matches("[redacted:").count() >= secrets.len(), "{log}");
    hidden.nowhere(&repo, FIXTURES, &[&checked.stdout, &log]);
}

/// Secrets lie across the edges of pieces as they are read, and across both ends of what is kept of a long output.
#[test]
fn every_shape_at_the_edges_of_what_is_read_and_kept() {
    let (secrets, hidden) = shapes();
    let repo = opened();
    let mut text = String::new();
    let mut next = secrets.iter().cycle();
    // 256 KiB are kept of this: its first and last halves, each cut somewhere near 128 KiB.
    for edge in (4096..640 * 1024).step_by(4096) {
        let secret = next.next().unwrap();
        let start = edge - secret.len() / 2;
        while text.len() + 64 < start {
            writeln!(text, "{:063}", text.len()).unwrap();
        }
        if text.len() + 8 < start {
            let gap = start - text.len() - 7;
            write!(text, "line:{} ", " ".repeat(gap)).unwrap();
        }
        writeln!(text, "{secret}").unwrap();
    }
    // Around both cuts every line holds one, so that the cut goes through some.
    let path = fixture(&repo, "text", text.as_bytes());
    let checked = check(&repo, "cat \"$1\"", &[path], &[]);
    let (log, _) = log_of(&repo, &checked);
    assert!(log.contains(" bytes left out …"), "it is cut");
    assert!(log.matches("[redacted:").count() >= 55, "{}", log.matches("[redacted:").count());
    hidden.nowhere(&repo, FIXTURES, &[&checked.stdout, &log]);
    // Lines of secrets only: wherever the cut is, it goes past secrets on both sides.
    let dense: String = secrets.iter().cycle().take(8000).fold(String::new(), |text, secret| text + secret + "\n");
    let path = fixture(&repo, "dense", dense.as_bytes());
    let checked = check(&repo, "cat \"$1\"", &[path], &[]);
    let (log, _) = log_of(&repo, &checked);
    assert!(log.contains(" bytes left out …"), "it is cut");
    hidden.nowhere(&repo, FIXTURES, &[&checked.stdout, &log]);
}

#[test]
fn private_key_blocks() {
    let kinds = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "];
    let mut hidden = Hidden::default();
    let mut lines = Vec::new();
    for (nth, kind) in kinds.iter().enumerate() {
        let body: Vec<String> = (0..12).map(|line| made("{b64}", nth * 100 + line)).collect();
        body.iter().for_each(|line| hidden.text(kind, line));
        let word = ["PRIV", "ATE KEY"].concat();
        let block =
            |end: &str| format!("-----BEGIN {kind}{word}-----{end}{}{end}-----END {kind}{word}-----", body.join(end));
        lines.push(block("\n"));
        lines.push(block("\r\n"));
        lines.push(format!("\"{}\"", block("\\n")));
        lines.push(block("\x1b[0m\n\x1b[36m"));
    }
    hides(&lines, &hidden, "cat \"$1\"");
}

#[test]
fn values_beside_telling_names_and_own_patterns() {
    let forms = [
        "API_KEY=@",
        "export DB_PASSWORD='@'",
        "{\"client_secret\": \"@\"}",
        "aws_secret_access_key = @",
        "x-api-key: @",
        "run --token @ --verbose",
        "https://x.example/cb?access_token=@&state=1",
        "Server=db;User Id=sa;Password=@;Encrypt=true",
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=@;EndpointSuffix=y",
        "mongodb+srv://shop:@@cluster.example/shop",
        "amqp://shop:@@queue.example:5672/v",
        "redis://:@@cache.example:6379/0",
        "SECRET_KEY_BASE=@",
        "password: \"@\"",
        "Server=h;Database=d;Uid=sa;Pwd=@;",
        "https://@:x-oauth-basic@github.com/owner/name.git",
        "GITHUB_PAT=@",
        "STRIPE_KEY=@",
        "OPENAI_KEY=@",
        "MY_KEY=@",
        "GPG_KEY=@",
        "DB_PW=@",
        "PASS=@",
        "SESSION_COOKIE=@",
        "SENTRY_DSN=https://@@o1.ingest.example/2",
        "JWT=@",
        "os.environ['SECRET_KEY'] = '@'",
        "{\"name\":\"API_TOKEN\",\"value\":\"@\"}",
        "<password>@</password>",
        "<add key=\"ApiKey\" value=\"@\"/>",
        "sqlplus shop/@@db.example",
        "Cookie: theme=dark; session=@",
    ];
    let mut hidden = Hidden::default();
    let mut lines = Vec::new();
    for (nth, form) in forms.iter().enumerate() {
        let secret = made("{a32}", nth + 500);
        hidden.text(form, &secret);
        lines.push(form.replacen('@', &secret, 1));
        // Wrapped and coloured in the value.
        let colour = made("{a32}", nth + 600);
        hidden.text(form, &colour);
        lines.push(form.replacen('@', &broken(&colour, "\x1b[1m"), 1));
    }
    let own = made("{d12}", 700);
    hidden.text("own pattern", &own);
    lines.push(format!("corp-{own}"));
    let badge = ["tiger", "lily", "meadow", "brook"].concat();
    hidden.text("own pattern with a group", &badge);
    lines.push(format!("badge={badge}"));
    hides(&lines, &hidden, "cat \"$1\"");
}

/// What the configuration allows stays, and nothing beside it.
#[test]
fn what_the_configuration_allows_stays() {
    let repo = opened();
    let (allowed, secret) = (made("ghp_{a36}", 710), made("ghp_{a36}", 711));
    let config = std::fs::read_to_string(repo.path().join(".rapid/config.toml")).unwrap();
    repo.git_rapid(&["abort"]).ok();
    repo.write(".rapid/config.toml", &format!("{config}allow = [\"{allowed}\", \"^sample-[a-z]+$\"]\n"));
    repo.commit("what is no secret");
    Loop::start(&repo, "Allow it");
    let printed = format!("token={allowed}\npassword=sample-tiger\ntoken={secret}\npassword=sample-tiger9\n");
    let checked = check(&repo, "cat \"$1\"", &[fixture(&repo, "text", printed.as_bytes())], &[]);
    let (log, count) = log_of(&repo, &checked);
    assert!(log.contains(&allowed) && log.contains("password=sample-tiger\n"), "{log}");
    assert!(!log.contains(&secret) && !log.contains("sample-tiger9"), "{log}");
    assert_eq!(count, 2, "{log}");
}

/// The values of variables with telling names are found wherever they stand, whatever they look like.
#[test]
fn values_of_secret_looking_variables() {
    let repo = opened();
    let names = [
        "APP_SECRET",
        "GITHUB_TOKEN",
        "DB_PASSWORD",
        "STRIPE_API_KEY",
        "MY_PRIVATE_KEY",
        "SESSION_SECRET",
        "AUTH_TOKEN",
        "SSH_PASSPHRASE",
        "NPM_AUTH_TOKEN",
        "CLIENT_SECRET",
        "JWT_SIGNING_KEY",
        "REGISTRY_CREDENTIALS",
        "GITHUB_PAT",
        "STRIPE_KEY",
        "GPG_KEY",
        "DB_PW",
        "PASS",
        "SESSION_COOKIE",
        "SENTRY_DSN",
        "JWT",
        "MY_KEY",
    ];
    let mut hidden = Hidden::default();
    let mut variables = Vec::new();
    let mut text = String::new();
    for (nth, name) in names.iter().enumerate() {
        // A sentence, a token, something with signs that addresses and JSON write in their own way.
        let value = match nth % 3 {
            0 => format!("the {} horse of {}", made("{L9}", nth), made("{L9}", nth + 50)),
            1 => made("{a28}", nth),
            _ => format!("{}/{}+\"{}", made("{a9}", nth), made("{a9}", nth + 30), made("{a9}", nth + 60)),
        };
        hidden.text(name, &value);
        let json = value.replace('"', "\\\"");
        let address = value.replace('/', "%2F").replace('+', "%2B").replace('"', "%22").replace(' ', "%20");
        writeln!(
            text,
            "a {value} b\nc {} d\n{{\"v\":\"{json}\"}}\nhttps://x.example/?q={address}",
            broken(&value, "\x1b[1m")
        )
        .unwrap();
        let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
        hidden.text(name, &hex);
        writeln!(text, "hex {hex} or {}", hex.to_uppercase()).unwrap();
        // What encodings write beside the edges of a value belongs to its neighbours too.
        for before in ["", "u:", "me:", "you:"] {
            let encoded = encoded(format!("{before}{value}").as_bytes());
            hidden.text(name, &encoded[(before.len() * 8).div_ceil(6)..encoded.trim_end_matches('=').len() - 1]);
            writeln!(text, "Proxy: {encoded}").unwrap();
        }
        variables.push(((*name).to_owned(), value));
    }
    let script = "cat \"$1\"; printf 'is %s\\n' \"$APP_SECRET\" >&2; env | grep TOKEN";
    let path = fixture(&repo, "text", text.as_bytes());
    let checked = check(&repo, script, &[path], &variables);
    let (log, count) = log_of(&repo, &checked);
    assert!(count >= 10 * 21, "{count}: {log}");
    hidden.nowhere(&repo, FIXTURES, &[&checked.stdout, &log]);
}

/// Base64, by another program.
fn encoded(bytes: &[u8]) -> String {
    use std::io::Write as _;
    let mut command = std::process::Command::new("base64");
    command.arg("-w0").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// What is looked for would be found: the same search sees a secret that somebody committed.
#[test]
fn the_search_finds_what_is_there() {
    let repo = opened();
    let secret = made("gh~p_{a36}", 900);
    let mut hidden = Hidden::default();
    hidden.recipe("gh~p_{a36}", 900);
    repo.write("leak.txt", &format!("{}\n", broken(&secret, "\x1b[1m\n  ")));
    repo.commit("a leak");
    assert_eq!(hidden.found_in(&objects(&repo)), ["gh~p_{a36}"]);
}
