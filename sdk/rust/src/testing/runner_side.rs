use serde_json::json;

use super::{CommandOutcome, Shell};
use crate::session::Channel;
use crate::{Error, Request, Response};

const MAX_IDLE: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Complete,
    Idle,
    MaxSteps,
    /// The agent exited without completing the task.
    Stopped,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub request: Request,
    pub response: Response,
}

/// The runner's side of the protocol, as far as unit tests need it.
pub struct RunnerSide<'a> {
    pub steps: Vec<Step>,
    pub end: Option<End>,
    pub failure: Option<Error>,
    shell: &'a mut dyn Shell,
    instruction: String,
    max_steps: usize,
    idle_in_a_row: usize,
    next: String,
}

impl<'a> RunnerSide<'a> {
    pub fn new(shell: &'a mut dyn Shell, instruction: String, max_steps: usize) -> Self {
        let mut runner = Self {
            steps: Vec::new(),
            end: None,
            failure: None,
            shell,
            instruction,
            max_steps,
            idle_in_a_row: 0,
            next: String::new(),
        };
        runner.next = runner.request(None, None);
        runner
    }

    fn over(&self) -> bool {
        self.end.is_some() || self.failure.is_some()
    }

    fn request(&self, command: Option<&str>, outcome: Option<&CommandOutcome>) -> String {
        json!({
            "instruction": self.instruction,
            "step": self.steps.len() + 1,
            "last_command": command,
            "output": outcome.map(|outcome| &outcome.output),
            "exit_code": outcome.map(|outcome| outcome.exit_code),
            "cwd": self.shell.cwd(),
        })
        .to_string()
    }

    fn step(&mut self, line: &str) -> Result<(), Error> {
        let response: Response = serde_json::from_str(line)?;
        let request = Request::parse(&self.next)?;
        let command = response.command.as_deref();
        let outcome = command.map(|command| self.shell.run(command)).transpose()?;
        let (idle, complete) = (response.idle(), response.task_complete);
        let last_command = response.command.clone();
        self.steps.push(Step { request, response });
        self.idle_in_a_row = if idle { self.idle_in_a_row + 1 } else { 0 };
        if complete {
            self.end = Some(End::Complete);
        } else if self.idle_in_a_row == MAX_IDLE {
            self.end = Some(End::Idle);
        } else if self.steps.len() >= self.max_steps {
            self.end = Some(End::MaxSteps);
        }
        self.next = self.request(last_command.as_deref(), outcome.as_ref());
        Ok(())
    }
}

impl Channel for RunnerSide<'_> {
    fn receive(&mut self) -> Option<String> {
        (!self.over()).then(|| self.next.clone())
    }

    fn send(&mut self, line: &str) -> bool {
        if self.over() {
            return false;
        }
        self.failure = self.step(line).err();
        true
    }
}
