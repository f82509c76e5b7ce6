//! What depends on the operating system: redirecting prints away from the wire, and signals.
#![cfg(all(unix, feature = "process"))]

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::process;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::session::log;
use crate::stdio::Event;

/// Less than the runner's 5 s between SIGTERM and SIGKILL.
const STOP_WITHIN: Duration = Duration::from_secs(4);

/// Redirects prints to stderr, also of child processes; the result is the wire to the runner.
pub fn divert_stdout() -> Option<File> {
    io::stdout().flush().ok()?;
    let wire = io::stdout().as_fd().try_clone_to_owned().ok()?;
    // SAFETY: dup2 only copies a descriptor, and both are open for the life of the process.
    let diverted = unsafe { libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) };
    (diverted >= 0).then(|| wire.into())
}

/// The agent sees a signal when it asks for the next request. If it takes too long to
/// ask, or a second signal arrives, the process exits without cleanup.
pub fn watch_signals(events: Sender<Event>) {
    let mut signals = match Signals::new([SIGHUP, SIGINT, SIGTERM]) {
        Ok(signals) => signals,
        Err(error) => return log(&format!("can't watch signals: {error}")),
    };
    thread::spawn(move || {
        let mut coming = signals.forever();
        let Some(first) = coming.next() else { return };
        // An error means that the agent has finished and is about to exit.
        let _ = events.send(Event::Signal(first));
        thread::spawn(move || {
            thread::sleep(STOP_WITHIN);
            process::exit(128 + first);
        });
        if let Some(second) = coming.next() {
            process::exit(128 + second);
        }
    });
}
