//! How the cost grows with the size: `cargo bench -- --scale`. Processor time and memory of whole processes, as `/usr/bin/time`
//! gives them; no bound is asserted.

use super::world::World;
use std::path::Path;
use std::process::Command;

/// The run that [`World`] opens.
const RUN: &str = "bench-r1-run-001";

/// Prints a table: a command, a size, what it took. All of it, or the parts that are named: `--ledgers`, `--missions`, `--writers`.
pub fn print() {
    println!("\n### How the cost grows\n\nWhole processes, the median of five.\n");
    println!("| what | size | user s | system s | peak MiB | wall s |\n| --- | ---: | ---: | ---: | ---: | ---: |");
    let named = |part: &str| std::env::args().any(|word| word == part);
    let all = !["--ledgers", "--missions", "--writers"].into_iter().any(named);
    if all {
        evidence();
    }
    if all || named("--ledgers") {
        ledgers(named("--large"));
    }
    if all || named("--missions") {
        missions();
    }
    if all || named("--writers") {
        writers();
    }
}

/// A run with more and more evidence.
fn evidence() {
    for records in [500, 1000, 2000] {
        let world = World::new(20, 0);
        world.observe(RUN, records);
        row("eval run, pieces of evidence", records, &world.tool(&["eval", "run", "--run", RUN]));
        row("next, pieces of evidence", records, &world.tool(&["next"]));
    }
}

/// A ledger with more and more entries, beside git on the same ref. With `RAPID_BENCH_KEEP` they are made in that directory, once.
fn ledgers(large: bool) {
    let kept = std::env::var("RAPID_BENCH_KEEP").ok();
    for entries in [100, 1000, 10_000].into_iter().chain(large.then_some(100_000)) {
        let world = match &kept {
            Some(directory) => World::kept(Path::new(directory).join(entries.to_string()), 20, entries),
            None => World::new(20, entries),
        };
        let packed = world.packed_bytes() / u64::from(entries);
        println!("| bytes for each entry, packed, index included | {entries} | {packed} | | | |");
        row("validate, entries", entries, &world.tool(&["validate"]));
        let ours = row("verify --full, entries", entries, &world.tool(&["verify", "--full"]));
        let list = &world.git(&["rev-list", "--quiet", "--objects", "refs/rapid/ledger"]);
        ratio("verify --full / git rev-list --objects", entries, ours, row("git rev-list --objects", entries, list));
        let fsck = &world.git(&["fsck", "--no-dangling", "--no-progress"]);
        ratio("verify --full / git fsck", entries, ours, row("git fsck", entries, fsck));
        row("verify again", entries, &world.tool(&["verify"]));
        row("version (a process that starts)", entries, &world.tool(&["version"]));
        row("next, entries", entries, &world.tool(&["next"]));
        row("status, entries", entries, &world.tool(&["status"]));
        let append = "git-rapid spec create --mode feature --title \"One more $$\"";
        row("append (spec create), entries", entries, &world.shell(append));
    }
}

/// How often what is short is done in one row, so that the clock of processor time can see it.
const OFTEN: u32 = 20;

/// A plan of a thousand work packages with five thousand dependencies is taken, and its first step (an event, nothing started);
/// the same step of many missions of one package, beside as many appends.
fn missions() {
    let world = World::new(20, 0);
    for (packages, times) in [(1000, 1), (1, OFTEN)] {
        // Beside the repository, in which commands are run.
        std::fs::write(world.top().join(format!("plan-{packages}.json")), plan(packages)).expect("a file");
        let plan = format!("git-rapid mission plan ../plan-{packages}.json --id");
        let size = u32::try_from(packages).unwrap_or(u32::MAX);
        row("mission plan, work packages", size, &world.shell(&format!("{plan} p{packages}-$$")));
        // A mission is begun once, so there is one for each step of the row's five runs.
        let all = 5 * times;
        succeeds(&world, &format!("for n in $(seq {all}); do {plan} s{packages}-$n || exit; done"));
        let step = format!(
            "n=$(cat ../n-{packages} 2>/dev/null || echo 0); echo $((n + {times})) >../n-{packages}; for k in $(seq {times}); do \
             git-rapid mission step --mission s{packages}-$((n + k)) --provider claude; done"
        );
        row(&format!("{times} × mission step, work packages"), size, &world.shell(&step));
        succeeds(&world, &format!("git-rapid mission status --mission s{packages}-{all} | grep '^active'"));
    }
    drop(world.append());
    let append = format!("git-rapid evidence add --run {RUN} --input ../evidence.json");
    row(
        &format!("{OFTEN} × evidence add"),
        1,
        &world.shell(&format!("for k in $(seq {OFTEN}); do {append} || exit 9; done")),
    );
    row(
        &format!("{OFTEN} × version"),
        1,
        &world.shell(&format!("for k in $(seq {OFTEN}); do git-rapid version; done")),
    );
}

