//! The smallest useful agent: writes a file, checks it, and is done.
//!
//! echo '{"instruction":"Say hello","step":1,"cwd":"/app"}' | cargo run --example hello

use term_sdk::{run, Agent, Request, Response, Result};

struct Hello;

impl Agent for Hello {
    fn solve(&mut self, request: &Request) -> Result<Response> {
        if request.first() {
            return Ok(Response::cmd("echo 'Hello, world!' > hello.txt"));
        }
        if request.has("Hello, world!") {
            return Ok(Response::done().with_text("hello.txt is written"));
        }
        Ok(Response::cmd("cat hello.txt").with_text("Checking the file"))
    }
}

fn main() {
    run(Hello);
}
