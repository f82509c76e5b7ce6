//! `run` and `run_script`, as separate processes.

use serde_json::{json, Value};

#[path = "support/process.rs"]
mod process;
use process::{request, AgentProcess};

fn done(text: &str) -> Value {
    json!({ "command": null, "task_complete": true, "text": text })
}

fn idle(text: &str) -> Value {
    json!({ "command": null, "task_complete": false, "text": text })
}

fn no_fields() -> Value {
    json!({})
}

#[test]
fn answers_at_once_and_ends_while_stdin_stays_open() {
    let mut agent = AgentProcess::start(&["hello"]);
    let first = agent.ask(1, no_fields());
    assert_eq!(first, json!({ "command": "ls", "task_complete": false }));
    assert_eq!(
        agent.ask(2, json!({ "output": "a", "exit_code": 0 })),
        done("ok")
    );
    let (code, stderr) = agent.end();
    assert_eq!(code, 0);
    assert_eq!(stderr, ["setup", "cleanup", "after run"]);
}

#[test]
fn cleans_up_at_the_end_of_input() {
    let mut agent = AgentProcess::start(&["hello"]);
    agent.ask(1, no_fields());
    agent.stdin = None;
    let (code, stderr) = agent.end();
    assert_eq!(code, 0);
    assert_eq!(stderr, ["setup", "cleanup", "after run"]);
}

#[test]
fn cleans_up_on_signals() {
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        let mut agent = AgentProcess::start(&["hello"]);
        agent.ask(1, no_fields());
        agent.signal(name);
        let (code, stderr) = agent.end();
        assert_eq!(code, 128 + number);
        assert_eq!(stderr, ["setup", "cleanup"]);
    }
}

#[test]
fn a_signal_ends_an_agent_that_does_not_return() {
    let mut agent = AgentProcess::start(&["slow"]);
    agent.send(&request(1, no_fields()));
    agent.until_stderr("solving");
    agent.signal("TERM");
    assert_eq!(agent.rest(), "");
    assert_eq!(agent.end().0, 143);
}

#[test]
fn keeps_stdout_for_the_protocol() {
    let mut agent = AgentProcess::start(&["noisy"]);
    agent.send(&request(1, no_fields()));
    assert_eq!(agent.rest(), "{\"command\":null,\"task_complete\":true}\n");
    let (code, stderr) = agent.end();
    assert_eq!(code, 0);
    assert_eq!(stderr, ["print", "child", "after run"]);
}

#[test]
fn errors_and_panics_become_idle_steps() {
    let mut agent = AgentProcess::start(&["failing"]);
    assert_eq!(agent.ask(1, no_fields()), idle("solve failed: boom"));
    assert_eq!(agent.ask(2, no_fields()), idle("solve failed: bang 2"));
    let text = "solve failed: a response's data must be a JSON object";
    assert_eq!(agent.ask(3, no_fields()), idle(text));
    assert_eq!(agent.ask(4, no_fields())["task_complete"], true);
    let (code, stderr) = agent.end();
    assert_eq!(code, 0);
    assert!(
        stderr.contains(&"[term-sdk] solve failed at step 1: boom".to_owned()),
        "{stderr:?}"
    );
}

#[test]
fn a_failed_setup_exits_with_1() {
    for how in ["error", "panic"] {
        let mut agent = AgentProcess::start(&["broken-setup", how]);
        let (code, stderr) = agent.end();
        assert_eq!(code, 1);
        assert!(
            stderr.ends_with(&["[term-sdk] setup failed: no key".into(), "cleanup".into()]),
            "{stderr:?}"
        );
        assert_eq!(agent.rest(), "");
    }
}

#[test]
fn logs_a_cleanup_that_fails() {
    let mut agent = AgentProcess::start(&["broken-cleanup"]);
    let last = json!({ "command": "ls", "task_complete": true });
    assert_eq!(agent.ask(1, no_fields()), last);
    let (code, stderr) = agent.end();
    assert_eq!(code, 0);
    assert_eq!(stderr, ["[term-sdk] cleanup failed: stuck", "after run"]);
}

