//! Shapes of forges, package registries and build services.

use super::Shape;

pub(super) const SHAPES: &[Shape] = &[
    ("github-token", r"gh[pousr]_[A-Za-z0-9]{36,}(?:[._-][A-Za-z0-9_-]+)*"),
    ("github-token", r"github_pat_[A-Za-z0-9_]{50,}"),
    (
        "gitlab-token",
        r"<gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas|ffct|wt)-[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]{2,})*",
    ),
    ("gitlab-token", r"<GR1348941[A-Za-z0-9_-]{20,}"),
    ("bitbucket-token", r"<ATBB[A-Za-z0-9=_-]{24,}"),
    ("atlassian-token", r"<AT(?:ATT|CTT|STT)3[A-Za-z0-9_=-]{50,}"),
    ("sourcegraph-token", r"<sgp_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}"),
    ("npm-token", r"<npm_[A-Za-z0-9]{36,}"),
    ("pypi-token", r"<pypi-Ag[A-Za-z0-9_-]{50,}"),
    ("pypi-token", r"<pypi-[A-Za-z0-9_]{85,}"),
    ("rubygems-key", r"<rubygems_[0-9a-f]{48}"),
    ("crates-io-token", r"<cio[A-Za-z0-9]{32}"),
    ("nuget-key", r"<oy2[a-z0-9]{43}"),
    ("docker-token", r"<dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}"),
    ("artifactory-key", r"<AKCp[A-Za-z0-9]{69,}"),
    ("artifactory-key", r"<cmVmd[A-Za-z0-9]{59}"),
    ("clojars-token", r"<CLOJARS_[a-z0-9]{60}"),
    ("packagist-token", r"<packagist_[a-z]{3}_[0-9a-f]{68}"),
    ("circleci-token", r"<CCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[0-9a-f]{40}"),
    ("buildkite-token", r"<bk(?:ua|aj|ct)_[A-Za-z0-9]{40,}"),
    ("sonar-token", r"<sq[apu]_[0-9a-f]{40}"),
    ("codecov-token", r"(?i)codecov[_-]?token[^A-Za-z0-9\n]{1,8}([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"),
];
