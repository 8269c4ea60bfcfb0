//! The list of RAPID codes. A number that has been given away is never given another meaning, reserved ones included.
//!
//! Sources: the specification's table of diagnostics (§6) up to 1435; 001–009 and from 1500 on are git-rapid's own.

use super::Diagnostic;

/// What a code does to the exit status (cli.md, "Exit codes").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Says something; the exit status stays 0.
    Info,
    /// Worth a look; 1 only where the command was asked to be strict.
    Warning,
    /// The answer is no: exit status 1.
    Refusal,
    /// The question could not be asked, or the world failed: exit status 2.
    Error,
}

macro_rules! codes {
    ($($variant:ident $number:literal $class:ident $title:literal;)*) => {
        /// A RAPID code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "each variant's meaning is its title, one line below")]
        pub enum Code { $($variant,)* }

        impl Code {
            /// Every code, in numerical order.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The code as it is printed, like `RAPID1310`.
            pub fn as_str(self) -> &'static str { match self { $(Code::$variant => concat!("RAPID", $number),)* } }

            /// Its effect on the exit status.
            pub fn class(self) -> Class { match self { $(Code::$variant => Class::$class,)* } }

            /// The page that explains it; a code without one does not compile.
            pub(super) fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("../../docs/codes/RAPID", $number, ".md")),)* }
            }

            /// Its meaning in a few words.
            pub fn title(self) -> &'static str { match self { $(Code::$variant => $title,)* } }
        }
    };
}

