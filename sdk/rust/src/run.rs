use std::process;

use crate::serve::{guard, serve};
use crate::session::log;
use crate::stdio::StdioChannel;
use crate::Agent;

/// Runs an agent over stdin and stdout. Returns once it has finished and cleaned up; exits the
/// process if setup failed (exit code 1) or a signal arrived (128 + its number).
pub fn run<A: Agent>(mut agent: A) {
    let mut channel = StdioChannel::open();
    let ready = guard(|| agent.setup());
    match &ready {
        Ok(()) => serve(&mut agent, &mut channel, drop),
        // The agent can't answer without setup. The runner sees the exit code and this line.
        Err(error) => log(&format!("setup failed: {error}")),
    }
    if let Err(error) = guard(|| agent.cleanup()) {
        log(&format!("cleanup failed: {error}"));
    }
    drop(agent);
    exit_on_failure(&channel, ready.is_ok());
}

pub fn exit_on_failure(channel: &StdioChannel, ok: bool) {
    if let Some(signal) = channel.signal {
        process::exit(128 + signal);
    }
    if !ok {
        process::exit(1);
    }
}
