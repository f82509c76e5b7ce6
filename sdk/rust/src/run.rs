use std::process;

use crate::serve::{guard, serve};
use crate::session::log;
use crate::stdio::StdioChannel;
use crate::Agent;

/// Runs an agent over stdin and stdout. Returns when it is over and cleaned up; ends the process
/// when the setup failed (exit code 1) or a signal came (128 + its number).
pub fn run<A: Agent>(mut agent: A) {
    let mut channel = StdioChannel::open();
    let ready = guard(|| agent.setup());
    match &ready {
        Ok(()) => serve(&mut agent, &mut channel, drop),
        // Without its setup an agent can't answer; the runner sees the exit code and this line.
        Err(error) => log(&format!("setup failed: {error}")),
    }
    if let Err(error) = guard(|| agent.cleanup()) {
        log(&format!("cleanup failed: {error}"));
    }
    drop(agent);
    exit_unless_well(&channel, ready.is_ok());
}

pub fn exit_unless_well(channel: &StdioChannel, well: bool) {
    if let Some(signal) = channel.signal {
        process::exit(128 + signal);
    }
    if !well {
        process::exit(1);
    }
}
