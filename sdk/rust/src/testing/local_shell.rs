use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{CommandOutcome, Shell};
use crate::Result;

/// Keeps the directory and exported variables for the next command, even after `exit`.
const WRAPPER: &str = r#"
if [ -f "$1/env" ]; then . "$1/env"; cd "$(cat "$1/cwd")"; fi
trap 'code=$?; export -p > "$1/env"; pwd > "$1/cwd"; exit $code' EXIT
eval "$2"
"#;

/// Runs real commands on this machine, unsandboxed: only for your own agents and tests. Starts in
/// a temporary directory; dropping it removes that and kills leftover processes.
pub struct LocalShell {
    scratch: PathBuf,
    cwd: String,
    command_timeout: Duration,
    groups: Vec<u32>,
}

impl LocalShell {
    pub fn new() -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("term-sdk-{}-{count}", std::process::id());
        let scratch = std::env::temp_dir().join(name);
        let work = scratch.join("work");
        fs::create_dir_all(&work)?;
        Ok(Self {
            cwd: work.display().to_string(),
            scratch,
            command_timeout: Duration::from_secs(10),
            groups: Vec::new(),
        })
    }

    /// Starts in this folder instead, which isn't removed.
    #[must_use]
    pub fn starting_in(mut self, folder: impl AsRef<Path>) -> Self {
        self.cwd = folder.as_ref().display().to_string();
        self
    }

    /// 10 s unless set. A command that times out has exit code 124.
    #[must_use]
    pub fn command_timeout(mut self, timeout: Duration) -> Self {
        self.command_timeout = timeout;
        self
    }

    fn wait(&self, mut child: Child) -> Result<i64> {
        let deadline = Instant::now() + self.command_timeout;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status.code().unwrap_or(137).into());
            }
            if Instant::now() > deadline {
                kill_group(child.id());
                child.wait()?;
                return Ok(124);
            }
            sleep(Duration::from_millis(5));
        }
    }
}

impl Shell for LocalShell {
    fn cwd(&self) -> &str {
        &self.cwd
    }

    fn run(&mut self, command: &str) -> Result<CommandOutcome> {
        // To a file, not a pipe, which a background process could hold open.
        let output = self.scratch.join("output");
        let file = File::create(&output)?;
        let mut shell = Command::new("sh");
        shell
            .args(["-c", WRAPPER, "sh"])
            .arg(&self.scratch)
            .arg(command)
            .current_dir(&self.cwd)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file);
        own_group(&mut shell);
        let child = shell.spawn()?;
        self.groups.push(child.id());
        let exit_code = self.wait(child)?;
        // A command killed before it could report leaves the directory unchanged.
        if let Ok(cwd) = read_less_newline(&self.scratch.join("cwd")) {
            self.cwd = cwd;
        }
        let output = read_less_newline(&output)?;
        Ok(CommandOutcome { output, exit_code })
    }
}

impl Drop for LocalShell {
    fn drop(&mut self) {
        for group in &self.groups {
            kill_group(*group);
        }
        let _ = fs::remove_dir_all(&self.scratch);
    }
}

fn read_less_newline(file: &Path) -> Result<String> {
    let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
    Ok(text.strip_suffix('\n').map_or(text.clone(), str::to_owned))
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

fn kill_group(group: u32) {
    let mut kill = Command::new("sh");
    // The one form that dash, bash and busybox all accept.
    kill.args(["-c", "kill -9 \"-$1\"", "sh", &group.to_string()]);
    // It fails if the group is already gone.
    let _ = kill.stderr(Stdio::null()).status();
}
