//! Git: repository, objects, refs, the working copy as a tree, worktrees, and the git executable.
//!
//! The only room that names `gix` or starts `git`. It knows commits, trees and refs; it does not know what a ledger is.
//! What gix does not do, or does unsafely, goes to the git executable behind the same functions (design §3): push and
//! fetch, reftable repositories' refs, worktrees, diffs for people.

mod branch;
mod bundle;
mod commit;
mod config;
mod diffstat;
mod executable;
mod head_log;
mod hooks;
mod identity;
mod known_files;
mod loose;
mod maintenance;
mod merge;
mod objects;
mod oid;
mod partial;
mod quarantine;
mod refs;
mod remote;
mod repository;
mod revision;
mod snapshot;
mod spool;
mod submodules;
mod tree;
mod tree_edit;
mod worktree;

pub use bundle::{Unbundled, is_bundle, unbundle};
pub use commit::{Commit, CommitFault};
pub use diffstat::LineCounts;
pub use executable::{Git, GitOutput};
pub use identity::Identity;
pub use known_files::KnownFile;
pub use loose::LooseFiles;
pub use merge::Merge;
pub use objects::{Kind, Object, Writer};
pub use oid::Oid;
pub use refs::{RefEdit, RefUpdate};
pub use remote::{Pushed, RemoteRef};
pub use repository::{RefStorage, Repository};
pub use revision::Head;
pub use snapshot::{Flagged, Keep, Litter, REST, Snapshot, SnapshotOptions, TreeChange, Withheld, place_of};
pub use tree::{Entry, Mode, TreeFault, entries};
pub use tree_edit::{Addition, EditFault};
pub use worktree::Worktree;
