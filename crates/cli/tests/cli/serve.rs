//! `hypatia serve` and `hypatia demo`: from the first line to Ctrl-C.

use crate::util::{Dir, Running, get};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Is $x^2\\ge 0$?","body":"For real $x$ the square is never negative."}
"#;

fn index(dir: &Dir) {
    dir.write("posts.jsonl", POSTS);
    for arguments in
        [&["collection", "build", "posts.jsonl", "-o", "posts.coll"][..], &["index", "posts.coll", "-o", "i"]]
    {
        let outcome = dir.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
}

#[test]
fn an_index_is_served_until_ctrl_c() {
    let dir = Dir::new("serve");
    index(&dir);
    for (log, signal) in [("json", "-INT"), ("text", "-TERM")] {
        let mut running = Running::start(&dir, &["serve", "--index", "i", "--port", "0", "--log", log]);
        let (address, _) = running.address();
        let found = get(&address, "/api/v1/search?q=secret+square");
        assert!(found.starts_with("HTTP/1.1 200") && found.contains("never negative"), "{found}");
        let (code, told) = running.stop(signal);
        assert_eq!(code, Some(0), "{told}");
        assert!(told.contains("/api/v1/search") && !told.contains("secret"), "{told}");
        assert_eq!(log == "json", told.starts_with('{'), "{told}");
    }
    let mut running = Running::start(&dir, &["serve", "--index", "i", "--port", "0", "--log-queries"]);
    let (address, _) = running.address();
    get(&address, "/api/v1/search?q=secret");
    assert!(running.stop("-TERM").1.contains("q=secret"));
}

/// A server that may open fewer files than it has places, and a client that fills them all and says nothing.
#[test]
fn idle_connections_beyond_the_limit_of_files_keep_nobody_out() {
    let dir = Dir::new("serve-files");
    index(&dir);
    let mut command = Command::new("sh");
    let serve = format!("ulimit -n 100; exec '{}' serve --index i --port 0", env!("CARGO_BIN_EXE_hypatia"));
    command.args(["-c", &serve]).current_dir(dir.path()).stdin(Stdio::null());
    let mut running = Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let (address, _) = running.address();
    let idle: Vec<TcpStream> = (0..150).map(|_| TcpStream::connect(&address).unwrap()).collect();
    let health = get(&address, "/healthz");
    assert!(health.starts_with("HTTP/1.1 200"), "{health}");
    let open = |stream: &&TcpStream| {
        stream.set_nonblocking(true).unwrap();
        stream.peek(&mut [0; 1]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    let open = idle.iter().filter(open).count();
    assert!((10..150).contains(&open), "{open} are open: answered while others are idle");
    let (code, told) = running.stop("-TERM");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("fewer connections"), "{told}");
}

/// Other programs write to the collection that was indexed while the index is served.
#[test]
fn a_collection_that_is_overwritten_does_not_disturb_the_server() {
    let dir = Dir::new("serve-overwritten");
    index(&dir);
    let other = POSTS.repeat(40).replace("square", "cube");
    let lines = (1..).zip(other.lines()).map(|(id, line)| line.replace("\"id\":1", &format!("\"id\":{id}")));
    dir.write("other.jsonl", lines.collect::<Vec<_>>().join("\n") + "\n");
    assert_eq!(dir.run(&["collection", "build", "other.jsonl", "-o", "other.coll"]).code, 0);
    let mut running = Running::start(&dir, &["serve", "--index", "i", "--port", "0"]);
    let (address, _) = running.address();
    let paths = ["/api/v1/search?q=square", "/api/v1/posts/1", "/post/1", "/api/v1/search?q=%24x%5E2%24"];
    let said = |path: &str| {
        let answer = get(&address, path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        // Times differ from request to request.
        match body.split_once("\"milliseconds\":") {
            Some((front, rest)) => format!("{front}{}", rest.split_once(',').unwrap().1),
            None => body.to_owned(),
        }
    };
    let before = paths.map(said);
    let copied = Command::new("cp").args(["other.coll", "posts.coll"]).current_dir(dir.path()).status();
    assert!(copied.unwrap().success());
    assert_eq!(paths.map(said), before);
    let file = std::fs::OpenOptions::new().write(true).open(dir.path().join("posts.coll")).unwrap();
    for length in [1000, 0] {
        file.set_len(length).unwrap();
        assert_eq!(paths.map(said), before);
    }
    assert_eq!(running.stop("-TERM").0, Some(0));
    assert_eq!(dir.run(&["index", "i", "--verify"]).code, 0);
    let found = dir.run(&["search", "--index", "i", "square"]);
    assert_eq!(found.code, 0, "{}", found.stderr);
}

#[test]
fn what_cannot_be_served_is_told() {
    let dir = Dir::new("serve-not");
    index(&dir);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, expected) in [
        (&["serve", "--index", "i", "--port", &port][..], "another program listens there"),
        (&["demo", "--port", &port], "another program listens there"),
        (
            &["serve", "--index", "posts.coll"],
            "posts.coll: not an index: it is a collection; make one with `hypatia index posts.coll -o posts.index`",
        ),
        (
            &["serve", "--index", "posts.jsonl"],
            "posts.jsonl: not an index: it is another file; make one with `hypatia index posts.jsonl -o posts.index`",
        ),
        (
            &["serve", "--index", "."],
            "not an index: it is a folder of other files; make one with `hypatia index . ",
        ),
        (
            &["serve", "--index", "none"],
            "none: there is no such index; make one with `hypatia index FOLDER -o none`",
        ),
        (&["serve"], "there is no index here (hypatia.index)"),
        (&["serve", "--index", "i", "--time-limit", "0"], "--time-limit is from 0.01"),
        (&["serve", "--index", "i", "--allow-origin", "example.org"], "--allow-origin is *"),
        (&["serve", "--index", "i", "--address", "example.org"], "--address is such as"),
        (&["serve", "--index", "i", "--address", "https://a/b"], "--address is such as"),
        (&["serve", "--index", "i", "--model-name", "Oracle"], "--model <MODEL>"),
    ] {
        let outcome = dir.run(arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
}

#[test]
fn the_demo_needs_nothing_and_leaves_nothing() {
    let dir = Dir::new("demo");
    let mut running = Running::start(&dir, &["demo", "--port", "0"]);
    let (address, tries) = running.address();
    let left = |name: &str| {
        std::fs::read_dir(dir.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(name))
            .count()
    };
    assert_eq!(left("hypatia-demo-"), 1);
    let links: Vec<&str> = tries.split_whitespace().filter(|word| word.starts_with("http://")).collect();
    assert_eq!(links.len(), 3, "{tries}");
    for link in links {
        let path = link.strip_prefix(&format!("http://{address}")).unwrap();
        let page = get(&address, path);
        assert!(page.starts_with("HTTP/1.1 200"), "{link}: {page}");
    }
    let (code, told) = running.stop("-INT");
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(left("hypatia-demo-"), 0, "the folder is gone");
    // Also when it is stopped before it is ready.
    let running = Running::start(&dir, &["demo", "--port", "0"]);
    while left("hypatia-demo-") == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let (code, told) = running.stop("-TERM");
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(left("hypatia-demo-"), 0, "the folder is gone");
}

#[test]
fn who_leaves_frees_a_server_that_has_said_nothing_yet() {
    let dir = Dir::new("serve-left");
    index(&dir);
    // A model that takes a question and says nothing until it is left alone.
    let model = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/v1", model.local_addr().unwrap());
    let arguments = ["serve", "--index", "i", "--port", "0", "--endpoint", &endpoint, "--model", "m"];
    let mut running = Running::start(&dir, &arguments);
    let (address, _) = running.address();
    let mut person = TcpStream::connect(&address).unwrap();
    let target = "/api/v1/answer?q=x&system=labs-prompt";
    write!(person, "GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let (mut asked, _) = model.accept().unwrap();
    let mut buffer = [0; 4096];
    assert!(asked.read(&mut buffer).unwrap() > 0);
    drop(person);
    // Far longer than it takes, and far shorter than a model has.
    asked.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
    while matches!(asked.read(&mut buffer).expect("the connection is closed"), 1..) {}
    model.set_nonblocking(true).unwrap();
    let (code, _) = running.stop("-TERM");
    assert_eq!(code, Some(0));
    assert!(model.accept().is_err(), "it is not asked again");
}
