//! Tests of what must survive: everything that looks like a secret and is none.

use super::recipes::made;
use super::*;

/// Lines of ordinary logs; `{…}` is drawn as in a recipe.
const LINES: &[&str] = &[
    "commit {h40}",
    "commit {h64} (HEAD -> main)",
    "tree {h40} parent {h40}",
    "index {h7}..{h7} 100644",
    "From {h40} Mon Sep 17 00:00:00 2001",
    "[main {h7}] fix the token count",
    "HEAD is now at {h10} rotate password hints",
    "sha256:{h64}",
    "sha512-{b86}==",
    "integrity sha512-{b86}==",
    "Digest: sha256:{h64} Status: Image is up to date",
    "resolved \"https://registry.example/x/-/x-1.2.3.tgz#{h40}\"",
    "checksum = \"{h64}\"",
    "md5 {h32}  file.tar.gz",
    "id {u}",
    "request_id={u} status=200",
    "{\"traceId\":\"{h32}\",\"spanId\":\"{h16}\"}",
    "run {u} of session {u}",
    "etag: W/\"{h40}\"",
    "cache-key: linux-cargo-{h64}",
    "cache_key=linux-{h40}",
    "key: v1-deps-{h64}",
    "git checkout -b topic {h40}",
    "git@github.com:owner/name.git",
    "ssh://git@host.example:2222/owner/name.git",
    "https://example.org:8443/path?x=1&y=2@3",
    "http://localhost:8080/@scope/name",
    "https://registry.example.org/@babel/core/-/core-7.0.0.tgz",
    "cloning https://github.com/owner/name at {h40}",
    "test auth::token::tests::refresh_token_is_rotated ... ok",
    "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.02s",
    "tests/test_auth.py::test_password[user-1] PASSED",
    "src/token.rs:120:5: error: unexpected token: `=`",
    "error: expected token `;`, found `}`",
    "token = parser.next_token()",
    "let secret = read_secret_from_file(path)?;",
    "password: must not be empty",
    "secret: required",
    "API_KEY=$API_KEY",
    "API_KEY=${{ secrets.API_KEY }}",
    "DB_PASSWORD=",
    "TOKEN_FILE=/run/secrets/token",
    "max_tokens=4096 token_count: 1234567890",
    "tokenizer=cl100k_base prompt_tokens: 12",
    "Enter password: ",
    "Bearer authentication required",
    "Authorization: required",
    "docker run -u 1000:1000 image",
    "-----BEGIN CERTIFICATE-----\n{b64}\n{b64}\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n{b64}\n-----END PUBLIC KEY-----",
    "looks for -----BEGIN RSA PRIVATE KEY----- in files",
    "ssh-ed25519 {b68} me@host",
    "SHA256:{b43} me@host (ED25519)",
    "npm_config_registry=https://registry.example/ npm_package_name=x",
    "pypi-mirror-of-the-company-with-a-very-long-name",
    "sk-folding-cube sk-spinner-line task-board-with-a-very-long-name-indeed",
    "hf_transfer=1 key_press_count=10",
    "2026-11-30T12:00:00.123456Z INFO started in 1.234567s",
    "0x{h16} in main () at src/main.rs:10",
    "data:image/png;base64,{b64}",
    "finished 20261130-120000-{h7}",
    "rustc 1.95.0 ({h9} 2026-04-14)",
    "pass: 12, fail: 0, todo: 3",
    "PASS src/auth/secret-store.test.ts (5.123 s)",
    "Compiling secret-service v3.0.1",
    "AKIA is the beginning of such a key, ghp_ of another",
    "user:password authentication",
    "key-{u}",
    "primary_key=12345678 foreign_key=87654321",
    "secretName: tls-certificate-2026",
    "cache key-{h32} restored",
    "Cache saved with key_{h64}",
    "pod api-{u} is up, sdk-{u} too",
    "release {h32}-us1",
    "secret: sha256:{h64}",
    "\"secret\": \"sha512-{b86}==\",",
    "SIGNING_KEY=sha256:{h64}",
    "request_token: {u}",
    "\"csrfToken\": \"{u}\"",
    "Cookie: theme=dark",
    "Cookie: theme=dark; lang=de; cols=120",
    "CACHE_KEY=linux-cargo-{h40}",
    "let tokens: Vec<Token> = lex(input)</",
    "<token>identifier</token> <key>value</key>",
    "{\"name\":\"token\",\"value\":\"identifier\"}",
    "{\"name\":\"commit\",\"value\":\"{h40}\"}",
    "PWD=/home/me/work OLDPWD=/home/me",
    "PASS=12 FAIL=0 SKIP=3",
    "cd /srv; pwd=$(pwd); echo",
    "sqlplus / as sysdba",
];

#[test]
fn look_alikes_survive() {
    assert!(LINES.len() >= 50);
    for (nth, line) in LINES.iter().enumerate() {
        let text = if line.contains("{h") || line.contains("{b") || line.contains("{u}") {
            braces(line, nth)
        } else {
            (*line).to_owned()
        };
        assert_eq!(redacted(&text), text, "{line}");
    }
    // And all of them under each other, where the end of a line joins strangers.
    let all: String = LINES.iter().filter(|line| !line.contains('{')).map(|line| format!("{line}\n")).collect();
    assert_eq!(redacted(&all), all);
    let drawn = ["{h40}", "{h64}", "{u}", "sha256:{h64}", "{h40} {h7} x"].map(|line| braces(line, 1)).join("\n");
    assert_eq!(redacted(&drawn), drawn);
}

/// Follows a recipe in a line that may hold braces of its own.
fn braces(line: &str, number: usize) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('{') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find('}').map_or(rest.len(), |end| end + 1);
        let inner = &rest[1..end.max(2) - 1];
        let is_recipe = inner == "u" || (inner.len() > 1 && inner[1..].chars().all(|c| c.is_ascii_digit()));
        let taken = if is_recipe { end } else { 1 };
        text.push_str(&if is_recipe { made(&rest[..end], number) } else { "{".into() });
        rest = &rest[taken..];
    }
    text + rest
}
