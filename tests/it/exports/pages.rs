//! Pages in a real browser: Chromium, driven by playwright-core, looks for messages on its console, for requests, for what can be
//! read with scripts off; axe-core looks for what keeps people out. `browser.js` does the looking.
//!
//! `RAPID_SCREENSHOTS=docs/images cargo test --test it exports::pages` writes the pictures of docs/export.md again.

use super::stages;
use crate::harness::{Output, Repo, World, step_aside};
use std::path::PathBuf;
use std::sync::Arc;

/// The browsers that are looked for.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// A browser, and what drives it; said aloud when there is none.
fn browser(world: &Arc<World>) -> Option<(PathBuf, String)> {
    let path = std::env::var("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).flat_map(|place| BROWSERS.iter().map(move |name| place.join(name)));
    let program = places.into_iter().find(|place| place.exists());
    let modules = std::env::var("NODE_PATH").unwrap_or_default();
    let mut node = world.command("node", world.top());
    node.env("NODE_PATH", &modules).args(["-e", "require('playwright-core'); require('axe-core')"]);
    let drives = Output::of_any(&mut node).is_some_and(|output| output.code == 0);
    match program {
        Some(program) if drives => Some((program, modules)),
        _ => {
            step_aside("there is no Chromium, or node lacks playwright-core and axe-core (NODE_PATH)");
            None
        }
    }
}

/// Looks at a page in both themes and on paper.
fn looked_at(repo: &Repo, name: &str, arguments: &[&str]) {
    let world = repo.world();
    let Some((program, modules)) = browser(world) else { return };
    let page = world.path(&format!("{name}.html"));
    let out = ["export", "--format", "html", "-o", page.to_str().unwrap()];
    repo.git_rapid(&[&out[..], arguments].concat()).ok();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/exports/browser.js");
    let pictures = std::env::var_os("RAPID_SCREENSHOTS")
        .map_or_else(|| world.path("pictures"), |place| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(place));
    let mut node = world.command("node", world.top());
    node.env("NODE_PATH", modules).arg(script).arg(program).arg(&page).arg(name).arg(&pictures);
    let said = Output::of(&mut node).ok();
    for theme in ["light", "dark"] {
        assert!(pictures.join(format!("report-{name}-{theme}.png")).exists(), "{name} in the {theme} theme");
    }
    assert!(said.stdout.contains("looked at in light, dark, print"), "{said}");
}

#[test]
fn a_run_that_passed() {
    if let Some(repo) = stages::passed() {
        looked_at(&repo, "pass", &[]);
    }
}

#[test]
fn a_run_that_failed() {
    looked_at(&stages::failed(), "fail", &[]);
}

#[test]
fn a_run_that_is_unverified() {
    looked_at(&stages::unverified(), "unverified", &[]);
}

#[test]
fn a_run_with_a_waiver() {
    if let Some(repo) = stages::waived() {
        looked_at(&repo, "waived", &[]);
    }
}

#[test]
fn a_run_that_is_signed() {
    if let Some(team) = stages::signed() {
        looked_at(&team.repo, "signed", &[]);
    }
}

#[test]
fn many_runs() {
    if let Some(repo) = stages::waived() {
        repo.git_rapid(&["start", "bugfix", "--title", "Greet louder", "--task", "Shout"]).ok();
        looked_at(&repo, "overview", &["--all"]);
    }
}
