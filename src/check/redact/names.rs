//! Names that say that what they name is secret, and the variables of an environment that have such names.
//!
//! Not here: finding a name in a text (`assigned`). A name is read word by word: `tokenizer`, `max_tokens`, `author` and
//! `cache_key` say nothing, and neither does a name that ends in what it tells about a secret (`token_count`,
//! `key_id`, `password_file`).

use crate::os::environment::Environment;

use super::strength;

/// Words that are enough, wherever they stand.
const TELLING: &str = "\
    password passwd passphrase passcode secret secrets token credential credentials creds apikey authtoken \
    accesskey secretkey privatekey apitoken authkey pgpassword";

/// Words that are enough at the end of a longer name.
const TELLING_LAST: &str = "pass pwd pw auth pat cookie dsn jwt";

/// Words that are enough for themselves where a variable is set (`PASS=…`) or in a list of settings (`;Pwd=…;`).
const TELLING_ALONE: &str = "pass pwd pw pat cookie dsn jwt";

/// Words that make a `key` a secret one.
const KEYS: &str = "\
    access account admin aes api app application auth client consumer deploy encrypt encryption hmac jwt \
    license master private root secret service session shared sign signing ssh ssl storage tls webhook \
    algolia anthropic aws azure datadog firebase gemini gitlab github google gpg mailgun maps openai pgp rapidapi sendgrid slack \
    stripe twilio";

/// Words that make the `KEY` of a variable one that is no secret. Any other is.
const OTHER_KEYS: &str = "\
    arrow bucket cache column config dedup default enter foreign group hash host hot idempotency index label lookup map message object \
    partition press primary pub public query registry routing row sentinel shard sort unique";

/// Last words of a name that tells something about a secret.
const ABOUT: &str = "\
    account age alg algorithm at audience budget checksum class count counts date digest dir enabled endpoint \
    error errors expiration expires expiry field file files fingerprint format hash header helper host \
    hostname id ids index issuer kind len length limit location manager max min mode name names namespace param \
    path paths pattern policy port prefix provider regex required rotation rs py js ts go scope scopes \
    sha sha1 sha256 size sock socket source state status store suffix test tests time timeout total ttl \
    type until uri user username url usage used version";

/// Whether a name says that its value is secret.
pub(super) fn is_telling(name: &str) -> bool {
    let words = words(name);
    let [before @ .., last] = words.as_slice() else { return false };
    if is_in(ABOUT, last) {
        return false;
    }
    let telling = |word: &String| is_in(TELLING, word);
    let is_key = |pair: &[String]| matches!(pair, [kind, key] if key == "key" && is_in(KEYS, kind));
    let other_key = is_variable(name) && matches!(before, [.., kind] if last == "key" && !is_in(OTHER_KEYS, kind));
    let string = |pair: &[String]| matches!(pair, [first, second] if first == "connection" && second == "string");
    words.iter().any(telling)
        || other_key
        || words.windows(2).any(|pair| is_key(pair) || string(pair))
        || (is_in(TELLING_LAST, last) && (!before.is_empty() || last == "auth"))
}

/// Whether a name in capitals alone says so where a variable is set; `PWD` is where a shell stands.
pub(super) fn is_telling_variable(name: &str) -> bool {
    is_telling(name) || (is_variable(name) && is_telling_alone(name) && name != "PWD")
}

/// Whether a short name says so in a list of settings.
pub(super) fn is_telling_alone(name: &str) -> bool {
    is_in(TELLING_ALONE, &name.to_ascii_lowercase())
}

/// `NAME_IN_CAPITALS`.
pub(super) fn is_variable(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Whether a name speaks of a token and of nothing else: those of requests, pages and traces are named so too.
pub(super) fn is_token(name: &str) -> bool {
    words(name).last().is_some_and(|last| last == "token") && !is_variable(name)
}

/// Whether a name names what a person types to get in.
pub(super) fn is_password(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| ["password", "passwd", "passphrase", "passcode", "pgpassword"].contains(&word.as_str()))
        || (words.len() > 1 && words.last().is_some_and(|last| ["pass", "pwd", "pw"].contains(&last.as_str())))
}

fn is_in(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

/// The words of a name, in lower case: `DB_PASSWORD`, `dbPassword`, `db-password` and `HTTPPassword` all end in
/// `password`.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let characters: Vec<char> = name.chars().collect();
    for (place, c) in characters.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| characters.get(before));
        let after = characters.get(place + 1);
        let begins = c.is_uppercase()
            && (before.is_some_and(|before| !before.is_uppercase()) || after.is_some_and(|after| after.is_lowercase()));
        if !c.is_alphanumeric() || begins {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    words.push(word);
    // A number at the end tells one secret from another: `API_KEY_2`.
    words.retain(|word| !word.is_empty());
    while words.len() > 1 && words.last().is_some_and(|last| last.chars().all(|c| c.is_ascii_digit())) {
        words.pop();
    }
    words
}

/// The values in an environment that must not be stored: those of variables with a telling name, and the passwords in
/// addresses. A value that is a plain word or a short number is left out, though its name tells: `PGPASSWORD=postgres`
/// would make every log about the database unreadable, and protects nobody.
pub fn secret_values(environment: &Environment) -> Vec<String> {
    let mut values = Vec::new();
    for (name, value) in environment.iter() {
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else { continue };
        if is_telling_variable(name) && is_worth_hiding(value) {
            values.push(value.trim().to_owned());
        }
        values.extend(password_in_address(value).filter(|password| is_worth_hiding(password)).map(str::to_owned));
    }
    values
}

/// Whether a value can be told from ordinary text: eight characters of two kinds, or twelve.
fn is_worth_hiding(value: &str) -> bool {
    let value = value.trim();
    let kinds: [fn(char) -> bool; 4] =
        [|c| c.is_lowercase(), |c| c.is_uppercase(), |c| c.is_ascii_digit(), |c| !c.is_alphanumeric()];
    let kinds = kinds.iter().filter(|kind| value.chars().any(**kind)).count();
    let long_enough = if kinds > 1 { 8 } else { 12 };
    value.len() >= long_enough && !strength::is_placeholder(value.as_bytes()) && !strength::is_path(value.as_bytes())
}

/// The password in `scheme://user:password@host`.
fn password_in_address(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let (authority, _) = rest.split_once(['/', '?', '#']).unwrap_or((rest, ""));
    let (user, _) = authority.rsplit_once('@')?;
    user.split_once(':').map(|(_, password)| password)
}
