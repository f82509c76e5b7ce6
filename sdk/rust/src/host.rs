//! What needs the operating system: prints kept away from the wire, and signals.
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

/// Less than the 5 s a runner leaves between SIGTERM and SIGKILL.
const STOP_WITHIN: Duration = Duration::from_secs(4);

/// Sends prints to stderr, those of child processes too; the result leads to the runner.
pub fn divert_stdout() -> Option<File> {
    io::stdout().flush().ok()?;
    let wire = io::stdout().as_fd().try_clone_to_owned().ok()?;
    // SAFETY: dup2 only copies a descriptor, and both are open for the life of the process.
    let diverted = unsafe { libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) };
    (diverted >= 0).then(|| wire.into())
}

/// The agent learns of a signal when it asks for the next request. One that takes too long to
/// ask, or gets a second signal, is ended without its cleanup.
pub fn watch_signals(events: Sender<Event>) {
    let mut signals = match Signals::new([SIGHUP, SIGINT, SIGTERM]) {
        Ok(signals) => signals,
        Err(error) => return log(&format!("signals can't be watched: {error}")),
    };
    thread::spawn(move || {
        let mut coming = signals.forever();
        let Some(first) = coming.next() else { return };
        // An error means that the agent is over already, and about to end by itself.
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
