//! The vectors that every SDK must agree with.

use std::fs;
use std::path::Path;

use serde_json::Value;
use term_sdk::testing::{drive, CommandOutcome, Shell};
use term_sdk::{Limits, Request, Response, Result, Usage};

fn vectors(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let text = fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
    let lines = text.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}
