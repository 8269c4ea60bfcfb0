//! Two commands measured in turns, so that whatever else the machine does falls on both.

use std::process::Command;
use std::time::Instant;

/// One comparison.
pub struct Comparison {
    title: String,
    ours: String,
    reference: String,
    ours_ms: f64,
    reference_ms: f64,
}

/// Runs both in turns and takes the medians.
pub fn compare(
    title: &str,
    ours: &str,
    our_command: impl Fn() -> Command,
    reference: &str,
    reference_command: impl Fn() -> Command,
    rounds: usize,
) -> Comparison {
    let (mut our_times, mut reference_times) = (Vec::new(), Vec::new());
    for round in 0..rounds + 2 {
        let (a, b) = (time(our_command()), time(reference_command()));
        // The first two warm the caches.
        if round >= 2 {
            our_times.push(a);
            reference_times.push(b);
        }
    }
    Comparison {
        title: title.to_owned(),
        ours: ours.to_owned(),
        reference: reference.to_owned(),
        ours_ms: median(our_times),
        reference_ms: median(reference_times),
    }
}

/// The head of a table of comparisons, under a heading.
pub fn head(heading: &str) {
    println!("\n### {heading}\n");
    println!("| what | ours | beside | ms | ms | ratio |\n| --- | --- | --- | ---: | ---: | ---: |");
}

fn time(mut command: Command) -> f64 {
    let start = Instant::now();
    let output = command.output().expect("the command starts");
    let took = start.elapsed().as_secs_f64() * 1e3;
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    took
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (ours, reference) = (self.ours_ms, self.reference_ms);
        let ratio = ours / reference;
        let (title, named, beside) = (&self.title, &self.ours, &self.reference);
        write!(f, "| {title} | `{named}` | {beside} | {ours:.1} | {reference:.1} | {ratio:.2} |")
    }
}
