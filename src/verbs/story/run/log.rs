//! What is told of a run while it goes on: a line each, to whoever listens and into the log file. No colours.

use crate::diagnostics::{Code, Result};
use crate::os::clock::Moment;
use crate::os::files;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// The voice of a run.
pub struct Log<'a> {
    file: Option<File>,
    live: &'a mut dyn FnMut(&str),
}

impl<'a> Log<'a> {
    /// Tells `live`, and the file if there is one, which goes on where it ended.
    pub fn open(path: Option<&Path>, live: &'a mut dyn FnMut(&str)) -> Result<Log<'a>> {
        let open = |path: &Path| -> Result<File> {
            if let Some(parent) = path.parent() {
                files::create_dir_all(parent)?;
            }
            let opened = File::options().create(true).append(true).open(path);
            opened.map_err(|error| Code::Rapid002.because(format!("cannot write '{}': {error}", path.display())))
        };
        Ok(Log { file: path.map(open).transpose()?, live })
    }

    /// Says a line.
    pub fn line(&mut self, text: &str) {
        let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        (self.live)(&plain);
        if let Some(file) = &mut self.file {
            let now = Moment::now();
            // A log that cannot be written any more ends no run.
            let _ = writeln!(file, "{} {} {plain}", now.date, now.time);
        }
    }
}
