//! Names of files that hold secrets, as secret scanners, ignore templates and the tools' own manuals list them. An untracked file
//! with such a name is named in the record instead of being kept. Not here: what is in a file, and files that somebody tracks.

use gix::bstr::{BStr, ByteSlice};

/// One rule; names are compared in lower case.
enum Rule {
    /// The whole name.
    Name(&'static str),
    /// The end of the name.
    End(&'static str),
    /// The beginning of the name of what is no program.
    Begin(&'static str),
    /// The end of the path, beginning with a directory of this name.
    Path(&'static str),
}

use Rule::{Begin, End, Name, Path};

const RULES: &[Rule] = &[
    // Variables of environments: `.env`, `prod.env`, `.env.local`, `.envrc`.
    End(".env"),
    Name("env.local"),
    Begin(".env."),
    Begin(".env-"),
    Begin(".env_"),
    Begin(".envrc"),
    Begin(".flaskenv"),
    Name(".dev.vars"),
    Begin(".dev.vars."),
    // Keys and stores of keys.
    End(".pem"),
    End(".key"),
    End(".p8"),
    End(".p12"),
    End(".pfx"),
    End(".pkcs12"),
    End(".jks"),
    End(".jceks"),
    End(".bks"),
    End(".keystore"),
    End(".keytab"),
    End(".kdb"),
    End(".kdbx"),
    End(".agilekeychain"),
    End(".opvault"),
    End(".keychain"),
    End(".keychain-db"),
    End(".ppk"),
    End(".asc"),
    End(".gpg"),
    End(".pgp"),
    End(".snk"),
    End(".ovpn"),
    End(".mobileprovision"),
    End(".publishsettings"),
    Begin("id_rsa"),
    Begin("id_dsa"),
    Begin("id_ecdsa"),
    Begin("id_ed25519"),
    Name("identity.age"),
    Name("wg0.conf"),
    Path(".ssh/config"),
    Path(".gnupg/trustdb.gpg"),
    // Logins of tools.
    Name(".git-credentials"),
    Path("git/credentials"),
    Name(".netrc"),
    Name("_netrc"),
    Name(".authinfo"),
    Name(".npmrc"),
    Name(".pypirc"),
    Name(".gemrc"),
    Path(".gem/credentials"),
    Path(".cargo/credentials.toml"),
    Path(".bundle/config"),
    Path(".composer/auth.json"),
    Path(".m2/settings.xml"),
    Name("settings-security.xml"),
    Name(".dockercfg"),
    Name(".dockerconfigjson"),
    Path(".docker/config.json"),
    Path("containers/auth.json"),
    Path(".kube/config"),
    Name("kubeconfig"),
    End(".kubeconfig"),
    Name("kubeconfig.yaml"),
    Name("kubeconfig.yml"),
    Name("kubeconfig.json"),
    Path(".config/hub"),
    Path("age/keys.txt"),
    Path(".codex/auth.json"),
    Path("opencode/auth.json"),
    Path(".claude/.credentials.json"),
    Path("etc/shadow"),
    Name("tokens.txt"),
    Path("gh/hosts.yml"),
    Path("glab-cli/config.yml"),
    Path("helm/repositories.yaml"),
    Name(".htpasswd"),
    Name(".pgpass"),
    Name("pgpass.conf"),
    Name(".my.cnf"),
    Name(".mylogin.cnf"),
    Name(".mysql_history"),
    Name(".psql_history"),
    Name(".bash_history"),
    Name(".zsh_history"),
    Name(".rediscli_history"),
    Name(".dbshell"),
    Name(".s3cfg"),
    Name(".boto"),
    Name(".passwd-s3fs"),
    Name(".ftpconfig"),
    Name(".remote-sync.json"),
    Name("sftp-config.json"),
    Path(".vscode/sftp.json"),
    Name("filezilla.xml"),
    Name("sitemanager.xml"),
    Name("recentservers.xml"),
    Name(".muttrc"),
    Name(".msmtprc"),
    Name(".fetchmailrc"),
    Name(".getmailrc"),
    Name(".esmtprc"),
    Name(".smbcredentials"),
    Name(".cifs-credentials"),
    Name(".vault-token"),
    Name(".vault_pass"),
    Begin(".vault_pass."),
    Begin(".vault-pass"),
    Name("vault_pass.txt"),
    Name("vault-password"),
    // Clouds.
    Name(".aws_credentials"),
    Name("aws_credentials"),
    Path(".aws/credentials"),
    Path(".aws/config"),
    Path(".azure/accesstokens.json"),
    Path(".azure/azureprofile.json"),
    Path(".azure/msal_token_cache.json"),
    Path("gcloud/credentials.db"),
    Path("gcloud/access_tokens.db"),
    Name("application_default_credentials.json"),
    Name("gcp-key.json"),
    Name("service-account.json"),
    Name("service_account.json"),
    Name("serviceaccount.json"),
    Name("serviceaccountkey.json"),
    Name("service-account-key.json"),
    Name("service_account_key.json"),
    Begin("client_secret"),
    Begin("client-secret"),
    Path(".config/doctl/config.yaml"),
    Name(".terraformrc"),
    Name("terraform.rc"),
    Name("credentials.tfrc.json"),
    End(".tfvars"),
    End(".tfvars.json"),
    End(".tfstate"),
    End(".tfstate.backup"),
    Begin("terraform.tfstate."),
    Path(".pulumi/credentials.json"),
    Name(".databrickscfg"),
    Name("kaggle.json"),
    Path("huggingface/token"),
    // Frameworks.
    Name("local.settings.json"),
    Name("wp-config.php"),
    Name("proftpdpasswd"),
    Name("otr.private_key"),
];

/// Names that are secret whatever is put behind them, with one of [`TEXTS`] or none as their ending.
const WORDS: &[&str] = &[
    "credential",
    "credentials",
    "creds",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "token",
    "access_token",
    "access-token",
    "api_key",
    "api-key",
    "apikey",
    "api_keys",
    "apikeys",
    "private_key",
    "private-key",
];

/// Endings of files of data; a program about tokens (`token.rs`) holds none.
const TEXTS: &[&str] =
    &["txt", "json", "yml", "yaml", "toml", "ini", "cfg", "conf", "csv", "xml", "properties", "plist", "db", "enc"];

/// Endings of files that programs and manuals are written in.
const PROGRAMS: &[&str] = &[
    ".rs", ".go", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".jsx", ".tsx", ".vue", ".rb", ".php", ".java", ".kt",
    ".swift", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".md", ".rst",
];

/// Endings of files that show what others fill in, and of public keys.
const EXAMPLES: &[&str] = &[
    ".example",
    ".sample",
    ".template",
    ".tmpl",
    ".tpl",
    ".dist",
    ".default",
    ".defaults",
    ".pub",
    "-example",
    "-sample",
];

/// Whether an untracked file looks like it holds a secret.
pub(super) fn looks_secret(path: &BStr) -> bool {
    let path = path.to_ascii_lowercase();
    let name = path.rsplit_str(b"/").next().unwrap_or_default();
    // `.env.example.local` is somebody's own, `example.env` is everybody's.
    let example = EXAMPLES.iter().any(|end| name.ends_with_str(end))
        || ["example.", "sample.", "template."].iter().any(|start| name.starts_with_str(start));
    !example && (RULES.iter().any(|rule| rule.matches(&path, name)) || is_word(name))
}

impl Rule {
    fn matches(&self, path: &[u8], name: &[u8]) -> bool {
        match self {
            Name(known) => name == known.as_bytes(),
            End(end) => name.ends_with_str(end),
            Begin(start) => name.starts_with_str(start) && !PROGRAMS.iter().any(|end| name.ends_with_str(end)),
            Path(known) => {
                path.strip_suffix(known.as_bytes()).is_some_and(|before| before.is_empty() || before.ends_with_str("/"))
            }
        }
    }
}

/// `token`, `.secrets.json`, `prod-credentials.yml`.
fn is_word(name: &[u8]) -> bool {
    let name = name.strip_prefix(b".").unwrap_or(name);
    let (stem, end) = name.rsplit_once_str(".").unwrap_or((name, b""));
    let data = end.is_empty() || TEXTS.iter().any(|known| known.as_bytes() == end);
    let word = |word: &&str| {
        let before = stem.strip_suffix(word.as_bytes());
        before.is_some_and(|before| before.last().is_none_or(|byte| matches!(byte, b'-' | b'_' | b'.')))
    };
    data && WORDS.iter().any(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scanners_and_templates_call_secret() {
        let secret = [
            ".env",
            "a/prod.env",
            ".ENV.local",
            ".env.production",
            ".envrc",
            ".git-credentials",
            ".dockerconfigjson",
            ".docker/config.json",
            "home/.kube/config",
            "kubeconfig",
            "stage.kubeconfig",
            "terraform.tfstate",
            "terraform.tfstate.backup",
            "prod.tfvars",
            "prod.auto.tfvars",
            "x.tfvars.json",
            ".aws_credentials",
            "x/.aws/credentials",
            "token.txt",
            "github-token.txt",
            "password.txt",
            "Passwords.csv",
            "credentials",
            "credentials.json",
            "gcp-credentials.json",
            ".credentials",
            "secrets.yaml",
            "prod.secrets.toml",
            "app.keystore",
            "release.jks",
            ".pgpass",
            ".my.cnf",
            ".netrc",
            "_netrc",
            ".npmrc",
            ".pypirc",
            ".htpasswd",
            "server.key",
            "cert.pem",
            "id_rsa",
            "id_ed25519",
            "id_rsa_work",
            "AuthKey_AB12.p8",
            "client_secret_1-a.json",
            "service-account.json",
            ".vault-token",
            "wp-config.php",
            "local.settings.json",
            ".m2/settings.xml",
            "krb5.keytab",
            "db.kdbx",
            "backup.gpg",
            ".cargo/credentials.toml",
            "client_secret.json",
        ];
        for path in secret {
            assert!(looks_secret(path.into()), "{path}");
        }
    }

    #[test]
    fn examples_public_keys_and_programs_are_kept() {
        let kept = [
            ".env.example",
            ".env.sample",
            ".env.template",
            ".env.dist",
            "example.env",
            "a/.env.local.example",
            "id_rsa.pub",
            "credentials.json.example",
            "token.rs",
            "src/password.py",
            "secrets.go",
            "test_token.py",
            "tokenizer.json",
            "environment.yml",
            "env.py",
            "config",
            "src/config.json",
            "settings.xml",
            "keyboard.txt",
            "monkey.txt",
            "main.tf",
            "variables.tf",
            "docker/config.yml",
            "credentials/mod.rs",
            "SECURITY.md",
            "api.keys.md",
            "client_secret.rs",
            "id_rsa_parser.py",
            "kubeconfig.go",
            "tokens.json",
            "locales/en/auth.json",
            "notes.txt",
        ];
        for path in kept {
            assert!(!looks_secret(path.into()), "{path}");
        }
    }
}