#[test]
fn cleans_up_when_the_runner_stops_reading() {
    let mut agent = AgentProcess::start(&["hello"]);
    agent.until_stderr("setup");
    agent.stdout = None;
    agent.send(&request(1, no_fields()));
    let (code, stderr) = agent.end();
    assert_eq!(code, 0);
    assert_eq!(stderr, ["cleanup", "after run"]);
}

#[test]
fn large_lines() {
    let output = "0123456789 äöü 世界 🌍\u{2028}\n".repeat(40_000);
    let mut agent = AgentProcess::start(&["echo"]);
    let answer = agent.ask(2, json!({ "output": output, "exit_code": 0 }));
    assert!(answer["text"] == output);
}

#[test]
fn limits_come_from_the_environment() {
    let env = [
        ("TERM_TASK", "hello-world"),
        ("TERM_AGENT_TIMEOUT_SEC", "60"),
    ];
    let mut agent = AgentProcess::start_with(&["limits"], &env);
    assert_eq!(
        agent.ask(1, no_fields()),
        done("Some(\"hello-world\") Some(true)")
    );
}

#[test]
fn a_script_runs_step_by_step() {
    let mut agent = AgentProcess::start(&["script"]);
    assert_eq!(agent.ask(1, no_fields())["command"], "cd /tmp");
    let make = agent.ask(2, json!({ "output": "", "exit_code": 0, "cwd": "/tmp" }));
    assert_eq!(
        make,
        json!({ "command": "make", "task_complete": false, "text": "Building" })
    );
    let last = agent.ask(
        3,
        json!({ "output": "no rule", "exit_code": 2, "cwd": "/tmp" }),
    );
    assert_eq!(last, done("test make 2 /tmp no rule"));
    assert_eq!(agent.end().0, 0);
}

#[test]
fn a_script_may_end_with_a_last_command() {
    let mut agent = AgentProcess::start(&["last-command"]);
    assert_eq!(
        agent.ask(1, no_fields()),
        json!({ "command": "make", "task_complete": true })
    );
    assert_eq!(agent.end().0, 0);
}

#[test]
fn a_failing_script_reports_the_reason_and_does_not_complete() {
    for name in ["failing-script", "panicking-script"] {
        let mut agent = AgentProcess::start(&[name]);
        assert_eq!(
            agent.ask(1, no_fields()),
            idle("the script failed: no compiler")
        );
        let (code, stderr) = agent.end();
        assert_eq!(code, 1);
        assert_eq!(
            stderr.last().unwrap(),
            "[term-sdk] the script failed: no compiler"
        );
    }
}

#[test]
fn a_rejected_response_is_an_error_the_script_can_handle() {
    let mut agent = AgentProcess::start(&["patient-script"]);
    agent.ask(1, no_fields());
    let answer = agent.ask(1, json!({ "error": "too long" }));
    assert_eq!(answer, done("the runner rejected the response: too long"));
}

#[test]
fn end_of_input_and_signals_end_the_pending_command() {
    let mut agent = AgentProcess::start(&["patient-script"]);
    agent.ask(1, no_fields());
    agent.stdin = None;
    assert_eq!(agent.end(), (0, vec!["finally".into(), "after run".into()]));

    let mut agent = AgentProcess::start(&["patient-script"]);
    agent.ask(1, no_fields());
    agent.signal("TERM");
    assert_eq!(agent.end(), (143, vec!["finally".into()]));
    assert_eq!(agent.rest(), "");
}

#[test]
fn no_request_no_script() {
    let mut agent = AgentProcess::start(&["patient-script"]);
    agent.stdin = None;
    assert_eq!(agent.end(), (0, vec!["after run".into()]));
    assert_eq!(agent.rest(), "");
}
