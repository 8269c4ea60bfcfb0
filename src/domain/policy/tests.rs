//! Tests.
use super::*;

#[test]
fn the_built_in_policy_has_the_known_digest() {
    assert_eq!(Policy::default().digest().to_string(), "e61a5704803d1dd1406f784d52549ae4237f5d37686d4c53fe96358aede335cf");
}
