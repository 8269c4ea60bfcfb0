//! The same work by plumbing: the corrected sequence of the specification (§9), with evidence that somebody else wrote.

use super::lab::Lab;

/// An authored evidence document.
pub struct Doc {
    head: String,
    about: String,
}

impl Doc {
    fn new(kind: &str, payload: &str) -> Doc {
        let head = format!("\"kind\":\"{kind}\",\"producer\":\"ci:lab\",\"summary\":\"{kind}\",\"payload\":{payload}");
        Doc { head, about: String::new() }
    }

    /// A run of a suite with the log attached.
    pub fn tests(passed: u32, failed: u32) -> Doc {
        let counts = format!("\"passed\":{passed},\"failed\":{failed},\"skipped\":0");
        Doc::new("test_result", &format!("{{\"suite\":\"unit\",\"exit_code\":0,{counts}}}"))
            .with("\"artifacts\":[\"log.txt\"]")
    }

    /// Files that changed.
    pub fn files(path: &str) -> Doc {
        Doc::new("file_change", &format!("{{\"paths\":[\"{path}\"]}}"))
    }

    /// Where the work happens.
    pub fn workspace(mode: &str) -> Doc {
        Doc::new("workspace", &format!("{{\"mode\":\"{mode}\"}}"))
    }

    /// An approving review of a type, by nobody of ours.
    pub fn review(review_type: &str, outcome: &str) -> Doc {
        let payload =
            format!("{{\"review_type\":\"{review_type}\",\"outcome\":\"{outcome}\",\"reviewer\":\"Somebody\"}}");
        Doc::new("review", &payload)
    }

    /// A file that is kept.
    pub fn artifact() -> Doc {
        Doc::new("artifact", "{\"label\":\"report\"}").with("\"artifacts\":[\"log.txt\"]")
    }

    /// Another member.
    pub fn with(mut self, member: &str) -> Doc {
        self.about.push(',');
        self.about.push_str(member);
        self
    }

    /// Bound to the task.
    pub fn for_task(self) -> Doc {
        self.with("\"task_ids\":[\"T001\"]")
    }

    /// Bound to gates.
    pub fn for_gates(self, gates: &[&str]) -> Doc {
        let quoted: Vec<String> = gates.iter().map(|gate| format!("\"{gate}\"")).collect();
        self.with(&format!("\"gate_ids\":[{}]", quoted.join(",")))
    }

    /// As JSON.
    pub fn json(&self) -> String {
        format!("{{{}{}}}", self.head, self.about)
    }
}

/// Writes a ready spec of one task and opens a run on it by plumbing; gives the run's id.
pub fn opened(lab: &Lab, mode: &str, spec: &str, spec_options: &str, run_options: &str) -> String {
    lab.say(&format!("spec create --id {spec} --title {spec} --mode {mode} --task Do --status ready {spec_options}"))
        .ok();
    lab.say(&format!("run create --spec {spec} {run_options}")).ok();
    format!("{spec}-r1-run-001")
}

/// Carries a run to where only people decide, by plumbing. Without proof the same is declared and nothing is shown.
pub fn carried(lab: &Lab, run: &str, proven: bool) {
    let gates = lab.gates(run);
    let has = |gate: &str| gates.iter().any(|id| id == gate);
    let acknowledge = |gate: &str| lab.say(&format!("run gate {run} {gate} acknowledged")).ok();
    let show = |document: Doc| {
        if proven {
            lab.add(run, &document.json()).ok();
        }
    };
    if has("gate.workspace-isolation") {
        show(Doc::workspace("isolated").for_gates(&["gate.workspace-isolation"]));
        acknowledge("gate.workspace-isolation");
    } else {
        show(Doc::workspace("current"));
    }
    if has("gate.baseline") {
        show(Doc::tests(2, 0).for_gates(&["gate.baseline"]));
        acknowledge("gate.baseline");
    }
    lab.say(&format!("run status {run} active")).ok();
    lab.say(&format!("run task {run} T001 in_progress")).ok();
    show(Doc::files("greet.sh").for_task());
    let tested = has("gate.tests");
    show(if tested { Doc::tests(4, 0).for_gates(&["gate.tests"]) } else { Doc::artifact() }.for_task());
    lab.say(&format!("run task {run} T001 done")).ok();
    if tested {
        acknowledge("gate.tests");
    }
}

/// Opens a run and carries it to its end by plumbing, but for the gates that only a person decides. Gives the run's id; it is
/// finished.
pub fn by_hand(lab: &Lab, mode: &str, spec: &str, spec_options: &str, run_options: &str) -> String {
    let run = opened(lab, mode, spec, spec_options, run_options);
    carried(lab, &run, true);
    for gate in lab.gates(&run).iter().filter(|gate| gate.contains("review") || gate.contains("final")) {
        lab.say(&format!("run gate {run} {gate} acknowledged")).ends(1).names("RAPID1431");
        lab.approve(&run, gate);
    }
    lab.say(&format!("run status {run} finished")).ok();
    run
}
