use serde::{Deserialize, Deserializer};

use crate::surrogates::replace_lone_surrogates;

/// What the runner sends the agent at each step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Request {
    pub instruction: String,
    /// Starts at 1.
    pub step: u64,
    pub last_command: Option<String>,
    pub output: Option<String>,
    pub exit_code: Option<i64>,
    #[serde(default, deserialize_with = "null_as_empty")]
    pub cwd: String,
    /// Set only when a request is repeated: what was wrong with the previous response.
    pub error: Option<String>,
}

impl Request {
    pub fn new(instruction: impl Into<String>) -> Self {
        Self {
            instruction: instruction.into(),
            step: 1,
            last_command: None,
            output: None,
            exit_code: None,
            cwd: String::new(),
            error: None,
        }
    }

    /// Parses one protocol line.
    pub fn parse(line: &str) -> serde_json::Result<Self> {
        serde_json::from_str(line).or_else(|error| match replace_lone_surrogates(line) {
            Some(replaced) => serde_json::from_str(&replaced),
            None => Err(error),
        })
    }

    pub fn first(&self) -> bool {
        self.step == 1
    }

    /// The last command exited with code 0.
    pub fn ok(&self) -> bool {
        self.exit_code == Some(0)
    }

    /// The last command exited with another code. False, like `ok`, if none ran.
    pub fn failed(&self) -> bool {
        self.exit_code.is_some_and(|code| code != 0)
    }

    /// True if the output contains the text.
    pub fn has(&self, text: &str) -> bool {
        self.has_any(&[text])
    }

    /// True if the output contains any of the texts.
    pub fn has_any(&self, texts: &[&str]) -> bool {
        let output = self.output.as_deref();
        output.is_some_and(|output| texts.iter().any(|text| output.contains(text)))
    }

    /// The first match in the output, with its groups. (`match` is a keyword.)
    #[cfg(feature = "regex")]
    pub fn find(&self, regex: &regex::Regex) -> Option<regex::Captures<'_>> {
        self.output
            .as_deref()
            .and_then(|output| regex.captures(output))
    }
}

fn null_as_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
