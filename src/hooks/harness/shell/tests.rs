//! Shell text as commands: a table, and two laws.

use super::*;
use proptest::prelude::*;

/// The commands as lines, words parted by `|`.
fn read_as(text: &str) -> Vec<String> {
    let all = commands(text).unwrap();
    all.iter().filter(|command| !command.words.is_empty()).map(|command| command.words.join("|")).collect()
}

#[test]
fn text_is_read_as_a_shell_reads_it() {
    let cases: &[(&str, &[&str])] = &[
        ("a b  c", &["a|b|c"]),
        ("a 'b c' \"d e\" f\\ g", &["a|b c|d e|f g"]),
        ("g'i't r\"api\"d", &["git|rapid"]),
        ("a; b && c || d | e & f\ng", &["a", "b", "c", "d", "e", "f", "g"]),
        ("X=1 Y='2 3' a $X \"${Y}\" $Z", &["a|1|2 3|$Z"]),
        ("echo ${X:-git rapid}", &["echo|git|rapid"]),
        ("X='git rapid'; $X a \"$X\"; Y=$X; b", &["git|rapid|a|git rapid", "b"]),
        ("IFS=,; X=a,b; $X \"$X\"", &["a|b|a,b"]),
        ("git${IFS}rapid$IFS$a", &["git|rapid|$a"]),
        ("X=xgit; ${X#x} a", &["$X|a"]),
        ("A=git; A+=' rapid'; $A b; export C=d; $C", &["git|rapid|b", "export|C=d", "d"]),
        ("{git,rapid,a} g{i,o}t '{x,y}' {} {z}", &["git|rapid|a|git|got|{x,y}|{}|{z}"]),
        ("$(printf '\\x67it %s' rapid) a", &["printf|\\x67it %s|rapid", "git|rapid|a"]),
        ("a $(b $(c)) d", &["c", "b|$()", "a|$()|d"]),
        ("$(echo git) rapid", &["echo|git", "git|rapid"]),
        ("a `b`", &["b", "a|$()"]),
        ("a # b\nc", &["a", "c"]),
        ("a 2>/dev/null >out <in b", &["a|b"]),
        ("diff <(a) <(b)", &["a", "b", "diff|$()|$()"]),
        ("if a; then b; else c; fi", &["a", "b", "c"]),
        ("$'\\x67\\151t'", &["git"]),
        ("a \\\n b", &["a|b"]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(read_as(text), *expected, "{text}");
    }
}

#[test]
fn what_is_written_and_fed_is_kept_apart() {
    let all = commands("cat > f <<'E' >> g\none\ntwo\nE\nsh <<< text | b").unwrap();
    assert_eq!(all[0].writes, ["f", "g"]);
    assert_eq!((all[0].words.as_slice(), all[0].input.as_str()), (["cat".to_owned()].as_slice(), "one\ntwo\n"));
    assert_eq!((all[1].input.as_str(), all[1].pipes, all[2].pipes), ("text", true, false));
    assert_eq!(commands("a &> f").unwrap()[0].writes, ["f"]);
    // It belongs to the command that announced it, wherever the line goes on; unquoted, what is in it is run.
    let all = commands("sh <<E; b\none $(c) `d`\nE\ne").unwrap();
    let words: Vec<String> = all.iter().map(|command| command.words.join(" ")).collect();
    assert_eq!(
        (words, all[0].input.as_str()),
        (["sh", "b", "c", "d", "e"].map(str::to_owned).to_vec(), "one $(c) `d`\n")
    );
    assert_eq!(commands("cat <<'E'\n$(c)\nE").unwrap().len(), 1);
    assert_eq!(commands(&format!("{}x{}", "$(".repeat(50), ")".repeat(50))), Err(TooDeep));
}

proptest! {
    #[test]
    fn any_text_is_read_to_its_end(text in "[a-z0-9 '\"$(){},%<>|&;`\\\\\n#=+-]{0,200}") {
        let _ = commands(&text);
    }

    #[test]
    fn a_quoted_word_is_one_word(word in "[^']{1,40}") {
        let all = commands(&format!("x '{word}'")).unwrap();
        prop_assert_eq!(&all[0].words[1], &word);
    }
}
