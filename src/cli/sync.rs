//! `git rapid sync`.

use super::{args, fetch, push, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::json::Value;
use crate::ledger::Side;
use crate::os::environment::Environment;
use crate::verbs::{rapid::Rapid, sync, sync::Take};
use clap::ValueEnum;

/// Bring a remote's ledger, verify it, join it, and send the result
///
/// A run or spec that went on in two clones has diverged: nothing is overwritten, and --take says which side stands. The other
/// side stays in the ledger, below diverged/. Give --take once for all subjects, or once for each --subject.
#[derive(clap::Args)]
pub struct Args {
    /// The remote; rapid.remote, that of the current branch, or origin, when left out
    remote: Option<String>,
    /// Which side of what diverged stands
    #[arg(long, value_name = "SIDE", requires = "subject")]
    take: Vec<Chosen>,
    /// The run or spec that is decided
    #[arg(long, value_name = "ID", requires = "take")]
    subject: Vec<String>,
    #[command(flatten)]
    json: args::Json,
}

/// A side, as it is typed.
#[derive(Clone, Copy, ValueEnum)]
enum Chosen {
    /// This clone's records
    Ours,
    /// The remote's records
    Theirs,
}

impl Args {
    fn takes(&self) -> Result<Vec<Take>> {
        let side = |chosen: &Chosen| match chosen {
            Chosen::Ours => Side::Ours,
            Chosen::Theirs => Side::Theirs,
        };
        let one_for_all = self.take.len() == 1;
        if !one_for_all && self.take.len() != self.subject.len() {
            return Err(Code::Rapid001
                .because("--take is given more than once, and not once for each --subject")
                .hint("git rapid sync --take ours --subject A --take theirs --subject B"));
        }
        let sides = self.take.iter().cycle();
        Ok(sides
            .zip(&self.subject)
            .map(|(chosen, subject)| Take { side: side(chosen), subject: subject.clone() })
            .collect())
    }
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let done = sync::sync(&rapid, args.remote.as_deref(), &args.takes()?)?;
    let (result, words) = fetch::words(&done.fetched);
    let tip = done.sent.as_ref().map(|sent| sent.tip).or(done.fetched.tip);
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("remote", (&done.fetched.remote).into()),
        ("result", result.into()),
        ("tip", tip.map(|tip| tip.to_string()).into()),
        ("left_out", done.fetched.left_out.into()),
        ("pushed", done.sent.as_ref().is_some_and(|sent| !sent.up_to_date).into()),
        ("refs", Value::list(done.sent.iter().flat_map(|sent| &sent.refs))),
        ("material_refused", done.sent.as_ref().and_then(|sent| sent.material_refused.as_ref()).into()),
    ]));
    ui.line(words);
    fetch::tell_left_out(ui, &done.fetched);
    match &done.sent {
        None => ui.line("there is nothing to send: this clone has no ledger yet"),
        Some(sent) => push::tell(ui, sent),
    }
    Ok(0)
}
