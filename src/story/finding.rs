//! What can be wrong with a backlog: a name, a severity, a place and a sentence each. The name is for programs; it never
//! changes its meaning.

use crate::domain::json::Value;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing should run before it is mended.
    Error,
    /// Worth a look.
    Warning,
}

impl Severity {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal $severity:ident $category:literal,)*) => {
        /// The kind of a finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind { $($(#[$doc])* $variant,)* }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant,)*];

            /// Its name.
            pub fn as_str(self) -> &'static str { match self { $(Kind::$variant => $name,)* } }

            /// How bad it is unless the finding says otherwise.
            pub fn severity(self) -> Severity { match self { $(Kind::$variant => Severity::$severity,)* } }

            /// What it belongs to.
            pub fn category(self) -> &'static str { match self { $(Kind::$variant => $category,)* } }
        }
    };
}

kinds! {
    /// There is no configuration; the defaults hold.
    ConfigMissing = "config-missing" Warning "config",
    /// The configuration cannot be read.
    ConfigUnreadable = "config-unreadable" Error "config",
    /// A key that nothing reads.
    ConfigUnknownKey = "config-unknown-key" Warning "config",
    /// A limit under which nothing can work.
    LimitImpossible = "limit-impossible" Error "config",
    /// The folder of the stories is not there.
    StoriesDirMissing = "stories-dir-missing" Error "config",
    /// A path cannot be written.
    PathUnwritable = "path-unwritable" Error "config",
    /// An orchestrator is at work.
    OrchestratorLive = "orchestrator-live" Warning "config",
    /// Nobody knows this provider.
    ProviderUnknown = "provider-unknown" Error "providers",
    /// The provider's program is not there.
    ProviderMissing = "provider-missing" Error "providers",
    /// The provider's program does not say its version.
    ProviderSilent = "provider-silent" Warning "providers",
    /// The instructions of a role are not there.
    InstructionsMissing = "instructions-missing" Error "skills",
    /// Git is enabled and there is no repository.
    GitMissing = "git-missing" Warning "git",
    /// There are no stories.
    StoriesNone = "stories-none" Warning "stories",
    /// The file cannot be read.
    StoryUnreadable = "story-unreadable" Error "stories",
    /// The text is not UTF-8.
    NotUtf8 = "not-utf8" Error "stories",
    /// There is no state.
    StatusMissing = "status-missing" Error "stories",
    /// The state is none of the nine.
    StatusUnknown = "status-unknown" Error "stories",
    /// There are two headings for the state.
    StatusTwice = "status-twice" Warning "stories",
    /// The id has no number.
    IdWithoutNumber = "id-without-number" Warning "stories",
    /// Two files have the same id.
    IdTwice = "id-twice" Error "stories",
    /// There is no title with an id.
    TitleMissing = "title-missing" Warning "stories",
    /// The title names another id than the file.
    TitleMismatch = "title-mismatch" Warning "stories",
    /// Two files have the same id in their titles.
    TitleTwice = "title-twice" Error "stories",
    /// There is an epic section that names no epic.
    EpicUnread = "epic-unread" Warning "stories",
    /// There is no description.
    DescriptionMissing = "description-missing" Warning "stories",
    /// There are no acceptance criteria.
    CriteriaMissing = "criteria-missing" Warning "stories",
    /// There is no activity log.
    LogMissing = "log-missing" Warning "stories",
    /// A code fence is never closed and hides what follows.
    FenceOpen = "fence-open" Warning "stories",
    /// A line names a story and does not say that it blocks.
    DependencyIgnored = "dependency-ignored" Warning "dependencies",
    /// The same dependency twice.
    DependencyTwice = "dependency-twice" Warning "dependencies",
    /// There is no such story.
    DependencyMissing = "dependency-missing" Error "dependencies",
    /// The dependency was given up.
    DependencyFailed = "dependency-failed" Warning "dependencies",
    /// Stories wait for each other in a circle.
    Cycle = "cycle" Error "dependencies",
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, relative to the project; `None` for the project as a whole.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The kind.
    pub kind: Kind,
    /// How bad it is.
    pub severity: Severity,
    /// The story it is about.
    pub story: Option<String>,
    /// What is wrong and what to do, in one sentence.
    pub message: String,
}

impl Finding {
    /// A finding without a place.
    pub fn new(kind: Kind, message: impl Into<String>) -> Finding {
        Finding { file: None, line: None, kind, severity: kind.severity(), story: None, message: message.into() }
    }

    /// In this line.
    pub fn line(mut self, line: u32) -> Finding {
        self.line = Some(line);
        self
    }

    /// In this file.
    pub fn file(mut self, file: impl Into<String>) -> Finding {
        self.file = Some(file.into());
        self
    }

    /// About this story.
    pub fn story(mut self, story: impl Into<String>) -> Finding {
        self.story = Some(story.into());
        self
    }

    /// Less bad than its kind.
    pub fn warning(mut self) -> Finding {
        self.severity = Severity::Warning;
        self
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("severity", self.severity.as_str().into()),
            ("category", self.kind.category().into()),
            ("code", self.kind.as_str().into()),
            ("message", self.message.as_str().into()),
        ])
        .with_some("story_id", self.story.as_deref())
        .with_some("file", self.file.as_deref())
        .with_some("line", self.line)
    }
}
