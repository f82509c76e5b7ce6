use crate::{Request, Response};

pub type Error = Box<dyn std::error::Error + Send + Sync>;
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Only `solve` is required. A function or closure from a request to a response is an agent too.
pub trait Agent {
    /// Called once, before the first request is read.
    fn setup(&mut self) -> Result<()> {
        Ok(())
    }

    /// Returns one response per request. State between steps is up to the agent.
    fn solve(&mut self, request: &Request) -> Result<Response>;

    /// Called once: after completion, when the runner closes stdin, or on a signal.
    fn cleanup(&mut self) -> Result<()> {
        Ok(())
    }
}

impl<F> Agent for F
where
    F: FnMut(&Request) -> Result<Response>,
{
    fn solve(&mut self, request: &Request) -> Result<Response> {
        self(request)
    }
}
