use serde_json::{Map, Value};

use crate::surrogates::replace_lone_surrogates;
use crate::Response;

/// serde_json's own limit. Stopping there keeps a hostile reply from taking forever.
const MAX_DEPTH: usize = 127;

/// The first JSON object in a model's reply that is an answer. Not a later one: a model that
/// continues after its command has invented that command's output.
pub fn read_model_reply(reply: &str) -> Option<Response> {
    // Skip a reasoning model's thinking.
    let said = reply.rsplit("</think>").next().unwrap_or(reply);
    said.match_indices('{')
        .find_map(|(start, _)| as_answer(object_at(&said[start..])?))
}

/// `data` is deliberately dropped: a model must not report its own cost.
fn as_answer(mut fields: Map<String, Value>) -> Option<Response> {
    let names_command = fields.contains_key("command");
    let command = match fields.remove("command") {
        None | Some(Value::Null) => None,
        Some(Value::String(command)) => Some(command),
        Some(_) => return None,
    };
    let complete = fields.get("task_complete").and_then(Value::as_bool);
    if !names_command && complete.is_none() {
        return None;
    }
    let text = fields.get("text").and_then(Value::as_str);
    Some(Response {
        // Models write "" for no command.
        command: command.filter(|command| !command.is_empty()),
        task_complete: complete.unwrap_or(false),
        text: text.map(str::to_owned),
        data: None,
    })
}

fn object_at(text: &str) -> Option<Map<String, Value>> {
    // A cheap lookahead avoids rescanning code with many braces.
    let inside = text[1..].trim_start_matches([' ', '\t', '\r', '\n']);
    if !inside.starts_with(['"', '}']) {
        return None;
    }
    let json = balanced_object(text)?;
    serde_json::from_str(&replace_lone_surrogates(&json).unwrap_or(json)).ok()
}

/// The text from a brace to its closing brace, with raw line breaks inside strings escaped.
fn balanced_object(text: &str) -> Option<String> {
    let mut json = String::new();
    let mut depth = 0;
    let mut in_string = false;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if in_string && char < ' ' {
            json.push_str(&format!("\\u{:04x}", u32::from(char)));
            continue;
        }
        json.push(char);
        match char {
            '\\' if in_string => json.push(chars.next()?),
            '"' => in_string = !in_string,
            '{' if !in_string => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return None;
                }
            }
            '}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(json);
                }
            }
            _ => {}
        }
    }
    None
}
