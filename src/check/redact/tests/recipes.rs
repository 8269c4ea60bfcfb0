//! Recipes for made-up secrets, and how to follow them.
//!
//! `~` only keeps a beginning from standing in one piece (`§` is a tilde). `{a36}` is 36 drawn characters: `a` letters and digits, `h`
//! hexadecimal digits, `L` letters, `d` digits, `l` small letters and digits, `A` capital letters and the digits 2 to
//! 7, `c` capital letters and digits, `w` also `_` and `-`, `b` base64.

/// A secret for each shape of the tables.
pub(super) const ALL: &[&str] = &[
    "AK~IA{A16}",
    "AS~IA{A16}",
    "AB~SK{b110}",
    "bedrock-~api-key-{b40}",
    "amzn.~mws.{u}",
    "AI~za{w35}",
    "A~Q.Ab{w44}",
    "ya~29.{w60}",
    "GOC~SPX-{a28}",
    "1/~/0{a40}",
    "{a3}8Q§{a34}",
    "{a76}AZ~DO{a4}",
    "https://x.example/?sv=1&si~g={a44}",
    "do~p_v1_{h64}",
    "HR~KU-{a58}",
    "v1~.0-{h24}-{h146}",
    "LT~AI{a20}",
    "AK~ID{a32}",
    "SC~W{c17}",
    "AQ~VN{a36}",
    "fo~1_{a43}",
    "fm~2_{b120}",
    "vc~p_{a40}",
    "nf~p_{a36}",
    "rn~d_{a28}",
    "sb~p_{h40}",
    "sb~_secret_{a31}",
    "psc~ale_tkn_{a43}",
    "na~pi_{l64}",
    "da~pi{h32}",
    "dp.~pt.{a43}",
    "hv~s.{a90}",
    "{a14}.atl~asv1.{a67}",
    "pu~l-{h40}",
    "tsk~ey-auth-{a17}-{a32}",
    "op~s_e~yJ{a250}",
    "AGE-SECRET-~KEY-1{c58}",
    "gh~p_{a36}",
    "gh~o_{a36}",
    "gh~u_{a36}",
    "gh~s_{a36}",
    "gh~r_{a76}",
    "github~_pat_{a22}_{a59}",
    "gl~pat-{w20}",
    "gl~rt-{w20}",
    "gl~ptt-{h40}",
    "GR13~48941{w20}",
    "AT~BB{a32}",
    "AT~ATT3{a180}",
    "sg~p_{h40}",
    "sg~p_local_{h40}",
    "np~m_{a36}",
    "py~pi-AgE~Icm{w140}",
    "py~pi-{a100}",
    "ruby~gems_{h48}",
    "ci~o{a32}",
    "oy~2{l43}",
    "dckr~_pat_{a27}",
    "AKC~p{a69}",
    "cmV~md{a59}",
    "CLOJ~ARS_{l60}",
    "packa~gist_uut_{h68}",
    "CCI~PAT_{a22}_{h40}",
    "bk~ua_{h40}",
    "sq~p_{h40}",
    "codecov_~token: {u}",
    "sk-~ant-api03-{w95}",
    "sk-~ant-oat01-{w95}",
    "sk-~or-v1-{h64}",
    "sk-~lf-{u}",
    "sk-~proj-{w120}",
    "sk-~svcacct-{w120}",
    "sk-~{a48}",
    "hf~_{a34}",
    "api~_org_{L34}",
    "gs~k_{a52}",
    "xa~i-{a80}",
    "pp~lx-{a48}",
    "r8~_{a37}",
    "tgp~_v1_{w43}",
    "fw~_{a24}",
    "cs~k-{l48}",
    "nva~pi-{w64}",
    "sk~_{h48}",
    "lsv~2_pt_{h32}_{h10}",
    "pcs~k_{a6}_{a63}",
    "tv~ly-{a32}",
    "e2~b_{h40}",
    "cr~sr_{h64}",
    "cursor:ke~y_{h64}",
    "sgamp~_user_{a40}",
    "sk~_live_{a24}",
    "rk~_test_{a24}",
    "wh~sec_{a32}",
    "EA~AA{a60}",
    "sq0~atp-{w22}",
    "access_~token$production${l16}${h32}",
    "shp~at_{h32}",
    "xo~xb-{d12}-{d12}-{a24}",
    "xo~xe.xo~xp-1-{a140}",
    "xa~pp-1-{c10}-{d12}-{h64}",
    "https://hooks.~slack.com/services/T{c8}/B{c8}/{a24}",
    "M{a23}.{w6}.{w38}",
    "https://discord.~com/api/webhooks/{d18}/{w68}",
    "https://x.webhook.~office.com/webhookb2/{u}@{u}",
    "{d10}:A~A{w33}",
    "S~K{h32}",
    "S~G.{a22}.{a43}",
    "mailgun=ke~y-{h32}",
    "api:ke~y-{h32}@api.mailgun.net",
    "mailchimp={h32}-~us12",
    "{h32}-~us12@mailchimp",
    "xkey~sib-{h64}-{a16}",
    "re~_{a8}_{a24}",
    "nt~n_{a46}",
    "secr~et_{a43}",
    "lin~_api_{a40}",
    "pa~t{a14}.{h64}",
    "1~/{d16}:{h32}",
    "fi~gd_{w40}",
    "PM~AK-{h24}-{h34}",
    "gl~c_{b60}",
    "gl~sa_{a32}_{h8}",
    "NR~AK-{c27}",
    "NR~II-{a32}",
    "sntr~ys_{a80}",
    "ph~x_{a43}",
    "dt0~c01.{c24}.{c64}",
    "launchdarkly:sd~k-{u}",
    "CF~PAT-{w43}",
    "ai~o_{a28}",
    "EZ~AK{a54}",
    "pn~u_{a36}",
    "s~k.eyJ{a60}.{a22}",
    "rd~me_{l70}",
    "ey~J{a33}.ey~J{a120}.{w43}",
    "ey~J{a33}.{a60}.{a16}.{a80}.{a22}",
    "\"kty\":\"OKP\",\"~d\":\"{w43}\"",
    "LS0tLS1~CRUdJTiBSU0EgUFJJVkFUR{b400}",
    "postgres://shop:~{a18}@db.example:5432/shop",
    "https://~{a40}@git.example/x",
    "https://~{a40}:x@git.example/x",
    "https://~{a16}:x-oauth-basic@github.com/o/r",
    "shop:~{a18}@tcp(db:3306)/shop",
    "Authorization: ~Bearer {a40}",
    "authorization: ~Basic {b40}",
    "-H 'bearer ~{l40}'",
    "Set-Cookie: ~sid={a32}",
    "machine git.example login me password ~{a18}",
    "curl -s -u me:~{a18} https://x.example",
    "mysql -u root -p~{a18} shop",
    "Cookie: ~theme=dark; auth={a12}",
    "sqlplus -s ~shop/{a18}@db.example",
    "sshpass -p ~{a18} ssh x",
    "docker login -u me -p ~{a18} r.example",
];

