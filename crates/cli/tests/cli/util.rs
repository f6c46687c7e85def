//! Running the program in a folder of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use testkit::TempDir;

/// An empty folder to run commands in.
pub(crate) struct Dir(TempDir);

/// What a command printed and how it left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Dir {
    pub(crate) fn new(name: &str) -> Self {
        Self(TempDir::new(name))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        self.0.write(name, contents)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hypatia"));
        command.args(arguments);
        self.isolate(&mut command);
        command
    }

    /// Lets a command run in this folder, without the settings of the person who runs the tests.
    pub(crate) fn isolate(&self, command: &mut Command) {
        for name in ["CONFIG", "HOST", "INDEX", "MODELS", "PORT"] {
            command.env_remove(format!("HYPATIA_{name}"));
        }
        for name in ["ENDPOINT", "HOME", "HUB_OFFLINE", "TOKEN", "TOKEN_PATH"] {
            command.env_remove(format!("HF_{name}"));
        }
        command.env_remove("HUGGING_FACE_HUB_TOKEN");
        command.env("XDG_CACHE_HOME", self.path().join(".cache"));
        command.env("XDG_CONFIG_HOME", self.path().join(".config"));
        command.env("XDG_DATA_HOME", self.path().join(".data"));
        command.current_dir(self.path()).stdin(Stdio::null());
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::from(self.command(arguments).output().unwrap())
    }

    /// Runs with `input` on standard input.
    pub(crate) fn pipe(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Outcome::from(child.wait_with_output().unwrap())
    }

    /// What `hypatia formula COMMAND` says of one formula.
    pub(crate) fn value(&self, command: &str, formula: &str) -> String {
        let outcome = self.run(&["formula", command, "-e", formula]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{command} {formula}");
        let value = outcome.stdout.strip_suffix('\n').unwrap().to_owned();
        assert!(!value.is_empty(), "{command} of {formula:?} is empty");
        value
    }
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Outcome {
    /// All went well and nothing was said but this.
    #[track_caller]
    pub(crate) fn prints(&self, stdout: &str) {
        let expected = Self { code: 0, stdout: stdout.to_owned(), stderr: String::new() };
        assert_eq!(*self, expected);
    }

    /// It failed with this one line.
    #[track_caller]
    pub(crate) fn fails(&self, line: &str) {
        let expected = Self { code: 2, stdout: String::new(), stderr: format!("{line}\n") };
        assert_eq!(*self, expected);
    }
}

/// A folder with the sample and its index.
pub(crate) fn sample(name: &str) -> Dir {
    let dir = Dir::new(name);
    for arguments in [
        &["sample", "-o", "sample"][..],
        &["collection", "build", "--sample", "-o", "sample.coll"],
        &["index", "sample.coll", "-o", "hypatia.index"],
    ] {
        let done = dir.run(arguments);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    dir
}

/// The body of the request that a server of a test was sent; its head is passed over.
pub(crate) fn body_of_request(stream: &TcpStream) -> Vec<u8> {
    let mut reader = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let mut body = vec![0; length];
    let _ = reader.read_exact(&mut body);
    body
}

/// Kills a command at moments spread over its length; `state` looks at what is left.
pub(crate) fn kill(
    rounds: u32,
    usual: Duration,
    command: impl Fn() -> Command,
    mut state: impl FnMut(u32),
) -> u32 {
    let mut killed = 0;
    for round in 0..rounds {
        let mut child = command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let until = Instant::now() + usual * (round * 7 % rounds) / (rounds * 9 / 10).max(1);
        while Instant::now() < until && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
        }
        state(round);
    }
    killed
}

/// A program that runs until it is told to stop.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    pub(crate) fn start(dir: &Dir, arguments: &[&str]) -> Self {
        let mut command = dir.command(arguments);
        let child = command.env("TMPDIR", dir.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Self(child.unwrap())
    }

    /// The address on the first line that has one.
    pub(crate) fn address(&mut self) -> (String, String) {
        let mut lines = BufReader::new(self.0.stdout.as_mut().unwrap()).lines();
        let line = lines.find_map(|line| line.ok().filter(|line| line.contains("http://"))).unwrap();
        let (_, address) = line.split_once("http://").unwrap();
        let address = address.trim_end_matches('/').to_owned();
        let rest = if line.starts_with("http://") {
            String::new()
        } else {
            lines
                .map_while(Result::ok)
                .take_while(|line| !line.contains("Ctrl-C"))
                .collect::<Vec<_>>()
                .join("\n")
        };
        (address, rest)
    }

    pub(crate) fn stop(mut self, signal: &str) -> (Option<i32>, String) {
        let stopped = Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap();
        assert!(stopped.success());
        let code = self.0.wait().unwrap().code();
        let mut told = String::new();
        self.0.stderr.as_mut().unwrap().read_to_string(&mut told).unwrap();
        (code, told)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed leaves nothing running; one that went well has stopped it.
        let _ = self.0.kill();
    }
}

/// What a server answers, head and body.
pub(crate) fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
