use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::canonical::{write_canonical, write_string};
use crate::model_reply::read_model_reply;

/// The agent's response to one request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Response {
    pub command: Option<String>,
    pub task_complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Map<String, Value>>,
}

/// What a step cost. The runner sums it up over the trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl Response {
    /// Run this command in the terminal.
    pub fn cmd(command: impl Into<String>) -> Self {
        Self {
            command: Some(command.into()),
            ..Self::default()
        }
    }

    /// An idle step: only text for the log. The runner ends a trial after a few in a row.
    pub fn say(text: impl Into<String>) -> Self {
        Self::default().with_text(text)
    }

    /// The task is finished.
    pub fn done() -> Self {
        Self::default().complete()
    }

    /// Extracts the JSON answer from a model's reply, ignoring prose and code fences around it.
    /// Without one the response is an idle step, so you can ask the model again.
    pub fn from_llm(reply: &str) -> Self {
        read_model_reply(reply)
            .unwrap_or_else(|| Self::say("No JSON answer found in the model's reply."))
    }

    /// Neither a command nor completion.
    pub fn idle(&self) -> bool {
        self.command.is_none() && !self.task_complete
    }

    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Adds the fields of a JSON object to `data`, keeping those already set.
    ///
    /// # Panics
    ///
    /// If `data` isn't a JSON object.
    #[must_use]
    pub fn with_data(mut self, data: impl Serialize) -> Self {
        let Ok(Value::Object(fields)) = serde_json::to_value(data) else {
            panic!("a response's data must be a JSON object");
        };
        self.data.get_or_insert_with(Map::new).extend(fields);
        self
    }

    #[must_use]
    pub fn with_usage(self, usage: Usage) -> Self {
        self.with_data(serde_json::json!({ "usage": usage }))
    }

    /// The same response, with the task finished once its command, if any, has run.
    #[must_use]
    pub fn complete(mut self) -> Self {
        self.task_complete = true;
        self
    }

    /// The wire format without the newline. The same in every SDK.
    pub fn to_line(&self) -> String {
        let mut line = String::from("{\"command\":");
        match &self.command {
            Some(command) => write_string(&mut line, command),
            None => line.push_str("null"),
        }
        line.push_str(",\"task_complete\":");
        line.push_str(if self.task_complete { "true" } else { "false" });
        if let Some(text) = &self.text {
            line.push_str(",\"text\":");
            write_string(&mut line, text);
        }
        if let Some(data) = &self.data {
            line.push_str(",\"data\":");
            write_canonical(&mut line, &Value::Object(data.clone()));
        }
        line.push('}');
        line
    }
}
