use std::collections::VecDeque;

use super::{CommandOutcome, Shell};
use crate::Result;

#[derive(Clone, Debug, Default)]
enum Expected {
    #[default]
    Anything,
    Exactly(String),
    Containing(String),
}

/// A scripted shell's reply to one command.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    expected: Expected,
    output: String,
    exit_code: i64,
    cwd: Option<String>,
}

impl Reply {
    /// To any command.
    pub fn any() -> Self {
        Self::default()
    }

    /// To exactly this command.
    pub fn to(command: impl Into<String>) -> Self {
        Self {
            expected: Expected::Exactly(command.into()),
            ..Self::default()
        }
    }

    /// To a command that contains this text.
    pub fn to_any_with(text: impl Into<String>) -> Self {
        Self {
            expected: Expected::Containing(text.into()),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn output(mut self, output: impl Into<String>) -> Self {
        self.output = output.into();
        self
    }

    #[must_use]
    pub fn exit_code(mut self, exit_code: i64) -> Self {
        self.exit_code = exit_code;
        self
    }

    /// The working directory after this command.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<String>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }
}

/// A shell that returns the given replies in order. An unexpected command is an error.
pub struct Scripted {
    replies: VecDeque<Reply>,
    cwd: String,
}

pub fn scripted(replies: impl IntoIterator<Item = Reply>) -> Scripted {
    Scripted {
        replies: replies.into_iter().collect(),
        cwd: "/app".into(),
    }
}

impl Shell for Scripted {
    fn cwd(&self) -> &str {
        &self.cwd
    }

    fn run(&mut self, command: &str) -> Result<CommandOutcome> {
        let reply = self
            .replies
            .pop_front()
            .ok_or_else(|| format!("no reply left for the command {command}"))?;
        match reply.expected {
            Expected::Exactly(expected) if expected != command => {
                return Err(format!("the command should be {expected}, but was {command}").into());
            }
            Expected::Containing(text) if !command.contains(&text) => {
                return Err(format!("the command should contain {text}, but was {command}").into());
            }
            _ => {}
        }
        if let Some(cwd) = reply.cwd {
            self.cwd = cwd;
        }
        Ok(CommandOutcome {
            output: reply.output,
            exit_code: reply.exit_code,
        })
    }
}
