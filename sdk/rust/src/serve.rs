use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};

use crate::session::{log, next_request, Channel};
use crate::{Agent, Error, Response, Result};

/// Answers requests until the task is complete or the runner closes the session.
pub fn serve<A: Agent>(agent: &mut A, channel: &mut dyn Channel, mut on_error: impl FnMut(Error)) {
    while let Some(request) = next_request(channel) {
        let response = guard(|| agent.solve(&request)).unwrap_or_else(|error| {
            // An error never completes the task: the step is idle, and the runner's limits apply.
            log(&format!("solve failed at step {}: {error}", request.step));
            let idle = Response::say(format!("solve failed: {error}"));
            on_error(error);
            idle
        });
        if !channel.send(&response.to_line()) || response.task_complete {
            return;
        }
    }
}

/// Turns a panic in the agent's code into an error.
pub fn guard<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(panic_message(&*payload).into()))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}
