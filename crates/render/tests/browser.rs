//! A real browser shows a hostile thread, and nothing of it runs. Skipped where there is no Chromium.

use crate::support;

use render::{Options, Page};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::{HOSTILE, armed, hostile_collection};
use testkit::TempDir;

fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    named.into_iter().chain(known).find(|path| path.is_file())
}

/// The document as the browser has it after a while.
fn dom(browser: &Path, folder: &TempDir, name: &str, html: &str) -> String {
    let page = folder.write(&format!("{name}.html"), html);
    let profile = folder.path().join(format!("{name}.profile"));
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}: {:?}", browser.display(), output.status);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn no_script_runs_in_a_browser() {
    let Some(browser) = browser() else {
        let _ =
            writeln!(std::io::stderr(), "SKIPPED no_script_runs_in_a_browser: no Chromium (set CHROMIUM)");
        return;
    };
    let (collection, folder) = hostile_collection("browser");
    let page = Page::new(&collection, Options::default());
    let html = page.render(&mut collection.reader(), collection.find_post("1").unwrap()).unwrap();
    let policy = html.lines().find(|line| line.contains("Content-Security-Policy")).unwrap();
    // With the policy and, to see that the page does not lean on it, without.
    for (name, html) in [("page", html.clone()), ("without-policy", html.replace(policy, ""))] {
        let dom = dom(&browser, &folder, name, &html);
        assert!(!dom.contains("<title>OWNED"), "{name}: a script ran");
        assert!(dom.contains("<title>Title "), "{name}: {}", &dom[..200]);
        for element in [
            "<script",
            "<img",
            "<iframe",
            "<svg",
            "<form",
            "<object",
            "<embed",
            "<base",
            "<link",
            "<template",
        ] {
            assert!(!dom.contains(element), "{name}: {element}");
        }
        // The browser's own reading of the page has the shape that we wrote.
        assert_eq!(dom.matches("<article").count(), HOSTILE.len() + 1, "{name}");
        assert_eq!(dom.matches("<li id=\"comment-").count(), HOSTILE.len(), "{name}");
        assert_eq!(dom.matches("<h1>").count(), 1, "{name}");
        for tag in ["p", "li", "div", "span", "a", "math", "ol", "section", "td"] {
            let count = |text: &str| {
                text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count()
            };
            assert_eq!(count(&dom), count(&html), "{name}: {tag}");
        }
    }
    // The same texts as they are do run, so the test would see it.
    let raw = format!("<!DOCTYPE html><title>Title</title>{}", armed(HOSTILE[2]));
    assert!(dom(&browser, &folder, "raw", &raw).contains("<title>OWNED"), "the payload does nothing");
}
