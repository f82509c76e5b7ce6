//! Write agents for terminal tasks: one JSON line in, one JSON line out.
//!
//! ```no_run
//! use term_sdk::{run, Agent, Request, Response, Result};
//!
//! struct MyAgent;
//!
//! impl Agent for MyAgent {
//!     fn solve(&mut self, request: &Request) -> Result<Response> {
//!         if request.first() {
//!             return Ok(Response::cmd("echo 'Hello, world!' > hello.txt"));
//!         }
//!         Ok(Response::done())
//!     }
//! }
//!
//! run(MyAgent);
//! ```

mod agent;
mod canonical;
mod host;
mod limits;
mod model_reply;
mod request;
mod response;
mod run;
mod script;
mod serve;
mod session;
mod stdio;
mod surrogates;
pub mod testing;

pub use agent::{Agent, Error, Result};
pub use limits::{limits, Limits};
#[cfg(feature = "regex")]
pub use regex::{Captures, Regex};
pub use request::Request;
pub use response::{Response, Usage};
pub use run::run;
pub use script::{run_script, CommandResult, Completion, Terminal};
pub use serde_json::{json, Map, Value};
pub use session::SessionClosed;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Older name of [`Request`].
pub type AgentRequest = Request;
/// Older name of [`Response`].
pub type AgentResponse = Response;
