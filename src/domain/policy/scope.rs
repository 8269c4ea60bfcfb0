//! The scope signals (§3.3, step 2): what a spec's tags and paths say about how far the change reaches. A table and the one
//! function that reads it.

use super::{Policy, Risk, RiskSignal};
use crate::domain::spec::SpecDraft;

/// Something a change can reach into.
pub(super) struct Scope {
    /// The signal.
    pub(super) id: &'static str,
    /// What is reached, in words.
    what: &'static str,
    tags: &'static [&'static str],
    paths: &'static [&'static str],
    /// A folder that counts wherever it lies.
    anywhere: Option<&'static str>,
}

pub(super) const DATABASE_MIGRATION: Scope = Scope {
    id: "scope.database-migration",
    what: "the database's shape",
    tags: &["migration", "migrations", "database-migration", "database-schema", "schema", "db-migration"],
    paths: &["migrations/", "alembic/", "prisma/", "supabase/migrations/"],
    anywhere: Some("/migrations/"),
};

const INFRASTRUCTURE: Scope = Scope {
    id: "scope.infrastructure",
    what: "the infrastructure",
    tags: &["infra", "infrastructure", "deployment", "terraform", "docker", "k8s", "kubernetes"],
    paths: &["infra/", "terraform/", "deploy/"],
    anywhere: None,
};

pub(super) const SECURITY: Scope = Scope {
    id: "scope.security",
    what: "security",
    tags: &["security", "owasp", "encryption", "secrets", "vulnerability"],
    paths: &["security/"],
    anywhere: None,
};

pub(super) const AUTHENTICATION: Scope = Scope {
    id: "scope.authentication",
    what: "who may do what",
    tags: &["auth", "authentication", "authorization", "oauth", "jwt", "rbac", "sso"],
    paths: &["auth/"],
    anywhere: None,
};

const CI: Scope = Scope {
    id: "scope.ci",
    what: "continuous integration",
    tags: &["ci", "cd", "ci-cd", "github-actions", "pipeline"],
    paths: &[".github/workflows/"],
    anywhere: None,
};

const ARCHITECTURE: Scope = Scope {
    id: "scope.architecture",
    what: "the architecture",
    tags: &["architecture", "architectural", "core-architecture"],
    paths: &[],
    anywhere: None,
};

/// All but the last; the architecture also takes what the policy adds and none of these covers.
const SPECIFIC: &[Scope] = &[DATABASE_MIGRATION, INFRASTRUCTURE, SECURITY, AUTHENTICATION, CI];

/// The scope signals of a spec, in the table's order, each at most once.
pub(super) fn signals(spec: &SpecDraft, policy: &Policy) -> Vec<RiskSignal> {
    let mut signals: Vec<RiskSignal> = SPECIFIC.iter().filter_map(|scope| signal(scope, &seen(scope, spec))).collect();
    let mut architecture = seen(&ARCHITECTURE, spec);
    let covered = |tag: &str| SPECIFIC.iter().chain([&ARCHITECTURE]).any(|scope| scope.tags.contains(&tag));
    let tags = spec.tags.iter().filter(|tag| policy.architectural_tags.contains(*tag) && !covered(tag));
    architecture.extend(tags.map(|tag| format!("tag:{tag}")));
    let prefixes = policy.architectural_path_prefixes.iter();
    let prefixes = prefixes.filter(|prefix| !SPECIFIC.iter().any(|scope| scope.paths.contains(&prefix.as_str())));
    let prefixes: Vec<&str> = prefixes.map(String::as_str).collect();
    architecture.extend(paths_below(spec, &prefixes, None));
    signals.extend(signal(&ARCHITECTURE, &architecture));
    signals
}

fn signal(scope: &Scope, seen: &[String]) -> Option<RiskSignal> {
    let source = seen.first()?;
    let reason = format!("it reaches into {}: {}", scope.what, seen.join(", "));
    Some(RiskSignal { id: scope.id.to_owned(), level: Risk::High, reason, source: source.clone() })
}

fn seen(scope: &Scope, spec: &SpecDraft) -> Vec<String> {
    let tags = spec.tags.iter().filter(|tag| scope.tags.contains(&tag.as_str()));
    let tags = tags.map(|tag| format!("tag:{tag}"));
    tags.chain(paths_below(spec, scope.paths, scope.anywhere)).collect()
}

/// A path counts as below `auth/` also when it is `auth` itself: whether a spec's path is a file or a folder nobody knows yet.
fn paths_below(spec: &SpecDraft, prefixes: &[&str], anywhere: Option<&str>) -> Vec<String> {
    let below = |path: &str| {
        let path = format!("/{}/", path.to_lowercase());
        let from_top = path.strip_prefix('/').unwrap_or(&path);
        prefixes.iter().any(|prefix| from_top.starts_with(prefix))
            || anywhere.is_some_and(|folder| path.contains(folder))
    };
    let paths = spec.affected_paths.iter().filter(|path| below(path.as_str()));
    paths.map(|path| format!("path:{path}")).collect()
}
