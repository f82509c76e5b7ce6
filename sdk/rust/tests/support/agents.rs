//! Agents that the tests start as processes: `test-agents NAME [ARGUMENT]`.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use term_sdk::{limits, run, run_script, Agent, Request, Response, Result};

#[path = "build.rs"]
mod build;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let argument = arguments.get(2).map(String::as_str).unwrap_or_default();
    match arguments.get(1).map(String::as_str) {
        Some("hello") => run(Hello),
        Some("vector") => run(Vector::new(argument)),
        Some("noisy") => run(noisy),
        Some("failing") => run(failing),
        Some("slow") => run(slow),
        Some("broken-setup") => run(BrokenSetup {
            panics: argument == "panic",
        }),
        Some("broken-cleanup") => run(BrokenCleanup),
        Some("echo") => run(|request: &Request| {
            Ok(Response::done().with_text(request.output.clone().unwrap_or_default()))
        }),
        Some("limits") => run(|_: &Request| {
            let left = limits().time_left().map(|left| left.as_secs_f64() <= 60.0);
            Ok(Response::done().with_text(format!("{:?} {left:?}", limits().task)))
        }),
        Some("script") => run_script(|terminal, task| {
            terminal.run("cd /tmp")?;
            let make = terminal.send(Response::cmd("make").with_text("Building"))?;
            let (command, code, cwd) = (&make.command, make.exit_code, terminal.cwd());
            Ok(format!(
                "{} {command} {code} {cwd} {}",
                task.instruction, make.output
            ))
        }),
        Some("last-command") => run_script(|_, _| Ok(Response::cmd("make"))),
        Some("failing-script") => run_script(|_, _| Err::<(), _>("no compiler".into())),
        Some("panicking-script") => run_script(|_, _| -> Result<()> { panic!("no compiler") }),
        Some("patient-script") => run_script(|terminal, _| {
            let _guard = SayOnDrop("finally");
            match terminal.run("ls") {
                Err(error) if error.to_string().contains("rejected") => Ok(error.to_string()),
                outcome => outcome.map(|result| result.output),
            }
        }),
        other => panic!("there is no agent {other:?}"),
    }
    eprintln!("after run");
}

struct Hello;

impl Agent for Hello {
    fn setup(&mut self) -> Result<()> {
        eprintln!("setup");
        Ok(())
    }

    fn solve(&mut self, request: &Request) -> Result<Response> {
        Ok(match request.first() {
            true => Response::cmd("ls"),
            false => Response::done().with_text("ok"),
        })
    }

    fn cleanup(&mut self) -> Result<()> {
        eprintln!("cleanup");
        Ok(())
    }
}

/// Answers as given by a vector of `sessions.jsonl`.
struct Vector {
    answers: std::vec::IntoIter<Value>,
}

impl Vector {
    fn new(answers: &str) -> Self {
        let answers: Vec<Value> = serde_json::from_str(answers).unwrap();
        Self {
            answers: answers.into_iter(),
        }
    }
}

impl Agent for Vector {
    fn solve(&mut self, _: &Request) -> Result<Response> {
        let answer = self.answers.next().expect("an answer for each request");
        match answer["throw"].as_str() {
            Some(message) => Err(message.into()),
            None => Ok(build::build(&answer)),
        }
    }

    fn cleanup(&mut self) -> Result<()> {
        eprintln!("answers left: {}", self.answers.len());
        Ok(())
    }
}

fn noisy(_: &Request) -> Result<Response> {
    println!("print");
    Command::new("echo").arg("child").status()?;
    Ok(Response::done())
}

fn failing(request: &Request) -> Result<Response> {
    match request.step {
        1 => Err("boom".into()),
        2 => panic!("bang {}", request.step),
        3 => Ok(Response::cmd("ls").with_data("not an object")),
        _ => Ok(Response::done()),
    }
}

fn slow(_: &Request) -> Result<Response> {
    eprintln!("solving");
    sleep(Duration::from_secs(600));
    Ok(Response::done())
}

struct BrokenSetup {
    panics: bool,
}

impl Agent for BrokenSetup {
    fn setup(&mut self) -> Result<()> {
        assert!(!self.panics, "no key");
        Err("no key".into())
    }

    fn solve(&mut self, _: &Request) -> Result<Response> {
        Ok(Response::done())
    }

    fn cleanup(&mut self) -> Result<()> {
        eprintln!("cleanup");
        Ok(())
    }
}

struct BrokenCleanup;

impl Agent for BrokenCleanup {
    fn solve(&mut self, _: &Request) -> Result<Response> {
        Ok(Response::cmd("ls").complete())
    }

    fn cleanup(&mut self) -> Result<()> {
        Err("stuck".into())
    }
}

struct SayOnDrop(&'static str);

impl Drop for SayOnDrop {
    fn drop(&mut self) {
        eprintln!("{}", self.0);
    }
}
