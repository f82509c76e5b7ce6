//! Acts as the runner for an agent in your own unit tests.
//!
//! ```
//! use term_sdk::testing::{drive, scripted, Reply};
//! use term_sdk::{Request, Response};
//!
//! let mut agent = |request: &Request| {
//!     Ok(if request.first() { Response::cmd("ls") } else { Response::done() })
//! };
//! let mut shell = scripted([Reply::to("ls").output("hello.txt")]);
//! let trial = drive(&mut agent, &mut shell, "Look around").unwrap();
//! assert!(trial.completed());
//! assert_eq!(trial.commands(), ["ls"]);
//! ```

mod drive;
mod local_shell;
mod runner_side;
mod scripted;

pub use drive::{drive, drive_script, Options, Trial};
pub use local_shell::LocalShell;
pub use runner_side::{End, Step};
pub use scripted::{scripted, Reply, Scripted};

use crate::Result;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutcome {
    pub output: String,
    pub exit_code: i64,
}

/// Runs an agent's commands in tests.
pub trait Shell {
    /// The directory the next command runs in.
    fn cwd(&self) -> &str;

    /// An error here is an error in the test and ends the trial.
    fn run(&mut self, command: &str) -> Result<CommandOutcome>;
}
