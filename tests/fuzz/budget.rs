//! How long a target is fuzzed: a fixed number of inputs, or as many as fit into the seconds that were asked for.

use std::time::{Duration, Instant};

/// Counts a target's inputs and says when it is enough.
pub struct Budget {
    name: String,
    inputs: u64,
    most: u64,
    began: Instant,
    until: Option<Duration>,
}

/// The seconds that each target is given, when somebody asked for more than the replay.
pub fn seconds() -> Option<u64> {
    std::env::var("RAPID_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok())
}

impl Budget {
    /// For one of `targets` that share the seconds; `most` inputs when no seconds are given.
    pub fn of(name: &str, targets: usize, most: u64) -> Budget {
        let share = |seconds: u64| Duration::from_secs(seconds).div_f64(targets as f64);
        Budget { name: name.to_owned(), inputs: 0, most, began: Instant::now(), until: seconds().map(share) }
    }

    /// Whether there is another input; counts it.
    pub fn another(&mut self) -> bool {
        let more = match self.until {
            Some(until) => self.began.elapsed() < until,
            None => self.inputs < self.most,
        };
        self.inputs += u64::from(more);
        more
    }

    /// Where the numbers of a target start: the replay is the same each time, a longer run is not.
    pub fn seed(&self) -> u64 {
        let name = self
            .name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        if self.until.is_some() { name ^ u64::try_from(now.as_nanos() & u128::from(u64::MAX)).unwrap() } else { name }
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        if self.until.is_some() {
            eprintln!("fuzzed {}: {} inputs in {:.1} s", self.name, self.inputs, self.began.elapsed().as_secs_f64());
        }
    }
}
