//! `[limits]`: one key each, all of them whole numbers but one.

use super::{Reader, StoryConfig};
use crate::diagnostics::Result;
use crate::domain::config::Table;

/// Reads the table into the settings.
pub(super) fn read(config: &mut StoryConfig, mut limits: Table, reader: &mut Reader) -> Result<()> {
    let settings = &mut config.settings;
    for (key, limit) in [
        ("max_iterations", &mut settings.max_iterations),
        ("max_retries_per_step", &mut settings.max_retries_per_step),
        ("max_reject_cycles", &mut settings.max_reject_cycles),
        ("max_cycle_breaks", &mut settings.max_cycle_breaks),
        ("groom_max_iterations", &mut config.groom_max_iterations),
    ] {
        if let Some(number) = limits.count(key)? {
            *limit = u32::try_from(number).map_err(|_| limits.wrong(key, "a number below 4294967296"))?;
        }
    }
    // What later versions call it.
    if let Some(number) = limits.count("plan_max_iterations")? {
        config.groom_max_iterations = u32::try_from(number).unwrap_or(u32::MAX);
    }
    for (key, limit) in [
        ("max_wall_time_seconds", &mut settings.max_wall_time_seconds),
        ("agent_timeout_seconds", &mut settings.agent_timeout_seconds),
        ("retry_delay_base_seconds", &mut settings.retry_delay_base_seconds),
    ] {
        if let Some(number) = limits.count(key)? {
            *limit = number;
        }
    }
    config.hook_timeout_seconds = limits.count("hook_timeout_seconds")?.unwrap_or(settings.agent_timeout_seconds);
    if let Some(flag) = limits.flag("inject_feedback_on_retry")? {
        settings.inject_feedback_on_retry = flag;
    }
    reader.end(limits)
}
