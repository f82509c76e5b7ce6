use super::runner_side::RunnerSide;
use super::{End, Shell, Step};
use crate::script::{serve_script, Completion, Terminal};
use crate::serve::serve;
use crate::{Agent, Error, Request, Result};

/// An instruction on its own converts into options.
#[derive(Clone, Debug)]
pub struct Options {
    pub instruction: String,
    pub max_steps: usize,
}

impl From<&str> for Options {
    fn from(instruction: &str) -> Self {
        Self {
            instruction: instruction.into(),
            max_steps: 100,
        }
    }
}

#[derive(Debug)]
pub struct Trial {
    pub end: End,
    pub steps: Vec<Step>,
    /// How `solve` failed. A real run logs it and responds with an idle step.
    pub errors: Vec<Error>,
}

impl Trial {
    pub fn completed(&self) -> bool {
        self.end == End::Complete
    }

    pub fn commands(&self) -> Vec<&str> {
        let asked = self.steps.iter().map(|step| &step.response.command);
        asked.filter_map(Option::as_deref).collect()
    }
}

/// Acts as the runner for an agent, in this process, with the same lines as a real run.
/// An error means that setup, cleanup or the shell failed.
pub fn drive<A: Agent>(
    agent: &mut A,
    shell: &mut dyn Shell,
    options: impl Into<Options>,
) -> Result<Trial> {
    drive_with(shell, options.into(), |runner, errors| {
        let ready = agent.setup();
        if ready.is_ok() {
            serve(agent, runner, |error| errors.push(error));
        }
        agent.cleanup().and(ready)
    })
}

pub fn drive_script<F, C>(
    script: F,
    shell: &mut dyn Shell,
    options: impl Into<Options>,
) -> Result<Trial>
where
    F: FnOnce(&mut Terminal<'_>, &Request) -> Result<C>,
    C: Completion,
{
    drive_with(shell, options.into(), |runner, errors| {
        errors.extend(serve_script(script, runner).err());
        Ok(())
    })
}

fn drive_with(
    shell: &mut dyn Shell,
    options: Options,
    work: impl FnOnce(&mut RunnerSide<'_>, &mut Vec<Error>) -> Result<()>,
) -> Result<Trial> {
    let mut errors = Vec::new();
    let mut runner = RunnerSide::new(shell, options.instruction, options.max_steps);
    work(&mut runner, &mut errors)?;
    match runner.failure {
        Some(failure) => Err(failure),
        None => Ok(Trial {
            end: runner.end.unwrap_or(End::Stopped),
            steps: runner.steps,
            errors,
        }),
    }
}
