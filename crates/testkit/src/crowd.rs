//! Simulated assessors: they come in by a link, take batches and judge, over HTTP as browsers do.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Why a request came to nothing: the connection broke, or the server said something else than was hoped.
#[derive(Debug)]
pub enum Trouble {
    /// Nothing came back: what was sent may have been taken or not.
    Lost(String),
    /// The server answered, with this status and text.
    Refused(u16, String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lost(cause) => write!(f, "no answer: {cause}"),
            Self::Refused(status, text) => write!(f, "{status}: {text}"),
        }
    }
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Page {
    /// The status.
    pub status: u16,
    /// Where it leads.
    pub location: Option<String>,
    /// The text.
    pub body: String,
}

/// Somebody with a browser.
#[derive(Debug)]
pub struct Visitor {
    agent: ureq::Agent,
    base: String,
    cookies: BTreeMap<String, String>,
    /// What forms are sent with.
    pub csrf: String,
}

impl Visitor {
    /// Somebody who will visit a server, such as `http://127.0.0.1:8090`.
    #[must_use]
    pub fn new(base: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(60)))
            .build();
        let base = base.trim_end_matches('/').to_owned();
        Self { agent: config.into(), base, cookies: BTreeMap::new(), csrf: String::new() }
    }

    /// Opens a page.
    ///
    /// # Errors
    ///
    /// When nothing comes back.
    pub fn get(&mut self, path: &str) -> Result<Page, Trouble> {
        let request = self.agent.get(format!("{}{path}", self.base)).header("cookie", self.cookie());
        let page = self.keep(request.call())?;
        if let Some(csrf) = between(&page.body, "name=\"csrf\" content=\"", "\"")
            .or_else(|| between(&page.body, "name=\"csrf\" value=\"", "\""))
        {
            self.csrf = csrf.to_owned();
        }
        Ok(page)
    }

    /// Sends a form as a script does, with the token of the last page.
    ///
    /// # Errors
    ///
    /// When nothing comes back.
    pub fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Result<Page, Trouble> {
        let request = self
            .agent
            .post(format!("{}{path}", self.base))
            .header("cookie", self.cookie())
            .header("accept", "application/json")
            .header("x-csrf", &self.csrf);
        let sent = request.send_form(fields.iter().copied());
        self.keep(sent)
    }

    /// Makes an account by a link and comes in.
    ///
    /// # Errors
    ///
    /// When the server does not let them.
    pub fn join(&mut self, path: &str, name: &str, password: &str) -> Result<(), Trouble> {
        let page = self.get(path)?;
        if page.status != 200 {
            return Err(Trouble::Refused(page.status, page.body));
        }
        let fields =
            [("csrf", &*self.csrf.clone()), ("name", name), ("password", password), ("again", password)];
        let page = self.post(path, &fields)?;
        if page.status != 303 {
            return Err(Trouble::Refused(page.status, page.body));
        }
        self.get("/").map(|_| ())
    }

    fn cookie(&self) -> String {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    fn keep(
        &mut self,
        answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Page, Trouble> {
        let mut answer = answer.map_err(|error| Trouble::Lost(error.to_string()))?;
        for line in answer.headers().get_all("set-cookie") {
            let pair = line.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                if value.is_empty() {
                    self.cookies.remove(name);
                } else {
                    self.cookies.insert(name.to_owned(), value.to_owned());
                }
            }
        }
        let location =
            answer.headers().get("location").and_then(|to| to.to_str().ok()).map(ToOwned::to_owned);
        let status = answer.status().as_u16();
        let body = answer.body_mut().read_to_string().map_err(|error| Trouble::Lost(error.to_string()))?;
        Ok(Page { status, location, body })
    }
}

/// A judgment that the server said it has kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What the judgment was called.
    pub request: String,
    /// What was judged.
    pub part: String,
    /// What was said.
    pub verdict: String,
    /// How long it took until the server said so, the last time it was sent.
    pub took: Duration,
}

/// What a simulated assessor did.
#[derive(Clone, Debug, Default)]
pub struct Day {
    /// Judgments that the server said it has kept.
    pub kept: Vec<Kept>,
    /// How often something had to be sent again.
    pub again: usize,
    /// How long pages took.
    pub pages: Vec<Duration>,
}

/// How a simulated assessor works.
#[derive(Clone, Debug)]
pub struct Habits {
    /// How long they look at a thing before they judge it, on average.
    pub think: Duration,
    /// A number that no other assessor has: their chance begins with it.
    pub seed: u64,
}

