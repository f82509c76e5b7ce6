//! The `testing` module, and what needs no process.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use term_sdk::testing::{drive, drive_script, scripted, End, LocalShell, Options, Reply, Shell};
use term_sdk::{Agent, AgentRequest, AgentResponse, Limits, Request, Response, Result};

#[derive(Default)]
struct Look {
    calls: Vec<&'static str>,
}

impl Agent for Look {
    fn setup(&mut self) -> Result<()> {
        self.calls.push("setup");
        Ok(())
    }

    fn solve(&mut self, request: &Request) -> Result<Response> {
        if request.first() {
            return Ok(Response::cmd("ls -a"));
        }
        let output = request.output.as_deref().unwrap_or_default();
        Ok(Response::done().with_text(format!("{output} in {}", request.cwd)))
    }

    fn cleanup(&mut self) -> Result<()> {
        self.calls.push("cleanup");
        Ok(())
    }
}

fn list(_: &Request) -> Result<Response> {
    Ok(Response::cmd("ls"))
}

#[test]
fn drives_an_agent_against_scripted_replies() {
    let mut agent = Look::default();
    let mut shell = scripted([Reply::to_any_with("ls").output("a").cwd("/tmp")]);
    let trial = drive(&mut agent, &mut shell, "look").unwrap();
    assert!(trial.completed());
    assert_eq!(trial.commands(), ["ls -a"]);
    assert_eq!(trial.steps[0].request.instruction, "look");
    assert_eq!(trial.steps[1].response.text.as_deref(), Some("a in /tmp"));
    assert_eq!(agent.calls, ["setup", "cleanup"]);
}

#[test]
fn an_unexpected_command_fails_the_test() {
    for (replies, message) in [
        (
            vec![Reply::to("pwd")],
            "the command should be pwd, but was ls",
        ),
        (
            vec![Reply::to_any_with("pwd")],
            "the command should contain pwd, but was ls",
        ),
        (vec![], "no reply left for the command ls"),
    ] {
        let error = drive(&mut list, &mut scripted(replies), "test").unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn ends_as_a_runner_would() {
    let mut say = |_: &Request| Ok(Response::say("hm"));
    let idle = drive(&mut say, &mut scripted([]), "test").unwrap();
    assert_eq!((idle.end, idle.steps.len()), (End::Idle, 3));

    let options = Options {
        max_steps: 2,
        ..Options::from("test")
    };
    let busy = drive(
        &mut list,
        &mut scripted([Reply::any(), Reply::any()]),
        options,
    )
    .unwrap();
    assert_eq!(
        (busy.end, busy.commands()),
        (End::MaxSteps, vec!["ls", "ls"])
    );

    let mut fail = |_: &Request| Err("boom".into());
    let failing = drive(&mut fail, &mut scripted([]), "test").unwrap();
    assert_eq!((failing.end, failing.errors.len()), (End::Idle, 3));
}

#[test]
fn drives_a_script() {
    let mut shell = scripted([Reply::any().output("a").exit_code(3)]);
    let script = drive_script(
        |terminal, _| Ok(terminal.run("ls")?.output),
        &mut shell,
        "test",
    );
    let trial = script.unwrap();
    assert!(trial.completed());
    assert_eq!(trial.steps[1].response.text.as_deref(), Some("a"));
    assert_eq!(trial.steps[1].request.exit_code, Some(3));

    let failed = drive_script(
        |_, _| Err::<(), _>("boom".into()),
        &mut scripted([]),
        "test",
    );
    let failed = failed.unwrap();
    assert_eq!((failed.end, failed.errors.len()), (End::Stopped, 1));
}

#[test]
fn the_local_shell_keeps_directory_and_environment() {
    let mut shell = LocalShell::new().unwrap();
    let home = shell.cwd().to_owned();
    let trial = drive_script(
        |terminal, _| {
            terminal.run("mkdir -p 'a b' && cd 'a b' && export NAME='it is'")?;
            let result = terminal.run("echo \"$NAME\" | tee f; echo two >&2; exit 3")?;
            Ok(format!(
                "{} {} {}",
                result.output, result.exit_code, result.cwd
            ))
        },
        &mut shell,
        "test",
    );
    let text = trial.unwrap().steps.pop().unwrap().response.text.unwrap();
    assert_eq!(text, format!("it is\ntwo 3 {home}/a b"));
    assert_eq!(
        fs::read_to_string(format!("{home}/a b/f")).unwrap(),
        "it is\n"
    );
    assert_ne!(shell.run("echo 'unbalanced").unwrap().exit_code, 0);
    assert_eq!(shell.run("cat").unwrap().output, "");
    drop(shell);
    assert!(!Path::new(&home).exists());
}

#[test]
fn the_local_shell_kills_commands_and_leftovers() {
    let mut shell = LocalShell::new()
        .unwrap()
        .command_timeout(Duration::from_millis(300));
    assert_eq!(shell.run("sleep 60").unwrap().exit_code, 124);
    let pid = shell.run("sleep 60 & echo $!").unwrap().output;
    assert!(is_running(&pid));
    drop(shell);
    let deadline = Instant::now() + Duration::from_secs(30);
    while is_running(&pid) {
        assert!(Instant::now() < deadline);
    }
}

fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

#[test]
fn the_local_shell_starts_where_it_is_told() {
    let mut shell = LocalShell::new().unwrap().starting_in("/");
    assert_eq!(shell.run("pwd").unwrap().output, "/");
}

#[test]
fn older_names() {
    let request: AgentRequest = Request::new("test");
    let response: AgentResponse = Response::done();
    assert!(request.first() && response.task_complete);
}

#[test]
fn numbers_json_lacks() {
    let usage = term_sdk::Usage {
        cost_usd: Some(f64::NAN),
        ..Default::default()
    };
    let line = Response::done().with_usage(usage).to_line();
    assert!(
        line.ends_with("\"data\":{\"usage\":{\"cost_usd\":null}}}"),
        "{line}"
    );
}

#[test]
fn a_deeply_nested_reply_is_not_an_answer() {
    assert!(Response::from_llm(&"{\"a\":".repeat(5_000)).idle());
}

#[test]
fn time_left_never_goes_below_zero() {
    let with = |value: Option<&str>| Limits::read(|_| value.map(str::to_owned)).time_left();
    assert_eq!(with(Some("0")), Some(Duration::ZERO));
    assert_eq!(with(None), None);
}
