//! Failures that are the provider's: its allowance is used up, or it does not let us in. No retry mends them.

use crate::domain::word::words;

words! {
    /// What is wrong with a provider.
    ProviderFault, "a provider's fault" {
        /// The allowance is used up, or there were too many requests.
        Quota = "quota",
        /// The provider refuses who we are.
        Authorisation = "authorisation",
    }
}

/// How much of an output is looked at: its end.
const MOST_BYTES: usize = 8 * 1024;

const QUOTA: &[&str] = &[
    "too many requests",
    "rate limit",
    "rate_limit",
    "ratelimit",
    "quota exceeded",
    "exceeded your current quota",
    "insufficient_quota",
    "insufficient quota",
    "out of quota",
    "usage limit",
    "session limit reached",
    "credit balance is too low",
    "insufficient credits",
    "insufficient funds",
    "resource_exhausted",
];

const AUTHORISATION: &[&str] = &[
    "invalid api key",
    "invalid x-api-key",
    "incorrect api key",
    "invalid_api_key",
    "authentication_error",
    "authentication failed",
    "not authenticated",
    "not logged in",
    "please run /login",
    "please log in",
    "no api key",
    "api key not found",
    "token has expired",
    "401 unauthorized",
    "403 forbidden",
];

/// Finds a provider's fault in the output of a program that failed. Never ask this of one that succeeded: it may
/// well have written about quotas; there is [`refused_quietly`].
pub fn provider_fault(output: &str) -> Option<ProviderFault> {
    let mut at = output.len().saturating_sub(MOST_BYTES);
    while !output.is_char_boundary(at) {
        at += 1;
    }
    let text = output.get(at..)?.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
    if says(QUOTA) || has_status(&text, "429") {
        Some(ProviderFault::Quota)
    } else if says(AUTHORISATION) || has_status(&text, "401") {
        Some(ProviderFault::Authorisation)
    } else {
        None
    }
}

/// How much a program says that only says that it was refused, in bytes.
const CURT: usize = 600;

/// Finds a provider's fault in the output of a program that ended well and did nothing at all. Only a curt one is believed: a
/// program that worked has more to say.
pub fn refused_quietly(output: &str) -> Option<ProviderFault> {
    let text = output.trim();
    if text.len() > CURT { None } else { provider_fault(text) }
}

/// Whether a line speaks of this HTTP status: the number alone would be found in any test output.
fn has_status(text: &str, status: &str) -> bool {
    text.lines().filter(|line| line.contains(status)).any(|line| {
        let named = ["http", "status", "error", "api"].iter().any(|word| line.contains(word));
        named && line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == status)
    })
}