codes! {
    Rapid001 "001" Error "the command line is not understood";
    Rapid002 "002" Error "a file cannot be read or written";
    Rapid003 "003" Error "an internal rule was broken";
    Rapid004 "004" Error "interrupted";
    Rapid109 "109" Error "a playbook is malformed";
    Rapid801 "801" Error "a spec status record is malformed";
    Rapid802 "802" Error "a spec revision is missing";
    Rapid803 "803" Error "a spec revision or field is malformed";
    Rapid804 "804" Error "a spec document is missing or differs from its revision";
    Rapid805 "805" Refusal "the spec's life cycle does not allow this move";
    Rapid806 "806" Error "the spec id is malformed or taken";
    Rapid807 "807" Error "there is no such spec or revision";
    Rapid1001 "1001" Error "the run id is malformed";
    Rapid1002 "1002" Error "the contract is malformed or its digest does not hold";
    Rapid1003 "1003" Refusal "the spec cannot open a run";
    Rapid1005 "1005" Error "the policy is malformed";
    Rapid1006 "1006" Refusal "the policy may only be tightened";
    Rapid1007 "1007" Error "the run is not there, or its id is taken";
    Rapid1009 "1009" Refusal "the run's life cycle does not allow this move";
    Rapid1010 "1010" Refusal "the task's life cycle does not allow this move, or there is no such task";
    Rapid1011 "1011" Error "the history of run states has a gap";
    Rapid1012 "1012" Error "a run state is malformed or not one legal step after the one before";
    Rapid1013 "1013" Refusal "the gate's life cycle does not allow this move, or there is no such gate";
    Rapid1014 "1014" Refusal "a precondition or the phase is not met";
    Rapid1101 "1101" Error "there is no such capability";
    Rapid1104 "1104" Error "the harness id is malformed";
    Rapid1201 "1201" Error "the evidence id is malformed or was given by the author";
    Rapid1202 "1202" Error "an evidence record is malformed or its digest does not hold";
    Rapid1203 "1203" Error "evidence is bound to another run, contract, state or harness";
    Rapid1204 "1204" Error "an evidence path is unsafe";
    Rapid1205 "1205" Error "an artifact is missing or differs from its record";
    Rapid1206 "1206" Error "the kind or payload of evidence is malformed";
    Rapid1207 "1207" Error "evidence names a task, gate or capability that is not there";
    Rapid1208 "1208" Error "the sequence of evidence has a gap";
    Rapid1210 "1210" Error "there is no such evidence";
    Rapid1211 "1211" Error "the same artifact path is given twice";
    Rapid1221 "1221" Error "a report is malformed";
    Rapid1222 "1222" Error "a report's digest does not hold";
    Rapid1223 "1223" Error "a report does not follow from its run, state and evidence";
    Rapid1225 "1225" Refusal "the verdict is unverified";
    Rapid1226 "1226" Refusal "the verdict is fail";
    Rapid1227 "1227" Warning "a stored report is older than its run";
    Rapid1228 "1228" Error "there is no such report";
    Rapid1300 "1300" Error "no run is active here";
    Rapid1301 "1301" Refusal "another run is active here";
    Rapid1302 "1302" Error "no test command is known";
    Rapid1303 "1303" Error "the spec file cannot be understood";
    Rapid1304 "1304" Error "the session names a run that does not load";
    Rapid1305 "1305" Error "the session disagrees with its run";
    Rapid1306 "1306" Error "this needs a working copy";
    Rapid1307 "1307" Error "the command could not be started";
    Rapid1308 "1308" Refusal "the run's terms are not committed";
    Rapid1309 "1309" Refusal "the worktree is in the way or not clean";
    Rapid1310 "1310" Refusal "only a person in a terminal may decide a gate";
    Rapid1311 "1311" Refusal "the gate is not ready for a person's decision";
    Rapid1312 "1312" Error "the file to attach cannot be used";
    Rapid1320 "1320" Error "an expected failure belongs to a task";
    Rapid1321 "1321" Error "the test report cannot be used";
    Rapid1420 "1420" Refusal "an architecture rule is broken";
    Rapid1421 "1421" Error "the architecture rules are missing or malformed";
    Rapid1430 "1430" Refusal "this producer is reserved";
    Rapid1431 "1431" Refusal "a human gate is decided by `git rapid approve`";
    Rapid1432 "1432" Warning "the test evidence does not qualify";
    Rapid1433 "1433" Refusal "the code changed after the approval";
    Rapid1434 "1434" Refusal "no qualified check speaks of this code";
    Rapid1435 "1435" Refusal "the test command differs from the baseline's";
    Rapid1440 "1440" Refusal "the decision is not signed, and the run's terms ask for it";
    Rapid1441 "1441" Error "the signature does not hold";
    Rapid1442 "1442" Refusal "the key is not one of the allowed signers'";
    Rapid1443 "1443" Refusal "the key was revoked, or was not valid at that time";
    Rapid1444 "1444" Error "the signature cannot be checked here";
    Rapid1445 "1445" Error "nothing could be signed";
    Rapid1446 "1446" Error "the list of allowed signers cannot be used";
    Rapid1447 "1447" Refusal "somebody else has to approve this";
    Rapid1448 "1448" Refusal "the checks of the run failed when they were run again";
    Rapid1449 "1449" Error "the checks cannot be run again here";
    Rapid1500 "1500" Error "there is no git repository here";
    Rapid1501 "1501" Error "git refuses this repository";
    Rapid1502 "1502" Error "the repository's format is not supported";
    Rapid1503 "1503" Error "the git executable failed or is missing";
    Rapid1504 "1504" Error "the repository cannot be written";
    Rapid1505 "1505" Error "an object is missing or unreadable";
    Rapid1506 "1506" Error "there is no such revision";
    Rapid1507 "1507" Error "the working copy cannot be recorded";
    Rapid1510 "1510" Error "there is no ledger here yet";
    Rapid1511 "1511" Error "the ledger ref is not an ordinary ref to a commit";
    Rapid1512 "1512" Error "the ledger is locked";
    Rapid1513 "1513" Error "other writers were first too often";
    Rapid1514 "1514" Error "a path in the ledger would be written twice";
    Rapid1515 "1515" Error "a path or name is not allowed in the ledger";
    Rapid1516 "1516" Error "an entry is malformed";
    Rapid1517 "1517" Error "an entry changes or removes what was recorded";
    Rapid1518 "1518" Error "an object's bytes do not hash to its id";
    Rapid1519 "1519" Error "the ledger is cut off here";
    Rapid1520 "1520" Error "a record is not canonical";
    Rapid1521 "1521" Error "the ledger holds a path that no record has";
    Rapid1522 "1522" Error "a merge entry is not the union of its parents";
    Rapid1523 "1523" Warning "this clone replaces or grafts objects";
    Rapid1524 "1524" Error "the first entry is not git-rapid's";
    Rapid1525 "1525" Error "a limit was exceeded";
    Rapid1526 "1526" Error "recorded material differs from its record";
    Rapid1530 "1530" Refusal "no passing run covers this commit";
    Rapid1531 "1531" Error "the remote is not there or does not answer";
    Rapid1532 "1532" Error "the remote has no ledger";
    Rapid1533 "1533" Refusal "the remote refused the ledger";
    Rapid1534 "1534" Refusal "the two ledgers have diverged";
    Rapid1535 "1535" Refusal "the remote shows less than was verified before";
    Rapid1536 "1536" Refusal "the tip is not the expected one";
    Rapid1540 "1540" Error "there is no such record";
    Rapid1550 "1550" Error "a decision about a divergence does not follow from what it decides about";
    Rapid1551 "1551" Refusal "there is nothing to decide about this subject";
    Rapid1552 "1552" Warning "records of this subject were set aside by a decision";
    Rapid1553 "1553" Warning "a remote's ledger is not where it was verified";
    Rapid1554 "1554" Error "the setting rapid.ref is no ref that a ledger may have";
    Rapid1555 "1555" Error "the record of what was expunged is not that of its evidence";
    Rapid1556 "1556" Refusal "there is nothing to expunge";
    Rapid1557 "1557" Warning "expunged material still lies on the remote";
    Rapid1570 "1570" Info "entries wait in the spool";
    Rapid1571 "1571" Error "a spooled entry is not what was written";
    Rapid1572 "1572" Refusal "what is not a sandbox's to record does not wait in the spool";
    Rapid1573 "1573" Refusal "a spooled entry does not fit the ledger any more";
    Rapid1574 "1574" Error "the spool is full";
    Rapid1575 "1575" Error "a mark of spooled records does not hold";
    Rapid1580 "1580" Warning "an entry is dated in the future";
    Rapid1600 "1600" Error "the configuration is malformed";
    Rapid1601 "1601" Error "the configuration has an unknown key";
    Rapid1610 "1610" Refusal "no passing run covers what is pushed";
    Rapid1611 "1611" Warning "no passing run covers what was pushed";
    Rapid1612 "1612" Refusal "the ledger only grows";
    Rapid1613 "1613" Refusal "a protected branch is not deleted or rewound";
    Rapid1614 "1614" Error "a hook was called with what git does not give it";
    Rapid1615 "1615" Error "the hooks cannot be installed or taken out here";
    Rapid1616 "1616" Warning "the ledger was not sent with the code";
    Rapid1617 "1617" Warning "others cannot see that what is pushed is covered";
    Rapid1630 "1630" Error "there is no such harness";
    Rapid1631 "1631" Refusal "something else stands where a harness's file goes";
    Rapid1632 "1632" Error "a harness's settings cannot be merged";
    Rapid1633 "1633" Error "a harness's message cannot be read";
    Rapid1634 "1634" Refusal "an agent may not do this";
    Rapid1635 "1635" Refusal "a tool call changed what is protected";
    Rapid1636 "1636" Refusal "the run is not done";
    Rapid1637 "1637" Error "the model context protocol broke off";
    Rapid1700 "1700" Error "there is no story to work";
    Rapid1701 "1701" Error "nobody knows this provider";
    Rapid1702 "1702" Error "the selection of stories cannot be read";
    Rapid1703 "1703" Error "two stories have the same id";
    Rapid1704 "1704" Error "there is no such project";
    Rapid1720 "1720" Error "a story's record is malformed";
    Rapid1721 "1721" Error "a story's records do not belong together";
    Rapid1722 "1722" Error "a story's name cannot be recorded";
    Rapid1723 "1723" Refusal "another run of the stories is at work";
    Rapid1724 "1724" Error "the changes of a turn cannot be put back";
    Rapid1725 "1725" Error "a turn that was interrupted cannot be read";
    Rapid1726 "1726" Refusal "no run of the stories is at work";
    Rapid1727 "1727" Error "the stories cannot be worked in the background";
    Rapid1750 "1750" Refusal "a ledger that is disproved is not exported";
    Rapid1751 "1751" Error "the bundle cannot be verified";
    Rapid1752 "1752" Refusal "there is no code to attest anything about";
    Rapid1753 "1753" Refusal "a file that is no former export is in the way";
    Rapid1754 "1754" Error "this clone does not hold all that a bundle needs";
    Rapid1850 "1850" Error "the specification cannot be read";
    Rapid1851 "1851" Error "the product owner failed";
    Rapid1852 "1852" Error "no story was made";
    Rapid1853 "1853" Refusal "a finished story cannot be committed";
    Rapid1900 "1900" Refusal "the plan of a mission does not hold";
    Rapid1901 "1901" Error "a name of a mission is none";
    Rapid1902 "1902" Error "a mission's record is malformed";
    Rapid1903 "1903" Error "a mission's records do not belong together";
    Rapid1910 "1910" Error "there is no such mission";
    Rapid1911 "1911" Refusal "a step does not follow from the mission as it stands";
    Rapid1912 "1912" Refusal "another process works the mission";
    Rapid1913 "1913" Error "nobody is named who plays a role of the mission";
    Rapid1914 "1914" Error "the mission's branch is not where the mission left it";
    Rapid1920 "1920" Error "there is no such child";
    Rapid1923 "1923" Error "a child's answer cannot be read";
    Rapid1930 "1930" Refusal "the mission is not done";
}

impl Code {
    /// A diagnostic of this code; `message` is lower case, one sentence, no full stop.
    pub fn because(self, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code: self, message: message.into(), hints: Vec::new(), path: None }
    }

    /// The code that is printed as `text`, in any case, with or without `RAPID`.
    pub fn parse(text: &str) -> Option<Code> {
        let digits = text.trim().to_ascii_uppercase();
        let digits = digits.strip_prefix("RAPID").unwrap_or(&digits);
        Code::ALL.iter().copied().find(|code| code.as_str().strip_prefix("RAPID") == Some(digits))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