/// Works until it is time to stop: takes batches and judges what is in them, and when nothing is left,
/// changes its mind about what it has judged.
///
/// What gets no answer is sent again under the same name until it gets one.
///
/// # Errors
///
/// When the server refuses something that it should not.
pub fn work(visitor: &mut Visitor, habits: &Habits, stop: impl Fn() -> bool) -> Result<Day, Trouble> {
    let mut day = Day::default();
    let mut chance = habits.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut number = 0_u64;
    let mut seen: Vec<String> = Vec::new();
    let mut next: Option<String> = None;
    let mut round = 0_usize;
    // When nothing is left, people do not ask again at once.
    let mut patience = 0_usize;
    while !stop() {
        let path = match next.take() {
            Some(path) => path,
            None if patience > 0 && !seen.is_empty() => {
                patience -= 1;
                round += 1;
                seen[round % seen.len()].clone()
            }
            None => match take(visitor, &mut day, &stop)? {
                Some(path) => path,
                None if seen.is_empty() => {
                    std::thread::sleep(Duration::from_millis(20));
                    continue;
                }
                None => {
                    patience = 40;
                    continue;
                }
            },
        };
        let begun = Instant::now();
        let Some(page) = insist(visitor, &mut day, &stop, |visitor| visitor.get(&path))? else { break };
        day.pages.push(begun.elapsed());
        if page.status == 303 {
            next = page.location.filter(|to| to.contains("/task/"));
            continue;
        }
        if page.status != 200 {
            return Err(Trouble::Refused(page.status, page.body));
        }
        let assignment = value(&page.body, "assignment").unwrap_or_default();
        let task = value(&page.body, "task").unwrap_or_default();
        let parts: Vec<String> = values(&page.body, "part");
        if parts.is_empty() {
            continue;
        }
        if !seen.contains(&path) {
            seen.push(path.clone());
        }
        for part in parts {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            let think = habits.think.mul_f64(0.5 + (chance % 1000) as f64 / 1000.0);
            std::thread::sleep(think);
            let verdict = (chance >> 20) % 4;
            number += 1;
            let request = format!("crowd-{:08x}-{number:08x}", habits.seed);
            let (verdict, seconds) = (verdict.to_string(), format!("{:.1}", think.as_secs_f64()));
            let fields = [
                ("assignment", assignment.as_str()),
                ("task", task.as_str()),
                ("part", part.as_str()),
                ("verdict", verdict.as_str()),
                ("comment", ""),
                ("seconds", seconds.as_str()),
                ("request", request.as_str()),
            ];
            let mut took = Duration::ZERO;
            let answer = insist(visitor, &mut day, &stop, |visitor| {
                let begun = Instant::now();
                let answer = visitor.post("/judge", &fields);
                took = begun.elapsed();
                answer
            })?;
            let Some(answer) = answer else { return Ok(day) };
            if answer.status != 200 {
                return Err(Trouble::Refused(answer.status, answer.body));
            }
            day.kept.push(Kept { request, part, verdict, took });
        }
        next = following(&page.body, &task).map(|task| format!("/task/{assignment}/{task}"));
    }
    Ok(day)
}

/// Takes the next batch and gives the address of its first page.
fn take(visitor: &mut Visitor, day: &mut Day, stop: &impl Fn() -> bool) -> Result<Option<String>, Trouble> {
    let Some(page) = insist(visitor, day, stop, |visitor| visitor.post("/take", &[]))? else {
        return Ok(None);
    };
    if let Some(to) = page.location.filter(|to| to.contains("/batch/")) {
        return Ok(Some(to));
    }
    // What was taken before, by a request whose answer was lost.
    let Some(page) = insist(visitor, day, stop, |visitor| visitor.get("/"))? else { return Ok(None) };
    Ok(between(&page.body, "href=\"/batch/", "/next\"").map(|number| format!("/batch/{number}/next")))
}

/// The next page that is not done, by what a page tells of the others: `task:done:skips,…`.
fn following(page: &str, task: &str) -> Option<String> {
    let steps: Vec<&str> = between(page, "data-steps=\"", "\"")?.split(',').collect();
    let here = steps.iter().position(|step| step.split(':').next() == Some(task))?;
    let around = steps[here + 1..].iter().chain(&steps[..here]);
    around.filter(|step| step.contains(":0:")).find_map(|step| step.split(':').next()).map(ToOwned::to_owned)
}

/// Sends something until there is an answer; nothing, if it is time to stop.
fn insist(
    visitor: &mut Visitor,
    day: &mut Day,
    stop: &impl Fn() -> bool,
    mut send: impl FnMut(&mut Visitor) -> Result<Page, Trouble>,
) -> Result<Option<Page>, Trouble> {
    loop {
        match send(visitor) {
            // Who is too quick for the server waits a little, as a script of ours does.
            Ok(page) if page.status == 429 => std::thread::sleep(Duration::from_millis(200)),
            Ok(page) if page.status < 500 => return Ok(Some(page)),
            Ok(_) | Err(Trouble::Lost(_)) => {}
            Err(refused) => return Err(refused),
        }
        if stop() {
            return Ok(None);
        }
        day.again += 1;
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn between<'t>(text: &'t str, before: &str, behind: &str) -> Option<&'t str> {
    let from = text.find(before)? + before.len();
    let length = text[from..].find(behind)?;
    Some(&text[from..from + length])
}

/// What a hidden field holds.
fn value(page: &str, name: &str) -> Option<String> {
    values(page, name).into_iter().next()
}

/// What all hidden fields of a name hold, each once.
fn values(page: &str, name: &str) -> Vec<String> {
    let field = format!("name=\"{name}\" value=\"");
    let mut found: Vec<String> = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find(&field) {
        rest = &rest[at + field.len()..];
        let value = rest.split('"').next().unwrap_or_default().to_owned();
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}
