//! __NAME__: an agent for terminal tasks. The SDK reads, parses, answers and flushes.

use term_sdk::{run, Agent, Request, Response, Result};

const WRITE: &str = "echo 'Hello, world!' > hello.txt";
const CHECK: &str = "cat hello.txt";
const MAX_STEPS: u64 = 10;

/// The process lives from the first step to the last: fields are the agent's memory.
struct Solver;

impl Agent for Solver {
    /// Decides what to do next. This is the part to improve: ask a model here.
    fn solve(&mut self, request: &Request) -> Result<Response> {
        if request.first() {
            return Ok(Response::cmd(WRITE).with_text("Write the file"));
        }
        if request.ok() && request.has("Hello, world!") {
            return Ok(Response::done().with_text("hello.txt is right"));
        }
        if request.step >= MAX_STEPS {
            return Ok(Response::done().with_text("Giving up"));
        }
        if request.ok() && request.last_command.as_deref() != Some(CHECK) {
            return Ok(Response::cmd(CHECK).with_text("Is it there?"));
        }
        Ok(Response::cmd(format!("rm -rf hello.txt; {WRITE}")).with_text("Once more"))
    }
}

fn main() {
    run(Solver);
}

/// `cargo test` acts as the runner: no task, no sandbox, real commands in a fresh folder.
#[cfg(test)]
mod tests {
    use super::Solver;
    use term_sdk::testing::{drive, LocalShell, Shell};

    #[test]
    fn writes_the_file_even_if_a_folder_has_its_name() {
        let mut shell = LocalShell::new().unwrap();
        shell.run("mkdir hello.txt").unwrap();
        let trial = drive(&mut Solver, &mut shell, "Say hello").unwrap();
        assert!(trial.completed());
        assert_eq!(shell.run("cat hello.txt").unwrap().output, "Hello, world!");
    }
}
