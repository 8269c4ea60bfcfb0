//! Tests of values that are secret because of a name, and of the values of an environment.

use super::recipes::made;
use super::*;

/// Texts with a random value at `@`, all of which are secret.
const TELLING: &[&str] = &[
    "API_KEY=@",
    "export DB_PASSWORD=@",
    "AWS_SECRET_ACCESS_KEY=@",
    "aws_secret_access_key = @",
    "MY_SERVICE_TOKEN='@'",
    "{\"password\": \"@\"}",
    "{\"clientSecret\":\"@\"}",
    "{\\\"access_token\\\":\\\"@\\\"}",
    "api-key: @",
    "apiKey: '@',",
    "x-api-key: @",
    "secret => \"@\"",
    "password := \"@\"",
    "--token @ --verbose",
    "--password=@",
    "token: Some(\"@\")",
    "https://x.example/cb?access_token=@&state=1",
    "Server=db;User Id=sa;Password=@;Encrypt=true",
    "AccountName=x;AccountKey=@==;EndpointSuffix=y",
    "//registry.example/:_authToken=@",
    "\"auth\": \"@\"",
    "signing_key = \"@\"",
    "SESSION_KEY=@",
    "API_KEY_2=@",
    "connectionString=@",
    "Server=h;Database=d;Uid=sa;Pwd=@;",
    "GITHUB_PAT=@",
    "STRIPE_KEY=@",
    "export OPENAI_KEY=@",
    "MY_KEY=@",
    "GPG_KEY=@",
    "DB_PW=@",
    "PASS=@",
    "SESSION_COOKIE=@",
    "SENTRY_DSN=@",
    "JWT=@",
    "stripe_key: @",
    "os.environ['SECRET_KEY'] = '@'",
    "ENV[\"API_TOKEN\"]=\"@\"",
    "{\"name\":\"API_TOKEN\",\"value\":\"@\"}",
    "{\"Key\": \"db-password\", \"Value\": \"@\"}",
    "{\\\"name\\\":\\\"API_TOKEN\\\",\\\"value\\\":\\\"@\\\"}",
    "- name: API_TOKEN\n  value: @",
    "<password>@</password>",
    "<apiKey>@</apiKey>",
    "<add key=\"ApiKey\" value=\"@\"/>",
];

#[test]
fn a_random_value_beside_a_telling_name_is_taken_and_nothing_else() {
    for recipe in ["{a24}", "{a40}", "{h32}", "{h40}"] {
        for (nth, pattern) in TELLING.iter().enumerate() {
            let (before, after) = pattern.split_once('@').expect("a place");
            let text = format!("x\n{}\nDone\n", pattern.replace('@', &made(recipe, nth)));
            let shown = redacted(&text);
            assert_eq!(leak(shown.as_bytes(), recipe, nth), None, "{pattern}: {shown}");
            let after = after.trim_start_matches('=');
            assert!(
                shown.contains(&format!("{before}[redacted:")) && shown.contains(&format!("{after}\nDone\n")),
                "{shown}"
            );
        }
    }
}

#[test]
fn a_value_may_be_wrapped_and_coloured() {
    let secret = made("{a40}", 3);
    let wrapped = format!("API_KEY={}\n{}\nDone in 3s\n", &secret[..25], &secret[25..]);
    assert_eq!(redacted(&wrapped), "API_KEY=[redacted:assigned]\nDone in 3s\n");
    let weak = format!("{}{}", "hunter", 2);
    let unrelated = format!("DB_PASSWORD={weak}\nreleases/v1.2.3 is out\nTOKEN={secret}\n{} HEAD\n", made("{h40}", 4));
    let shown = redacted(&unrelated);
    assert!(shown.contains("]\nreleases/v1.2.3 is out\n"), "{shown}");
    assert!(shown.ends_with(&format!("]\n{} HEAD\n", made("{h40}", 4))), "{shown}");
    let coloured = format!("\x1b[1mAPI_KEY\x1b[0m=\x1b[32m{}\x1b[0m\n", secret);
    assert_eq!(redacted(&coloured), "\x1b[1mAPI_KEY\x1b[0m=\x1b[32m[redacted:assigned]\x1b[0m\n");
}

#[test]
fn after_a_variables_name_even_a_weak_value_is_secret() {
    let weak = format!("{}{}", "hunter", 2);
    for text in [
        "DB_PASSWORD=@\n",
        "a=1;Password=@;b=2",
        "?password=@&x=1",
        "password: \"@\"",
        "password=@\n",
        "a=1;Uid=sa;Pwd=@;",
        "PASS=@\n",
        "DB_PW=@\n",
        "MY_KEY=@\n",
        "os.environ['SECRET_KEY'] = '@'",
        "<password>@</password>",
        "{\"name\":\"DB_PASSWORD\",\"value\":\"@\"}",
        "<add key=\"ApiKey\" value=\"@\"/>",
    ] {
        assert!(!redacted(&text.replace('@', &weak)).contains(&weak), "{text}");
    }
}

