use crate::run::exit_on_failure;
use crate::serve::guard;
use crate::session::{log, next_request, Channel};
use crate::stdio::StdioChannel;
use crate::{Error, Request, Response, Result, SessionClosed};

/// The result of a script's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandResult {
    pub command: String,
    pub output: String,
    /// -1 if the runner sent none.
    pub exit_code: i64,
    pub cwd: String,
}

impl CommandResult {
    pub fn ok(&self) -> bool {
        self.exit_code == 0
    }

    pub fn failed(&self) -> bool {
        !self.ok()
    }

    /// True if the output contains the text.
    pub fn has(&self, text: &str) -> bool {
        self.output.contains(text)
    }

    /// True if the output contains any of the texts.
    pub fn has_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.has(text))
    }

    /// The first match in the output, with its groups.
    #[cfg(feature = "regex")]
    pub fn find(&self, regex: &regex::Regex) -> Option<regex::Captures<'_>> {
        regex.captures(&self.output)
    }
}

/// The terminal as a script sees it.
pub struct Terminal<'a> {
    channel: &'a mut dyn Channel,
    cwd: String,
}

impl Terminal<'_> {
    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    /// Runs one command, which is one step.
    pub fn run(&mut self, command: impl Into<String>) -> Result<CommandResult> {
        self.send(Response::cmd(command))
    }

    /// Runs the command of a response that also carries a text or data.
    pub fn send(&mut self, response: Response) -> Result<CommandResult> {
        if !self.channel.send(&response.to_line()) {
            return Err(SessionClosed.into());
        }
        let request = next_request(self.channel).ok_or(SessionClosed)?;
        if let Some(error) = request.error {
            return Err(format!("the runner rejected the response: {error}").into());
        }
        self.cwd.clone_from(&request.cwd);
        Ok(CommandResult {
            command: response.command.unwrap_or_default(),
            output: request.output.unwrap_or_default(),
            exit_code: request.exit_code.unwrap_or(-1),
            cwd: request.cwd,
        })
    }
}

/// What a script may return: nothing, a text for the log, or a complete response.
pub trait Completion {
    fn into_response(self) -> Response;
}

impl Completion for () {
    fn into_response(self) -> Response {
        Response::done()
    }
}

impl Completion for &str {
    fn into_response(self) -> Response {
        Response::done().with_text(self)
    }
}

impl Completion for String {
    fn into_response(self) -> Response {
        Response::done().with_text(self)
    }
}

impl Completion for Response {
    fn into_response(self) -> Response {
        self.complete()
    }
}

/// Runs a script over stdin and stdout: the script calls the terminal. Returning `Ok` completes
/// the task; an error reports the reason and exits with code 1.
pub fn run_script<F, C>(script: F)
where
    F: FnOnce(&mut Terminal<'_>, &Request) -> Result<C>,
    C: Completion,
{
    let mut channel = StdioChannel::open();
    let outcome = serve_script(script, &mut channel);
    exit_on_failure(&channel, outcome.is_ok());
}

/// An error if the script failed: it can't continue, and a failure isn't completion.
pub fn serve_script<F, C>(script: F, channel: &mut dyn Channel) -> Result<()>
where
    F: FnOnce(&mut Terminal<'_>, &Request) -> Result<C>,
    C: Completion,
{
    let Some(task) = next_request(channel) else {
        return Ok(());
    };
    let mut terminal = Terminal {
        cwd: task.cwd.clone(),
        channel,
    };
    let outcome = guard(|| script(&mut terminal, &task));
    match outcome {
        Ok(value) => {
            channel.send(&value.into_response().to_line());
            Ok(())
        }
        Err(error) if error.is::<SessionClosed>() => Ok(()),
        Err(error) => Err(report(error, channel)),
    }
}

fn report(error: Error, channel: &mut dyn Channel) -> Error {
    log(&format!("the script failed: {error}"));
    channel.send(&Response::say(format!("the script failed: {error}")).to_line());
    error
}
