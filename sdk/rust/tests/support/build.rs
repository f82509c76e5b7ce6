use serde_json::Value;
use term_sdk::{Response, Usage};

/// Builds the response that a vector describes as calls.
pub fn build(calls: &Value) -> Response {
    let calls = calls.as_array().expect("a list of calls");
    calls.iter().fold(Response::default(), apply)
}

fn apply(response: Response, call: &Value) -> Response {
    let text = |index: usize| call[index].as_str();
    match text(0).expect("a method") {
        "cmd" => with_optional_text(Response::cmd(text(1).unwrap()), text(2)),
        "say" => Response::say(text(1).unwrap()),
        "done" => with_optional_text(Response::done(), text(1)),
        "with_text" => response.with_text(text(1).unwrap()),
        "with_data" => response.with_data(&call[1]),
        "with_usage" => response.with_usage(Usage {
            model: call[1]["model"].as_str().map(str::to_owned),
            input_tokens: call[1]["input_tokens"].as_u64(),
            output_tokens: call[1]["output_tokens"].as_u64(),
            cost_usd: call[1]["cost_usd"].as_f64(),
        }),
        "complete" => response.complete(),
        other => panic!("unknown call {other}"),
    }
}

fn with_optional_text(response: Response, text: Option<&str>) -> Response {
    match text {
        Some(text) => response.with_text(text),
        None => response,
    }
}
