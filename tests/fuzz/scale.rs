//! Time grows with the length of an input and not faster, whatever it holds: four times as much text may cost about four times
//! the work. Only ratios are looked at, of the time that this thread was computing.

use crate::budget;
use crate::corpus::seeds;
use crate::recipes::made;
use git_rapid::check::junit;
use git_rapid::check::redact::Redactor;
use git_rapid::check::summary::{Input, named, recognise};
use std::time::Instant;

/// Twice what linear growth gives; growth with the square gives sixteen.
const MOST: f64 = 9.0;
/// Below this, in seconds, a measurement says nothing.
const SHORTEST: f64 = 0.02;

/// The sizes that are compared, in bytes: the second four times the first.
fn sizes() -> [usize; 2] {
    if budget::seconds().is_some() { [256 << 10, 1 << 20] } else { [48 << 10, 192 << 10] }
}

/// The seconds that this thread has been computing; those of the clock where the system does not tell.
fn computed(began: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next().and_then(|first| first.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| began.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn repeated(piece: &[u8], size: usize) -> Vec<u8> {
    piece.iter().copied().cycle().take(size).collect()
}

/// Whether the work on `piece`, repeated, grows as its length does; the best of some tries counts, as the machine has other
/// things to do.
fn grows(name: &str, piece: &[u8], work: &dyn Fn(&[u8])) -> Option<String> {
    let [small, large] = sizes().map(|size| repeated(piece, size));
    let began = Instant::now();
    let cost = |bytes: &[u8]| {
        let before = computed(began);
        work(bytes);
        computed(began) - before
    };
    let mut best = f64::MAX;
    for _ in 0..4 {
        let (first, second) = (cost(&small).max(SHORTEST), cost(&large));
        best = best.min(second / first);
        if best < MOST {
            return None;
        }
    }
    Some(format!("{name}: {best:.1} times the work for four times the text"))
}

fn summary(bytes: &[u8]) {
    let input = Input { output: bytes, exit_code: 0, command: &[], truncated: false };
    let summary = recognise(&input);
    named(&input, &summary);
}

/// Pieces that begin something and never end it.
fn pieces() -> Vec<(String, Vec<u8>)> {
    let written = [
        "a",
        "\n",
        "ok 1\n",
        "1..1\n",
        "    ok 1\n",
        "running 1 test\n",
        "test a ... ok\n",
        "test result: ok. 1 passed;",
        "{\"Action\":\"run\",\"Test\":\"A\"}\n",
        "{",
        "[[",
        "{\"a\":",
        "\"",
        "--- PASS: T (0.00s)\n",
        "=== RUN   T\n",
        "    --- PASS: T/a (0.00s)\n",
        "<testsuite name='s'>",
        "<testcase name='a'/>\n",
        "<![CDATA[",
        "<!--",
        "<?xml ?>\n",
        "\x1b[",
        "\x1b]0;",
        "\r",
        "\x08",
        "  1 passing\n",
        "  1 failing\n  1) a\n",
        "=== 1 passed in 0.1s ===\n",
        "collected 1 item\n",
        "-----\n",
        "Ran 1 test in 0.1s\n\nOK\n",
        "p test$ x\np test: a\n",
        "a: > a@1 t\n",
        "Tests: 1 passed, 1 total\n",
        "E",
        ".",
        "s",
        "= ",
        " - ",
        "1 ",
        "TAP version 14\n# Subtest: x\n",
    ];
    let mut pieces: Vec<_> = written.map(|text| (text.escape_debug().to_string(), text.as_bytes().to_vec())).into();
    let step = if budget::seconds().is_some() { 1 } else { 29 };
    pieces.extend(seeds().into_iter().step_by(step).map(|seed| (seed.name, seed.output)));
    pieces
}

#[test]
fn summaries() {
    let slow: Vec<_> = pieces().iter().filter_map(|(name, piece)| grows(name, piece, &summary)).collect();
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn reports() {
    let work = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        drop(junit::read(format!("<testsuite name='s'>{text}</testsuite>").as_bytes()));
        drop(junit::read(bytes));
    };
    let written = [
        "<testcase name='a'/>",
        "<testcase name='a'><failure message='x'/></testcase>",
        "<system-out>x</system-out>",
        "<testsuite name='s'>",
        "<testsuite name='s'></testsuite>",
        "&amp;",
        "<!-- x -->",
        "<![CDATA[x]]>",
        "<",
        "a",
        "<a b='c'>",
        "<properties><property name='a' value='b'/></properties>",
        "\n",
    ];
    let slow: Vec<_> = written.iter().filter_map(|piece| grows(piece, piece.as_bytes(), &work)).collect();
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn secrets() {
    let redactor = Redactor::new(vec!["open sesame 4711".to_owned()], &["corp-[0-9]{6}".to_owned()], &[]).unwrap();
    let token = made("gh~p_{a36}", 1);
    let mut written: Vec<String> = [
        "a",
        "\n",
        "a\n",
        "A1b2",
        "eyJ",
        "eyJhbGciOiJ.",
        "password=",
        "password=a ",
        "token: ",
        "\"key\":\"",
        "://",
        "u:p@",
        "https://u:",
        "curl ",
        "curl -u ",
        "machine a login b ",
        "cookie: a=b; ",
        "cookie: a=b; b=c; ",
        "a='a']=",
        "name: API_TOKEN\n value: ",
        "<password>",
        "<password>a",
        "mailgun ",
        "sqlplus a/b ",
        "b3BlbiBzZXNhbWUgNDcx",
        "docker login ",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----\n",
        "Private-Lines: 1\n",
        "MIIEvQIBADANBgkqhkiG9w0B\n",
        "[redacted:",
        "\x1b[1m",
        "\x1b]0;",
        "\\n",
        "authorization: bearer ",
        "sk-",
        "\u{200b}",
        "mysql -p",
        "=",
        ":",
        " ",
        "'",
        "bearer a1",
        "0",
        "deadbeef",
    ]
    .map(str::to_owned)
    .into();
    written.push(token.clone());
    written.push(format!("{token}\n"));
    let work = |bytes: &[u8]| drop(redactor.redact(bytes));
    let slow: Vec<_> =
        written.iter().filter_map(|piece| grows(&piece.escape_debug().to_string(), piece.as_bytes(), &work)).collect();
    assert!(slow.is_empty(), "{slow:#?}");
}
