//! What only looks secret is in the log to the byte: ids, digests, addresses, words about secrets.

use super::recipes::made;
use crate::harness::{Loop, World, project};
use git_rapid::domain::json::Value;

/// Lines of ordinary logs; a recipe between `«` and `»` is drawn.
const LINES: &[&str] = &[
    "commit «{h40}»",
    "commit «{h64}» (HEAD -> main, origin/main)",
    "Merge: «{h7}» «{h7}»",
    "index «{h10}»..«{h10}» 100644",
    "«{h40}» refs/heads/main",
    "tree «{h64}»",
    "sha1:«{h40}»",
    "sha256:«{h64}»",
    "sha512:«{h64}»«{h64}»",
    "\"integrity\": \"sha512-«{b86}»==\",",
    "\"integrity\": \"sha384-«{b64}»\",",
    "  integrity sha1-«{b27}»=",
    "  resolved \"https://registry.npmjs.example/@scope/pkg/-/pkg-4.17.21.tgz#«{h40}»\"",
    "checksum = \"«{h64}»\"",
    "hash: blake3 «{h64}»",
    "h1:«{b43}»=",
    "golang.example/x/net v0.17.0 h1:«{b43}»=",
    "--hash=sha256:«{h64}» \\",
    "Digest: sha256:«{h64}»",
    "repo/image@sha256:«{h64}»",
    "etag: \"«{h32}»\"",
    "uuid «{h8}»-«{h4}»-4«{h3}»-a«{h3}»-«{h12}»",
    "request «{h8}-{h4}-{h4}-{h4}-{h12}» took 3 ms",
    "{\"trace_id\":\"«{h32}»\",\"span_id\":\"«{h16}»\"}",
    "session «{h8}-{h4}-{h4}-{h4}-{h12}» opened",
    "data:image/png;base64,«{b200}»",
    "attachment «{b76}»",
    "«{b76}»",
    "fingerprint SHA256:«{b43}»",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI«{b43}» ada@example.com",
    "-----BEGIN CERTIFICATE-----",
    "MIID«{b60}»",
    "-----END CERTIFICATE-----",
    "Enter passphrase for key '/home/ada/.ssh/id_ed25519': ",
    "Password: ",
    "password:",
    "password for ada@example.com: ",
    "usage: tool [--token TOKEN] [--password-file FILE]",
    "pass token=<your token> in the address, see the manual",
    "set token=... or TOKEN=$TOKEN",
    "GET /search?q=token&page=2 200",
    "API_KEY=${API_KEY:?is missing}",
    "export SECRET=\"$(cat secret.txt)\"",
    "let api_key = config.api_key();",
    "if token == other_token { return; }",
    "const secretName = 'tls-certificate';",
    "type Credentials struct { Password string }",
    "auth.password.reset.title = Reset",
    "test auth::password::tests::hashes_with_salt ... ok",
    "tests/test_tokens.py::test_refresh_token[expired] PASSED",
    "PASS src/secrets/vault-client.spec.ts",
    "error[E0425]: cannot find value `token` in this scope",
    "max_tokens: 4096, total_tokens: 12345",
    "key=value author=ada compass=north",
    "primary_key=10000001 foreign_key=20000002",
    "cache-key: v2-linux-«{h64}»",
    "git@git.example.org:owner/name.git",
    "ssh://git@git.example.org:2222/owner/name.git",
    "https://git.example.org:8443/owner/name.git",
    "http://127.0.0.1:34567/@fs/home/ada/src/main.ts?v=«{h8}»",
    "https://user@git.example.org/owner/name",
    "https://cdn.example/npm/@babel/core@7.0.0/dist/index.js",
    "connect to postgres://localhost:5432/shop",
    "redis://cache.example:6379/0 is up",
    "mailto:ada@example.com",
    "at Object.<anonymous> (/home/ada/node_modules/.pnpm/jest@29.7.0/index.js:12:34)",
    "2026-11-30T12:00:00.123456789Z INFO ready",
    "0x«{h16}» in main",
    "+1 555 0100 200 / ISBN 978-3-16-148410-0",
    "EEAAA sk_test_mode whsec is a beginning, xoxb- and ghp_ too",
    "running 3 tests on 16 keys with 2 secrets",
    "_____token_____ ----password---- ====secret====",
    "cache key-«{h32}» restored",
    "Cache saved with key_«{h64}»",
    "pod api-«{h8}-{h4}-{h4}-{h4}-{h12}» is up",
    "release «{h32}»-us1",
    "secret: sha256:«{h64}»",
    "request_token: «{h8}-{h4}-{h4}-{h4}-{h12}»",
    "Cookie: theme=dark; lang=de",
    "CACHE_KEY=linux-cargo-«{h40}»",
    "<token>identifier</token>",
    "{\"name\":\"commit\",\"value\":\"«{h40}»\"}",
    "PASS=12 FAIL=0 SKIP=3",
];

#[test]
fn a_log_of_look_alikes_is_kept_to_the_byte() {
    assert!(LINES.len() >= 50);
    let lines: Vec<String> = LINES.iter().enumerate().map(|(nth, line)| drawn(line, nth)).collect();
    // Apart, so that each stands for itself, and all under each other, as logs have them.
    let apart = lines.iter().map(|line| format!("{line}\n\n.\n")).collect::<String>();
    let together = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Add a greeting");
    for text in [apart, together] {
        let path = world.path("text");
        std::fs::write(&path, &text).unwrap();
        let checked = repo.git_rapid(&["check", "--json", "--", "cat", path.to_str().unwrap()]).ok().json();
        let id = checked.get("evidence_id").and_then(Value::as_text).unwrap();
        let log = repo.git_rapid(&["evidence", "log", id]).ok().stdout;
        let changed: Vec<_> = text.lines().zip(log.lines()).filter(|(printed, kept)| printed != kept).collect();
        assert!(changed.is_empty(), "{changed:#?}");
        assert_eq!(log, text);
        let count = checked.get("log").and_then(|log| log.get("redactions")).and_then(Value::as_int);
        assert_eq!(count, Some(0));
    }
}

fn drawn(line: &str, number: usize) -> String {
    let mut text = String::new();
    for (nth, part) in line.split(['«', '»']).enumerate() {
        if nth % 2 == 0 {
            text.push_str(part);
        } else {
            text.push_str(&made(part, number * 10 + nth));
        }
    }
    text
}
