use serde::{Deserialize, Deserializer};

use crate::surrogates::mend_surrogates;

/// What the runner tells the agent at each step.
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
    /// Set on a second chance only: what was wrong with the previous answer.
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

    /// Reads one line of the protocol.
    pub fn parse(line: &str) -> serde_json::Result<Self> {
        serde_json::from_str(line).or_else(|error| match mend_surrogates(line) {
            Some(mended) => serde_json::from_str(&mended),
            None => Err(error),
        })
    }

    pub fn first(&self) -> bool {
        self.step == 1
    }

    /// The last command ended with exit code 0.
    pub fn ok(&self) -> bool {
        self.exit_code == Some(0)
    }

    /// The last command ended with another exit code. Neither ok nor failed when none ran.
    pub fn failed(&self) -> bool {
        self.exit_code.is_some_and(|code| code != 0)
    }

    /// True when the output contains the text.
    pub fn has(&self, text: &str) -> bool {
        self.has_any(&[text])
    }

    /// True when the output contains any of the texts.
    pub fn has_any(&self, texts: &[&str]) -> bool {
        let output = self.output.as_deref();
        output.is_some_and(|output| texts.iter().any(|text| output.contains(text)))
    }

    /// The first match in the output, with its groups. (`match` is a word of the language.)
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
