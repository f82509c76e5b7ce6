use std::fs::File;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::thread;

use crate::limits::elapsed;
use crate::session::{log, Channel};

pub enum Event {
    Line(String),
    End,
    /// The number of a signal that arrived.
    #[cfg_attr(not(all(unix, feature = "process")), allow(dead_code))]
    Signal(i32),
}

/// Reserves stdin and stdout for the protocol. Lines and signals arrive in one queue.
pub struct StdioChannel {
    events: Receiver<Event>,
    output: Output,
    pub signal: Option<i32>,
}

impl StdioChannel {
    pub fn open() -> Self {
        // Starts the agent's clock.
        elapsed();
        let (sender, events) = channel();
        watch_signals(sender.clone());
        thread::spawn(move || read_lines(&sender));
        Self {
            events,
            output: Output::take(),
            signal: None,
        }
    }
}

impl Channel for StdioChannel {
    fn receive(&mut self) -> Option<String> {
        if self.signal.is_some() {
            return None;
        }
        match self.events.recv() {
            Ok(Event::Line(line)) => Some(line),
            Ok(Event::Signal(number)) => {
                self.signal = Some(number);
                None
            }
            Ok(Event::End) | Err(_) => None,
        }
    }

    fn send(&mut self, line: &str) -> bool {
        let bytes = format!("{line}\n").into_bytes();
        self.signal.is_none() && self.output.write(&bytes).is_ok()
    }
}

fn read_lines(sender: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let event = match input.read_until(b'\n', &mut line) {
            Ok(0) => Event::End,
            Ok(_) => Event::Line(String::from_utf8_lossy(&line).into_owned()),
            Err(error) => {
                log(&format!("can't read stdin: {error}"));
                Event::End
            }
        };
        let over = matches!(event, Event::End);
        if sender.send(event).is_err() || over {
            return;
        }
    }
}

/// The wire to the runner: stdout itself, or a copy of it while stdout is redirected to stderr.
struct Output {
    wire: Option<File>,
}

impl Output {
    fn take() -> Self {
        Self {
            wire: divert_stdout(),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.wire {
            Some(file) => file.write_all(bytes),
            None => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
        }
    }
}

#[cfg(all(unix, feature = "process"))]
use crate::host::{divert_stdout, watch_signals};

#[cfg(not(all(unix, feature = "process")))]
fn divert_stdout() -> Option<File> {
    None
}

#[cfg(not(all(unix, feature = "process")))]
fn watch_signals(_: Sender<Event>) {}