#[test]
fn the_environments_secret_values_are_found_wherever_they_stand() {
    let (key, password) = (made("{a24}", 1), format!("{}/{}", made("{a8}", 2), made("{a8}", 3)));
    let address = made("postgres://shop:~{a18}@db.example/shop", 4);
    let environment = Environment::from_pairs(
        "/",
        [
            ("SOME_API_KEY", key.as_str()),
            ("DB_PASSWORD", &password),
            ("DATABASE_URL", &address),
            ("PGPASSWORD", "postgres"),
            ("SHORT_TOKEN", "abc1"),
            ("SSH_AUTH_SOCK", "/tmp/ssh-Ab12Cd34/agent.1"),
            ("TOKEN_FILE", "/run/secrets/Token9Token9"),
            ("GOOGLE_APPLICATION_CREDENTIALS", "/home/me/key-1234567.json"),
            ("PWD", "/home/me/work-12345678"),
            ("MAX_TOKENS", "123456789012"),
            ("AUTHOR", "Somebody Else 1"),
            ("HOME", "/home/me"),
        ],
    );
    let values = secret_values(&environment);
    assert_eq!(values.len(), 3, "{values:?}");
    let redactor = Redactor::new(values, &[], &[]).expect("compiled");
    let text = format!("x{key}y {password} {} \"{}\"", password.replace('/', "%2F"), &address[16..34]);
    let found = redactor.redact(text.as_bytes());
    let shown = String::from_utf8_lossy(&found.bytes);
    assert_eq!(shown, "x[redacted:value]y [redacted:value] [redacted:value] \"[redacted:value]\"");
    assert_eq!(found.count, 4);
    let wrapped = format!("{}\x1b[0m\n\x1b[1m  {}", &key[..7], &key[7..]);
    assert_eq!(redactor.redact(wrapped.as_bytes()).count, 1);
    let plain = b"database postgres on /home/me, abc1";
    assert_eq!(redactor.redact(plain).bytes, plain);
}

#[test]
fn a_value_is_found_in_every_form() {
    let value = format!("{}/{}+\u{e9}\u{1f511} \"!{}", made("{a9}", 1), made("{a9}", 2), made("{a9}", 3));
    let redactor = Redactor::new(vec![value.clone()], &[], &[]).expect("compiled");
    let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    let address: String = value
        .bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    let lower = address.replace("%2F", "%2f").replace("%2B", "%2b").replace("%C3%A9", "%c3%a9");
    let lower = lower.replace("%F0%9F%94%91", "%f0%9f%94%91");
    let json = value.replace('"', "\\\"");
    let ascii = json.replace('\u{e9}', "\\u00e9").replace('\u{1f511}', "\\ud83d\\udd11");
    let capital = json.replace('\u{e9}', "\\u00E9").replace('\u{1f511}', "\\uD83D\\uDD11");
    let (scripts, form) = (address.replace("%21", "!"), address.replace("%20", "+"));
    let slashed = ascii.replace('/', "\\/");
    for text in
        [&value, &hex, &hex.to_uppercase(), &address, &lower, &scripts, &form, &json, &ascii, &capital, &slashed]
    {
        let shown = redactor.text(&format!("<{text}>"));
        assert_eq!(shown, "<[redacted:value]>", "{text}");
    }
    for before in ["", "a:", "ab:", "abc:"] {
        for after in ["", "x", "xy"] {
            let standard = literals::base64(format!("{before}{value}{after}").as_bytes());
            for text in [standard.clone(), standard.replace('+', "-").replace('/', "_")] {
                let shown = redactor.text(&format!("<{text}>"));
                // At most a sign on either side belongs to the value and to what is beside it.
                assert!(shown.contains("[redacted:value]") && shown.len() < 32, "{before} {after}: {shown}");
            }
        }
    }
}

#[test]
fn base64_is_what_others_write() {
    for (text, written) in [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("\u{ff}\u{3fe}?", "w7/Pvj8")] {
        assert_eq!(literals::base64(text.as_bytes()), written);
    }
}

#[test]
fn a_value_of_several_lines_is_found_line_by_line_and_in_json() {
    let lines: Vec<String> = (0..3).map(|nth| made("{a32}", nth)).collect();
    let redactor = Redactor::new(vec![lines.join("\n")], &[], &[]).expect("compiled");
    let shown = |text: String| String::from_utf8_lossy(&redactor.redact(text.as_bytes()).bytes).into_owned();
    assert_eq!(shown(lines.join("\n")), "[redacted:value]");
    assert_eq!(shown(lines.join("\\n")), "[redacted:value]");
    assert_eq!(shown(format!("1 | {}\n2 | {}", lines[0], lines[1])), "1 | [redacted:value]\n2 | [redacted:value]");
}

#[test]
fn names_are_read_word_by_word() {
    let telling = [
        "password",
        "DB_PASSWORD",
        "dbPassword",
        "HTTPPassword",
        "api_key",
        "apiKey",
        "API-KEY",
        "secret",
        "client.secret",
        "GITHUB_TOKEN",
        "MYSQL_PWD",
        "NPM_AUTH",
        "auth",
        "SECRET_KEY_BASE",
        "TOKEN_2",
        "connectionString",
        "_authToken",
        "GITHUB_PAT",
        "STRIPE_KEY",
        "MY_KEY",
        "DB_PW",
        "SESSION_COOKIE",
        "SENTRY_DSN",
    ];
    let silent = [
        "PWD",
        "OLDPWD",
        "author",
        "authority",
        "tokenizer",
        "max_tokens",
        "token_count",
        "key",
        "cache_key",
        "public_key",
        "primary-key",
        "TOKEN_FILE",
        "password_hash",
        "key_id",
        "AWS_ACCESS_KEY_ID",
        "secretName",
        "pass",
        "passed",
        "passes",
        "monkey",
        "keyboard",
        "compass",
        "TOKENIZERS_PARALLELISM",
        "CACHE_KEY",
        "SSH_PUBLIC_KEY",
        "KEY",
        "SSH_AUTH_SOCK",
        "token.rs",
        "",
        "_",
    ];
    for name in telling {
        assert!(names::is_telling(name), "{name}");
    }
    for name in ["PASS", "JWT", "PAT", "DSN"] {
        assert!(names::is_telling_variable(name) && !names::is_telling(name), "{name}");
    }
    assert!(!names::is_telling_variable("PWD") && !names::is_telling_variable("pass"));
    for name in silent {
        assert!(!names::is_telling(name), "{name}");
    }
}