fn succeeds(world: &World, script: &str) {
    let output = world.shell(script).output().expect("sh");
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A plan in which each package needs up to five before it.
fn plan(packages: usize) -> String {
    let listed = (0..packages).map(|at| {
        let needs = (1..=5).filter_map(|back| at.checked_sub(back * 7)).map(|need| format!("\"WP-{need:04}\""));
        let needs = needs.collect::<Vec<_>>().join(",");
        format!(
            "{{\"id\":\"WP-{at:04}\",\"title\":\"package\",\"description\":\"work\",\"size\":\"S\",\"risk_class\":\"low\",\
             \"depends_on\":[{needs}],\"scope\":[\"src/p{at:04}/**\"],\"targets\":[],\"tests\":[[\"true\"]],\"acceptance\":[\"it works\"]}}"
        )
    });
    let order = (0..packages).map(|at| format!("\"WP-{at:04}\""));
    let (listed, order) = (listed.collect::<Vec<_>>().join(","), order.collect::<Vec<_>>().join(","));
    format!("{{\"schema_version\":1,\"objective\":\"bench\",\"work_packages\":[{listed}],\"order\":[{order}]}}")
}

/// Sixteen writers of one machine, a hundred entries each, beside git's own plumbing under one lock: entries in a second.
fn writers() {
    let world = World::new(20, 0);
    let script =
        "for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do ( for k in $(seq 100); do CMD; done ) & done; wait";
    let own = "git-rapid spec create --mode feature --title \"Spec $n $k\" >/dev/null";
    let plumbing = "flock lock sh -c 'tip=$(git rev-parse -q --verify refs/bench/x); b=$(git hash-object -w record.json); \
        t=$(printf \"100644 blob $b\\tr\\n\" | git mktree); c=$(git commit-tree $t ${tip:+-p $tip} -m entry); \
        git update-ref --create-reflog refs/bench/x $c $tip'";
    let all = [
        ("16 writers × 100 entries", own, "refs/rapid/ledger"),
        ("the same by git's plumbing", plumbing, "refs/bench/x"),
    ];
    for (what, command, reference) in all {
        let count = || {
            let output = world.git(&["rev-list", "--count", "--ignore-missing", reference]).output().expect("git");
            String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(0)
        };
        let before: u32 = count();
        let watch = std::time::Instant::now();
        let status = world.shell(&script.replace("CMD", command)).status().expect("sh");
        assert!(status.success());
        let seconds = watch.elapsed().as_secs_f64();
        assert_eq!(count() - before, 1600, "all of them arrive");
        println!("| {what} | 1600 | {:.1} entries a second | | | {seconds:.2} |", 1600.0 / seconds);
    }
}

/// How two rows stand to each other, in processor time and in wall time.
fn ratio(what: &str, size: u32, ours: [f64; 4], beside: [f64; 4]) {
    // Below the step of the clock a ratio says nothing.
    if beside[3] < 0.05 {
        return;
    }
    let (cpu, wall) = ((ours[0] + ours[1]) / (beside[0] + beside[1]), ours[3] / beside[3]);
    println!("| **{what}** | {size} | **{cpu:.2}** of the processor time | | | **{wall:.2}** |");
}

/// The median of five runs.
fn row(what: &str, size: u32, command: &Command) -> [f64; 4] {
    let mut seen: Vec<[f64; 4]> = (0..5).map(|_| once(command)).collect();
    seen.sort_by(|a, b| (a[0] + a[1]).total_cmp(&(b[0] + b[1])));
    let [user, system, peak, wall] = seen[2];
    println!("| {what} | {size} | {user:.2} | {system:.2} | {:.1} | {wall:.2} |", peak / 1024.0);
    seen[2]
}

/// The most memory that a command takes, in MiB.
pub fn peak(command: &Command) -> f64 {
    once(command)[2] / 1024.0
}

/// User and system seconds, peak memory in KiB, wall seconds; statuses other than 0 are allowed where a finding is the answer.
pub fn once(command: &Command) -> [f64; 4] {
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "%U %S %M %e"]).arg(command.get_program()).args(command.get_args()).env_clear();
    timed.stdout(std::process::Stdio::null());
    for (name, value) in command.get_envs() {
        timed.env(name, value.unwrap_or_default());
    }
    if let Some(directory) = command.get_current_dir() {
        timed.current_dir(directory);
    }
    let output = timed.output().expect("/usr/bin/time");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0..=3)), "{command:?}: {text}");
    let last = text.trim_end().lines().last().unwrap_or_default();
    let numbers: Vec<f64> = last.split(' ').map(|word| word.parse().expect("a number")).collect();
    [numbers[0], numbers[1], numbers[2], numbers[3]]
}
