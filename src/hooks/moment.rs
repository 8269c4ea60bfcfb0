//! The git hooks that git-rapid has something to say in: one row each, with its stub.

/// A moment of git.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// Before objects are sent.
    PrePush,
    /// Before a commit's message is edited.
    PrepareCommitMsg,
    /// After another commit was checked out.
    PostCheckout,
    /// While refs are moved.
    ReferenceTransaction,
    /// On a server, before anything that was sent is accepted.
    PreReceive,
    /// On a server, after it was.
    PostReceive,
}

/// Which hooks belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Those of a working copy.
    Client,
    /// Those of a working copy, and the guard of the ledger ref.
    Guarded,
    /// Those of a bare repository that others push to.
    Server,
}

/// The marks around what is git-rapid's own in a script of somebody else.
pub(super) const BEGIN: &str = "# >>> git-rapid";
pub(super) const END: &str = "# <<< git-rapid";

impl Moment {
    /// Every moment.
    pub const ALL: &'static [Moment] = &[
        Moment::PrePush,
        Moment::PrepareCommitMsg,
        Moment::PostCheckout,
        Moment::ReferenceTransaction,
        Moment::PreReceive,
        Moment::PostReceive,
    ];

    /// Git's name for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Moment::PrePush => "pre-push",
            Moment::PrepareCommitMsg => "prepare-commit-msg",
            Moment::PostCheckout => "post-checkout",
            Moment::ReferenceTransaction => "reference-transaction",
            Moment::PreReceive => "pre-receive",
            Moment::PostReceive => "post-receive",
        }
    }

    /// The moment of this name.
    pub fn named(name: &str) -> Option<Moment> {
        Moment::ALL.iter().copied().find(|moment| moment.as_str() == name)
    }

    /// Whether git gives it lines to read.
    pub fn reads_lines(self) -> bool {
        !matches!(self, Moment::PrepareCommitMsg | Moment::PostCheckout)
    }

    /// The script that is installed for it.
    pub(super) fn stub(self) -> &'static str {
        match self {
            Moment::PrePush => include_str!("../../hooks/pre-push"),
            Moment::PrepareCommitMsg => include_str!("../../hooks/prepare-commit-msg"),
            Moment::PostCheckout => include_str!("../../hooks/post-checkout"),
            Moment::ReferenceTransaction => include_str!("../../hooks/reference-transaction"),
            Moment::PreReceive => include_str!("../../hooks/pre-receive"),
            Moment::PostReceive => include_str!("../../hooks/post-receive"),
        }
    }

    /// The part of the script that can stand at the beginning of somebody else's.
    pub(super) fn block(self) -> String {
        let lines = self.stub().lines().skip_while(|line| !line.starts_with(BEGIN));
        let mut block = String::new();
        for line in lines {
            block.push_str(line);
            block.push('\n');
            if line.starts_with(END) {
                break;
            }
        }
        block
    }
}

impl Set {
    /// Its moments.
    pub fn moments(self) -> &'static [Moment] {
        match self {
            Set::Client => &[Moment::PrePush, Moment::PrepareCommitMsg, Moment::PostCheckout],
            Set::Guarded => {
                &[Moment::PrePush, Moment::PrepareCommitMsg, Moment::PostCheckout, Moment::ReferenceTransaction]
            }
            Set::Server => &[Moment::PreReceive, Moment::PostReceive],
        }
    }
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
