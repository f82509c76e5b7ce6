use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{json, Value};

const PATIENCE: Duration = Duration::from_secs(30);

/// An agent in its own process, and the runner's side of its pipes.
pub struct AgentProcess {
    child: Child,
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<BufReader<ChildStdout>>,
    stderr: Receiver<String>,
}

impl AgentProcess {
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[])
    }

    pub fn start_with(arguments: &[&str], env: &[(&str, &str)]) -> Self {
        let mut child = Command::new(program())
            .args(arguments)
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("cargo test builds the example test-agents; a single --test does not");
        let (sender, stderr) = channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take().map(BufReader::new),
            stderr,
            child,
        }
    }

    pub fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}")
            .and_then(|()| stdin.flush())
            .unwrap();
    }

    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.as_mut().unwrap().read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request for this step, with the given fields set, and waits for the response.
    pub fn ask(&mut self, step: u64, fields: Value) -> Value {
        self.send(&request(step, fields));
        self.receive()
    }

    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        Command::new("kill")
            .args(["-s", name, &pid])
            .status()
            .unwrap();
    }

    pub fn until_stderr(&self, text: &str) {
        while self.stderr.recv_timeout(PATIENCE).expect(text) != text {}
    }

    /// What is left of stdout.
    pub fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.stdout
            .as_mut()
            .unwrap()
            .read_to_string(&mut rest)
            .unwrap();
        rest
    }

    /// The exit code, and the lines of stderr not waited for yet.
    pub fn end(&mut self) -> (i32, Vec<String>) {
        // The pipe closes when the process ends, so no wait can hang forever.
        let mut lines = Vec::new();
        while let Ok(line) = self.stderr.recv_timeout(PATIENCE) {
            lines.push(line);
        }
        (self.child.wait().unwrap().code().unwrap(), lines)
    }
}

impl Drop for AgentProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn request(step: u64, fields: Value) -> String {
    let mut request = json!({
        "instruction": "test", "step": step,
        "last_command": null, "output": null, "exit_code": null, "cwd": "/app",
    });
    for (name, value) in fields.as_object().into_iter().flatten() {
        request[name] = value.clone();
    }
    request.to_string()
}

fn program() -> PathBuf {
    // Tests are in target/<profile>/deps, examples beside that folder.
    let test = std::env::current_exe().unwrap();
    test.ancestors()
        .nth(2)
        .unwrap()
        .join("examples/test-agents")
}
