use std::fmt;

use crate::{Request, Response};

/// Lines to and from a runner: stdin and stdout, or a test that acts as the runner.
pub trait Channel {
    /// The next line, or none if the runner has closed its side.
    fn receive(&mut self) -> Option<String>;
    /// False if the reader is gone.
    fn send(&mut self, line: &str) -> bool;
}

/// The runner has ended the trial; no more commands can run.
#[derive(Debug)]
pub struct SessionClosed;

impl fmt::Display for SessionClosed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the runner has closed the session")
    }
}

impl std::error::Error for SessionClosed {}

/// The next request, or none if there are no more.
pub fn next_request(channel: &mut dyn Channel) -> Option<Request> {
    loop {
        let line = channel.receive()?;
        if line.trim().is_empty() {
            continue;
        }
        match Request::parse(&line) {
            Ok(request) => return Some(request),
            Err(error) => {
                // The runner expects one response per line, even for a line we can't parse.
                log(&format!("can't parse the request: {error}"));
                channel.send(&Response::say("The request could not be read.").to_line());
            }
        }
    }
}

/// stdout belongs to the protocol, so everything else goes to stderr.
pub fn log(message: &str) {
    eprintln!("[term-sdk] {message}");
}