/// What is drawn from, per letter of a recipe.
fn alphabet(kind: char) -> &'static str {
    match kind {
        'a' => "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        'b' => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        'w' => "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
        'h' => "0123456789abcdef",
        'L' => "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        'd' => "0123456789",
        'l' => "abcdefghijklmnopqrstuvwxyz0123456789",
        'c' => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        'A' => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        other => panic!("no alphabet {other}"),
    }
}

/// Follows a recipe; the same number gives the same secret.
pub(super) fn made(recipe: &str, number: usize) -> String {
    parts(recipe, number).concat()
}

/// Only what was drawn, in pieces: what must not be seen afterwards.
pub(super) fn drawn(recipe: &str, number: usize) -> Vec<String> {
    parts(recipe, number).into_iter().skip(1).step_by(2).collect()
}

/// The parts of a secret: what is written in the recipe and what is drawn, in turns.
fn parts(recipe: &str, number: usize) -> Vec<String> {
    let recipe = recipe.replace('~', "").replace('§', "~").replace("{u}", "{h8}-{h4}-{h4}-{h4}-{h12}");
    let mut state = u64::try_from(number).expect("small") * 7919 + 12345;
    let mut parts = Vec::new();
    for (nth, piece) in recipe.split(['{', '}']).enumerate() {
        if nth % 2 == 0 {
            parts.push(piece.to_owned());
            continue;
        }
        let letters: Vec<char> = alphabet(piece.chars().next().expect("a kind")).chars().collect();
        let length: usize = piece[1..].parse().expect("a length");
        parts.push((0..length).map(|_| letters[draw(&mut state) % letters.len()]).collect());
    }
    parts
}

/// The next number of a small generator (Knuth's multiplier).
fn draw(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 40).expect("24 bits")
}
