use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The task's limits. None if the runner set none, or outside a runner.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    pub task: Option<String>,
    pub attempt: Option<u64>,
    pub max_steps: Option<u64>,
    pub agent_timeout_sec: Option<f64>,
    pub step_timeout_sec: Option<f64>,
    pub command_timeout_sec: Option<f64>,
}

impl Limits {
    /// Reads the limits from a source other than the environment.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            task: get("TERM_TASK").filter(|task| !task.is_empty()),
            attempt: get("TERM_ATTEMPT").as_deref().and_then(integer),
            max_steps: get("TERM_MAX_STEPS").as_deref().and_then(integer),
            agent_timeout_sec: get("TERM_AGENT_TIMEOUT_SEC").as_deref().and_then(number),
            step_timeout_sec: get("TERM_STEP_TIMEOUT_SEC").as_deref().and_then(number),
            command_timeout_sec: get("TERM_COMMAND_TIMEOUT_SEC").as_deref().and_then(number),
        }
    }

    /// Time since the agent started, measured from the first call of `run` or this function.
    pub fn elapsed(&self) -> Duration {
        elapsed()
    }

    /// The agent's remaining time; none without a limit.
    pub fn time_left(&self) -> Option<Duration> {
        let total = Duration::try_from_secs_f64(self.agent_timeout_sec?).ok()?;
        Some(total.saturating_sub(elapsed()))
    }
}

pub fn limits() -> Limits {
    Limits::read(|name| std::env::var(name).ok())
}

/// The first call starts the clock.
pub fn elapsed() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Anything but a plain decimal number counts as unset.
fn number(value: &str) -> Option<f64> {
    let (integer, fraction) = value.split_once('.').unwrap_or((value, "0"));
    if !is_digits(integer) || !is_digits(fraction) {
        return None;
    }
    value.parse().ok()
}

fn integer(value: &str) -> Option<u64> {
    if !is_digits(value) {
        return None;
    }
    value.parse().ok()
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
