//! Shapes that nobody in particular issues: JSON web tokens, addresses with passwords, headers, command lines.

use super::Shape;

pub(super) const SHAPES: &[Shape] = &[
    ("jwt", r"<eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)*"),
    ("jwt", r"<eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]{8,}){3}"),
    // The private numbers of a JSON web key.
    ("jwk", r#""(?:d|dp|dq|p|q|qi|k)" ?: ?"([A-Za-z0-9_-]{32,})""#),
    // `-----BEGIN … PRIVATE KEY` in base64, as configurations of clusters carry it.
    (
        "private-key",
        r"LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFUR|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVEUg|BFTkNSWVBURUQgUFJJVkFUR|BEU0EgUFJJVkFUR)[A-Za-z0-9+/=]{16,}",
    ),
    ("url-password", r#"<[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@"'<>\[]{0,300}:([^\s/"'<>]{1,300})@[^\s"'<>@]"#),
    ("url-password", r#"<[a-zA-Z][a-zA-Z0-9+.-]{1,20}://([A-Za-z0-9_.~%+=-]{20,300})@[^\s"'<>@]"#),
    // The user is the token, and the password only fills its place.
    ("url-password", r#"<[a-zA-Z][a-zA-Z0-9+.-]{1,20}://([A-Za-z0-9_.~%+=-]{20,300}):[^\s/"'<>]{0,300}@[^\s"'<>@]"#),
    ("url-password", r#"<[a-zA-Z][a-zA-Z0-9+.-]{1,20}://([^\s/:@"'<>]{4,300}):x-oauth-basic@"#),
    ("dsn-password", r#"<[A-Za-z0-9_.-]{1,64}:([^\s/"'<>()]{1,128})@(?:tcp|udp|unix)\("#),
    (
        "authorization",
        r#"(?i)authorization(?:["']|\\["'])?\s{0,3}[:=,]\s{0,3}(?:["']|\\["'])?(?:bearer|basic|token|bot|apikey|splunk|ssws|negotiate)\s{1,3}([A-Za-z0-9+/_.=~:-]{8,})"#,
    ),
    // A digit somewhere, and enough on one of its sides: wherever it is, a token of two dozen has that.
    (
        "bearer",
        r"<(?i)bearer\s{1,3}([A-Za-z0-9+/_.~-]{12,}[0-9][A-Za-z0-9+/_.=~-]*|[A-Za-z0-9+/_.~-]*[0-9][A-Za-z0-9+/_.=~-]{11,})",
    ),
    // From the first pair on whose value is long, or whose name says what it is.
    (
        "cookie",
        r#"<(?i)(?:set-)?cookie["']?\s{0,3}:\s{0,3}["']?(?:[^\s=;,"']{1,80}=[^\s;,"']*;\s?)*?((?:[^\s=;,"']{1,80}=[^\s=;,"']{16,}=*|[^\s=;,"']{0,40}(?:sess|sid|auth|token|jwt)[^\s=;,"']{0,40}=[^\s;,"']{4,})(?:;\s?[^\s=;,"']{1,80}(?:=[^\s;,"']*)?)*)"#,
    ),
    (
        "netrc-password",
        r"<(?i)machine\s{1,4}[^\s]{1,200}\s{1,4}login\s{1,4}[^\s]{1,200}\s{1,4}password\s{1,4}([^\s]{4,200})",
    ),
    ("command-password", r#"<curl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,100}:([^\s"'@]{4,200})"#),
    ("command-password", r#"<(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,200}?\s-p["']?([^\s"']{4,200})"#),
    (
        "command-password",
        r#"<(?:sqlplus|sqlldr|rman|expdp|impdp)\b[^\n]{0,200}?[\s=]["']?[A-Za-z0-9_$.#]{1,100}/["']?([^\s/@"']{1,200})["']?@"#,
    ),
    ("command-password", r#"<sshpass\s{1,3}-p\s{0,3}["']?([^\s"']{4,200})"#),
    (
        "command-password",
        r#"<(?:docker|podman|helm|az|oc)\b[^\n]{0,200}?\slogin\b[^\n]{0,200}?\s-p[ =]?["']?([^\s"']{4,200})"#,
    ),
];
