//! Whether a contract says what its frozen terms say: the command, the ruleset and who approves how are copied from them when a
//! run begins, and somebody could have written others under a digest that holds.

use super::{Place, Records};
use crate::diagnostics::{Code, Result};
use crate::domain::{config::Config, contract::Contract};

/// Refuses a contract that promises something else than its terms (RAPID1002).
pub(super) fn kept(records: &Records<'_>, contract: &Contract) -> Result<()> {
    let path = Place::Term(contract.run_id.clone(), "config.toml".to_owned()).path();
    let config = match records.view().read(&path)? {
        None => Config::default(),
        Some(bytes) => Config::parse(&String::from_utf8_lossy(&bytes)).map_err(|fault| {
            Code::Rapid1002.because(format!("the term 'config.toml' is unreadable: {}", fault.message))
        })?,
    };
    let other = [
        ("test_command", config.test_command == contract.test_command),
        ("ruleset", config.ruleset == contract.ruleset),
        ("approvals", config.approvals == contract.approvals),
        ("approvers", config.approvers == contract.approvers),
    ];
    match other.into_iter().find(|(_, same)| !same) {
        None => Ok(()),
        Some((what, _)) => Err(Code::Rapid1002.because(format!("the contract's {what} is not that of its terms"))),
    }
}
