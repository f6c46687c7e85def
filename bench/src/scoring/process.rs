//! Other programs: found, built, timed, and watched for their memory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a program to its end: how long it took, and what it printed.
pub(super) fn run(program: &Path, arguments: &[OsString]) -> Option<(Duration, String)> {
    let start = Instant::now();
    let output = Command::new(program).args(arguments).stderr(Stdio::inherit()).output().ok()?;
    let time = start.elapsed();
    output.status.success().then(|| (time, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// The most memory that a program held at a time, in kilobytes, where the
/// system tells: it is asked every millisecond, so the last one may be missed.
pub(super) fn peak_memory(program: &Path, arguments: &[OsString]) -> Option<u32> {
    let mut child = Command::new(program).args(arguments).stdout(Stdio::null()).spawn().ok()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().ok()?.is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
        peak = peak.max(now);
        std::thread::sleep(Duration::from_millis(1));
    }
    peak
}

/// The processor time of this process and of those it has waited for, in
/// steps of a hundredth of a second, where the system tells.
pub(super) fn processor_time() -> Option<Duration> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in parentheses and may hold anything.
    let (_, fields) = status.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(4).map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(10 * ticks.sum::<Option<u64>>()?))
}

/// Builds our program as it is shipped and says where it is: beside this one.
pub(super) fn build_hypatia() -> Option<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--profile", "dist", "--quiet", "--package", "cli"])
        .current_dir(testkit::workspace_root())
        .status();
    let path = target_dir()?.join("dist").join(format!("hypatia{}", std::env::consts::EXE_SUFFIX));
    (status.ok()?.success() && path.is_file()).then_some(path)
}

/// Python with pytrec_eval, installed where `bench/parity/run` has it.
pub(super) fn python() -> Option<PathBuf> {
    let environment = target_dir()?.join("parity");
    let python = environment.join("bin/python");
    let works = |program: &Path, arguments: &[&str]| {
        let status =
            Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !python.is_file() {
        works(Path::new("python3"), &["-m", "venv", environment.to_str()?]);
    }
    if !works(&python, &["-c", "import pytrec_eval"]) {
        works(&python, &["-m", "pip", "install", "--quiet", "pytrec_eval-terrier"]);
    }
    works(&python, &["-c", "import pytrec_eval"]).then_some(python)
}

/// A program by its name.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// The folder cargo builds in, which is two above this program.
fn target_dir() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.parent()?.to_owned())
}
