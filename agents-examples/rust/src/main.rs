//! An agent on the Rust SDK, which reads, parses, answers and flushes. It solves tasks/hello-world.

use term_sdk::{run, Agent, Request, Response, Result};

const WRITE: &str = "echo 'Hello, world!' > hello.txt";
const CHECK: &str = "cat hello.txt";

/// The process lives from the first step to the last, so these fields are the agent's memory.
#[derive(Default)]
struct Hello {
    tries: u32,
}

impl Agent for Hello {
    // `setup` and `cleanup` can be left out. An error in `solve` (`?` works) is logged, and the
    // agent is asked again; it never counts as completion.
    fn solve(&mut self, request: &Request) -> Result<Response> {
        let checked = request.last_command.as_deref() == Some(CHECK);
        if request.ok() && checked && request.has("Hello, world!") {
            return Ok(Response::done().with_text("hello.txt is right"));
        }
        if request.ok() && !checked {
            return Ok(Response::cmd(CHECK).with_text("Is it there?"));
        }
        if self.tries == 3 {
            return Ok(Response::done().with_text("Giving up: hello.txt can't be written"));
        }
        self.tries += 1;
        Ok(match request.failed() {
            true => Response::cmd(format!("rm -rf hello.txt; {WRITE}"))
                .with_text("That failed; clear the way and try again"),
            false => Response::cmd(WRITE).with_text("Write the file"),
        })
    }
}

fn main() {
    run(Hello::default());
}

/// `cargo test` acts as the runner: no task, no sandbox, real commands in a fresh folder.
#[cfg(test)]
mod tests {
    use super::Hello;
    use term_sdk::testing::{drive, LocalShell, Shell};

    #[test]
    fn writes_the_file_even_if_a_folder_has_its_name() {
        let mut shell = LocalShell::new().unwrap();
        shell.run("mkdir hello.txt").unwrap();
        let trial = drive(&mut Hello::default(), &mut shell, "Say hello").unwrap();
        assert!(trial.completed());
        assert_eq!(shell.run("cat hello.txt").unwrap().output, "Hello, world!");
    }
}
