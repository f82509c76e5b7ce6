//! The test vectors that every SDK must pass.

use std::fs;
use std::path::Path;

use serde_json::Value;
use term_sdk::{Limits, Regex, Request, Response};

#[path = "support/build.rs"]
mod build;
#[allow(dead_code)]
#[path = "support/process.rs"]
mod process;

fn vectors(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let text = fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
    let lines = text.split_terminator('\n');
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn requests() {
    for vector in vectors("requests") {
        let name = &vector["name"];
        let mut line = string(&vector["line"]).to_owned();
        if let Some(fill) = vector.get("fill") {
            let times = fill["times"].as_u64().unwrap() as usize;
            line = line.replace(
                string(&fill["marker"]),
                &string(&fill["unit"]).repeat(times),
            );
        }
        let request = Request::parse(&line).unwrap();
        for (field, expected) in vector["reads"].as_object().unwrap() {
            assert_eq!(&read(&request, field), expected, "{name}: {field}");
        }
        for case in list(&vector["has"]) {
            let patterns: Vec<&str> = list(&case["patterns"]).map(string).collect();
            assert_eq!(request.has_any(&patterns), case["found"], "{name}: {case}");
            if let [pattern] = patterns[..] {
                assert_eq!(request.has(pattern), case["found"], "{name}: {case}");
            }
        }
        for case in list(&vector["match"]) {
            let found = request.find(&Regex::new(string(&case["regex"])).unwrap());
            let groups = found.map(|found| {
                let texts = found.iter().map(|group| group.map(|group| group.as_str()));
                texts.map(Value::from).collect::<Vec<_>>()
            });
            assert_eq!(Value::from(groups), case["groups"], "{name}: {case}");
        }
    }
}

fn read(request: &Request, field: &str) -> Value {
    match field {
        "instruction" => request.instruction.as_str().into(),
        "step" => request.step.into(),
        "last_command" => request.last_command.as_deref().into(),
        "output" => request.output.as_deref().into(),
        "output_bytes" => request.output.as_deref().map(str::len).into(),
        "exit_code" => request.exit_code.into(),
        "cwd" => request.cwd.as_str().into(),
        "error" => request.error.as_deref().into(),
        "first" => request.first().into(),
        "ok" => request.ok().into(),
        "failed" => request.failed().into(),
        other => panic!("unknown field {other}"),
    }
}

#[test]
fn refused() {
    for vector in vectors("refused") {
        assert!(
            Request::parse(string(&vector["line"])).is_err(),
            "{}",
            vector["name"]
        );
    }
}

#[test]
fn responses() {
    for vector in vectors("responses") {
        let name = &vector["name"];
        assert_eq!(
            build::build(&vector["build"]).to_line(),
            vector["line"],
            "{name}"
        );
        let read: Response = serde_json::from_value(vector["fields"].clone()).unwrap();
        assert_eq!(read.to_line(), vector["line"], "{name}");
    }
}

#[test]
fn llm() {
    for vector in vectors("llm") {
        let response = Response::from_llm(string(&vector["reply"]));
        assert_eq!(response.to_line(), vector["line"], "{}", vector["name"]);
    }
}

#[test]
fn sessions() {
    for vector in vectors("sessions") {
        let name = &vector["name"];
        let mut agent = process::AgentProcess::start(&["vector", &vector["answers"].to_string()]);
        for line in list(&vector["input"]) {
            agent.send(string(line));
        }
        agent.stdin = None;
        let expected: String = list(&vector["output"])
            .map(|line| format!("{}\n", string(line)))
            .collect();
        assert_eq!(agent.rest(), expected, "{name}");
        let (code, stderr) = agent.end();
        assert_eq!(code, 0, "{name}");
        assert!(
            stderr.contains(&"answers left: 0".to_owned()),
            "{name}: {stderr:?}"
        );
    }
}

#[test]
fn limits() {
    for vector in vectors("limits") {
        let limits = Limits::read(|name| vector["env"][name].as_str().map(str::to_owned));
        let number = |value: Option<f64>| value.map_or(Value::Null, Value::from);
        let reads = &vector["reads"];
        let name = &vector["name"];
        assert_eq!(Value::from(limits.task), reads["task"], "{name}");
        assert_eq!(Value::from(limits.attempt), reads["attempt"], "{name}");
        assert_eq!(Value::from(limits.max_steps), reads["max_steps"], "{name}");
        for (field, value) in [
            ("agent_timeout_sec", limits.agent_timeout_sec),
            ("step_timeout_sec", limits.step_timeout_sec),
            ("command_timeout_sec", limits.command_timeout_sec),
        ] {
            assert_eq!(
                number(value),
                number(reads[field].as_f64()),
                "{name}: {field}"
            );
        }
    }
}
