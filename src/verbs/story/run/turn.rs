//! One turn: the working copy is taken in, the agent works, what it did is seen, its hook is run, and what may not stay is
//! put back.

use super::super::cast;
use super::perform::{Current, Performer};
use crate::agent;
use crate::check;
use crate::diagnostics::{Code, Result};
use crate::domain::digest::Digest;
use crate::git::{Keep, Oid, TreeChange};
use crate::os::clock::{Moment, Stopwatch};
use crate::os::process::{self, Ended};
use crate::os::{fault, files};
use crate::story::prompt::{Surroundings, of_turn};
use crate::story::{AgentReport, Event, Exit, Hook, HookRecord, KeptFile, Turn};
use crate::verbs::work;
use std::collections::HashSet;
use std::time::Duration;

/// How much of the instructions is put in front of a prompt, in bytes.
const INSTRUCTIONS: u64 = 1 << 20;

impl Performer<'_> {
    pub(super) fn start_agent(&mut self, turn: Turn) -> Result<()> {
        self.backlog.refresh()?;
        let (provider, instructions) = cast(&self.request.root, &self.request.config, turn.task.role())
            .ok_or_else(|| Code::Rapid1701.because("nobody knows the provider of the role"))?;
        let model = self.request.config.agents.model(turn.task.role()).map(str::to_owned);
        let standing = self.keeper.take(self.repository, &self.config, &self.story_paths())?;
        let mark = mark(&turn, standing.tree);
        let mut current = Current {
            mark,
            standing,
            provider: provider.name.clone(),
            model: model.clone(),
            exit: String::new(),
            duration_ms: 0,
            after: None,
            hooks: Vec::new(),
            artifacts: Vec::new(),
            files: Vec::new(),
            notes: Vec::new(),
            touched: Default::default(),
            restored: false,
            is_over: false,
            turn,
        };
        self.note_flight(&current)?;
        fault::point("story-turn-noted");
        let there = self.request.root.join(&instructions).is_file().then_some(instructions.as_str());
        let prompt = self.prompt(&current.turn, there.filter(|path| provider.instructions_in_prompt(path)))?;
        let limit = Duration::from_secs(current.turn.timeout_seconds.max(1));
        let rested = self.wait(Duration::from_secs(current.turn.wait_seconds));
        let answer = match rested {
            false => None,
            true => {
                let prompt_file = super::lock::directory(self.repository).join("prompt.md");
                let environment = self.repository.environment().clone().in_directory(&self.request.root);
                let ask = agent::turn::Ask {
                    provider: &provider,
                    model: model.as_deref(),
                    instructions: there,
                    prompt: &prompt,
                    prompt_file: &prompt_file,
                    environment: &environment,
                    deadline: self.wall_left().map_or(limit, |left| limit.min(left)),
                    redactor: &self.redactor,
                    mark: &current.mark,
                };
                Some(agent::turn::ask(&ask, &mut |_| {})?)
            }
        };
        fault::point("story-agent-gone");
        let number = current.turn.number;
        let mut exit = Exit::Ended;
        let mut output = String::new();
        if let Some(answer) = answer {
            (exit, output) = (answer.exit, answer.output);
            current.duration_ms = answer.duration_ms;
            if answer.left_behind > 0 {
                current.notes.push(format!("ended {} processes that the agent had left behind", answer.left_behind));
            }
            let sizes = (answer.printed, answer.redactions);
            keep(&mut current, "transcript".to_owned(), answer.transcript, sizes);
        }
        exit = self.or_our_end(exit);
        current.exit = shown(&exit);
        let after = work::snapshot(self.repository, &self.config, Keep::Objects)?.tree;
        current.after = Some(after);
        let report = self.seen(&mut current, after, exit, output)?;
        self.current = Some(current);
        fault::point("story-turn-seen");
        self.waiting.push_back(Event::AgentFinished { turn: number, report });
        Ok(())
    }

    pub(super) fn run_hook(&mut self, hook: Hook) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        let command = self.request.config.hooks.get(&hook).cloned().unwrap_or_default();
        self.log.line(&format!("{}: {}", hook.as_str(), self.redactor.text(&command)));
        let environment = self.repository.environment().clone().in_directory(&self.request.root);
        let environment = environment.with(agent::turn::MARK, &current.mark);
        let limit = Duration::from_secs(self.request.config.hook_timeout_seconds.max(1));
        let running = check::Running {
            command: &["sh".to_owned(), "-c".to_owned(), command.clone()],
            environment: &environment,
            timeout: Some(self.wall_left().map_or(limit, |left| limit.min(left))),
            config: &self.config,
            junit: None,
        };
        let watch = Stopwatch::start();
        let ran = check::run(&running, &mut |_| {});
        agent::turn::end(&current.mark);
        let (exit, output) = match ran {
            Ok(ran) => {
                let exit = match ran.ended {
                    Ended::Interrupted(_) => Exit::Ended,
                    Ended::TimedOut => Exit::TimedOut,
                    ended => Exit::Code(ended.exit_code()),
                };
                let counts = &ran.summary.counts;
                current.hooks.push(HookRecord {
                    hook: hook.as_str().to_owned(),
                    command: self.redactor.text(&command),
                    exit_code: i64::from(ran.ended.exit_code()),
                    duration_ms: watch.elapsed_ms(),
                    counts: ran.summary.counted.then_some((counts.passed, counts.failed, counts.skipped)),
                });
                let output = String::from_utf8_lossy(&ran.log).into_owned();
                keep(&mut current, format!("hook-{}", hook.as_str()), ran.log, (ran.printed, ran.redactions));
                (exit, output)
            }
            Err(error) if error.code == Code::Rapid004 => (Exit::Ended, String::new()),
            Err(error) if error.code == Code::Rapid1307 => (Exit::NotStarted(error.message), String::new()),
            Err(error) => return Err(error),
        };
        fault::point("story-hook-over");
        let exit = self.or_our_end(exit);
        let turn = current.turn.number;
        self.current = Some(current);
        self.waiting.push_back(Event::HookFinished { turn, exit, output });
        Ok(())
    }

    /// Puts back exactly what the turn changed.
    pub(super) fn restore(&mut self) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        self.note_touched(&mut current)?;
        if self.request.config.git_enabled {
            let now = work::snapshot(self.repository, &self.config, Keep::Objects)?.tree;
            let changes = self.changes(&current, now)?;
            fault::point("story-restore");
            let left = self.keeper.put_back(self.repository, &current.standing, &changes, true)?;
            current.notes.extend(left.into_iter().map(|path| format!("left as it is: {path}")));
            self.backlog.refresh()?;
        }
        for (story, before) in &current.touched {
            let now = self.backlog.page(story).map(|page| &page.bytes);
            if now != before.as_ref().map(|page| &page.bytes) {
                self.backlog.put_back(story, before.as_ref())?;
            }
        }
        current.restored = true;
        self.current = Some(current);
        Ok(())
    }

    fn prompt(&self, turn: &Turn, instructions: Option<&str>) -> Result<String> {
        let config = &self.request.config;
        let hook = match turn.task.role() {
            crate::story::Role::QaEngineer => Some(Hook::PostQa),
            crate::story::Role::Developer => Some(Hook::PostDev),
            crate::story::Role::Reviewer => Some(Hook::PostReviewer),
            crate::story::Role::ProductOwner => None,
        };
        let surroundings = Surroundings {
            date: &Moment::now().date,
            decisions_dir: &config.directories.decisions,
            hook: hook.and_then(|hook| config.hooks.get(&hook)).map(String::as_str),
            commands: &config.commands,
        };
        let prompt = of_turn(turn, &surroundings, config.language);
        match instructions {
            None => Ok(prompt),
            Some(path) => {
                let text = files::read_text(&self.request.root.join(path), INSTRUCTIONS)?;
                Ok(format!("{}\n\n---\n\n{prompt}", text.trim()))
            }
        }
    }

    /// What is seen after the agent.
    fn seen(&mut self, current: &mut Current, after: Oid, exit: Exit, output: String) -> Result<AgentReport> {
        let mine = self.backlog.page(&current.turn.story).cloned();
        let twice = self.note_touched(current)?;
        let story = &current.turn.story;
        let mut others: Vec<_> = current.touched.keys().filter(|id| *id != story).cloned().collect();
        others.extend(twice);
        let note = match (mine, self.backlog.page(story)) {
            (Some(before), Some(now))
                if crate::story::file::log_differs((&before.read, &before.bytes), (&now.read, &now.bytes)) =>
            {
                added(log_of(&before), log_of(now)).map(|note| self.redactor.text(&note))
            }
            _ => None,
        };
        let stories = format!("{}/", self.ground.backlog);
        let decisions = format!("{}{}/", self.ground.prefix, self.request.config.directories.decisions);
        let changed = self.changes(current, after)?.into_iter().map(|change| change.path);
        let files = changed.filter(|path| !path.starts_with(&stories) && !path.starts_with(&decisions)).collect();
        Ok(AgentReport { exit, output, story: self.backlog.after(story), others, files, note })
    }

    /// Reads the stories again and remembers what those were that changed; gives those that have two files now.
    fn note_touched(&mut self, current: &mut Current) -> Result<Vec<crate::story::StoryId>> {
        let changed = self.backlog.refresh()?;
        for (story, before) in changed.stories {
            current.touched.entry(story).or_insert(before);
        }
        Ok(changed.twice)
    }

    fn changes(&self, current: &Current, now: Oid) -> Result<Vec<TreeChange>> {
        self.keeper.changes(self.repository, &current.standing, now, &|path| self.is_ours(path))
    }

    /// Waits before a program that failed is started again; whether it was for all of the time.
    fn wait(&mut self, time: Duration) -> bool {
        if time.is_zero() {
            return true;
        }
        let left = self.wall_left();
        self.log.line(&format!("waits {} seconds", time.as_secs()));
        process::pause(left.map_or(time, |left| time.min(left))) && left.is_none_or(|left| left > time)
    }

    fn wall_left(&self) -> Option<Duration> {
        let limit = self.machine.settings().max_wall_time_seconds;
        (limit > 0).then(|| Duration::from_secs(limit).saturating_sub(self.watch.elapsed()))
    }

    /// A program that was ended because the run's own time is over, or because somebody asked, was ended by us.
    fn or_our_end(&mut self, exit: Exit) -> Exit {
        let elapsed = self.watch.elapsed().as_secs();
        let over = self.wall_left().is_some_and(|left| left.is_zero());
        match exit {
            Exit::TimedOut | Exit::Ended if over => {
                self.waiting.push_back(Event::Tick { elapsed });
                Exit::Ended
            }
            exit => {
                self.waiting.push_back(Event::Tick { elapsed });
                exit
            }
        }
    }
}

/// A name that no other turn has, in this repository or another.
fn mark(turn: &Turn, tree: Oid) -> String {
    let pid = std::process::id();
    let birth = process::born(pid).unwrap_or_default();
    format!("{}-{}-{pid}-{birth}-{}", turn.story, turn.number, tree.short())
}

fn keep(current: &mut Current, name: String, bytes: Vec<u8>, (printed, redactions): (u64, u64)) {
    current.artifacts.push(KeptFile {
        name: name.clone(),
        sha256: Digest::of(&bytes),
        size_bytes: bytes.len() as u64,
        printed,
        redactions,
    });
    current.files.push((name, bytes));
}

fn shown(exit: &Exit) -> String {
    match exit {
        Exit::Code(code) => format!("status {code}"),
        Exit::TimedOut => "ended by the time limit".to_owned(),
        Exit::NotStarted(why) => format!("not started: {why}"),
        Exit::Ended => "ended by the orchestrator".to_owned(),
    }
}

fn log_of(page: &super::backlog::Page) -> String {
    let range = page.read.log.as_ref().map(|log| log.range.clone()).unwrap_or_default();
    String::from_utf8_lossy(page.bytes.get(range).unwrap_or_default()).into_owned()
}

/// The lines of a log that were not there before, wherever they were put.
fn added(before: String, now: String) -> Option<String> {
    let known: HashSet<&str> = before.lines().map(str::trim_end).collect();
    let new: Vec<&str> =
        now.lines().map(str::trim_end).filter(|line| !line.is_empty() && !known.contains(line)).collect();
    (!new.is_empty()).then(|| new.join("\n"))
}
