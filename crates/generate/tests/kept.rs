//! Completions that are kept: found again, never wrong, never half.

use generate::{
    Absent, Cache, Cached, Completion, Continue, Ended, Error, Event, Generator, Message, Mode, Prompt,
    Request, Role,
};
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use testkit::TempDir;

fn request(text: &str) -> Request {
    let prompt = Prompt::Text(text.to_owned());
    Request { prompt, temperature: 0.0, max_tokens: 9, seed: 7, stop: Vec::new() }
}

fn completion(text: &str) -> Completion {
    Completion { prompt_tokens: Some(4), ..Completion::new(text, Ended::Itself) }
}

fn file_of(cache: &Cache, request: &Request) -> PathBuf {
    let key = Cache::key("m", request).unwrap();
    cache.folder().join(&key[..2]).join(&key[2..4]).join(format!("{key}.json"))
}

#[test]
fn who_wrote_what_is_kept_is_known_and_need_not_be_there() {
    let folder = TempDir::new("generate-absent");
    let cache = Cache::open(folder.path()).unwrap();
    assert!(cache.generators().unwrap().is_empty());
    cache.put("m", &request("a"), &completion("4")).unwrap();
    cache.put("m", &request("b"), &completion("5")).unwrap();
    assert_eq!(cache.generators().unwrap().into_iter().collect::<Vec<_>>(), ["m"]);
    let absent = Absent { name: "m".to_owned() };
    let cached = Cached::new(absent, cache.clone(), Mode::Only);
    assert_eq!(cached.generate(&request("b"), &mut |_| Continue::Yes).unwrap(), completion("5"));
    assert!(cached.generate(&request("c"), &mut |_| Continue::Yes).is_err());
    assert!(cached.inner().generate(&request("a"), &mut |_| Continue::Yes).is_err());
}

#[test]
fn what_a_server_said_is_kept_and_older_files_without_it_are_read() {
    let folder = TempDir::new("generate-served");
    let cache = Cache::open(folder.path()).unwrap();
    let mut served = completion("4");
    served.served.left_out = vec!["seed".to_owned()];
    served.served.model = Some("m-2".to_owned());
    cache.put("m", &request("a"), &served).unwrap();
    assert_eq!(cache.get("m", &request("a")).unwrap(), Some(served));
    cache.put("m", &request("b"), &completion("4")).unwrap();
    let text = std::fs::read_to_string(file_of(&cache, &request("b"))).unwrap();
    assert!(!text.contains("served"), "as it was before there was such a member: {text}");
    assert_eq!(cache.get("m", &request("b")).unwrap(), Some(completion("4")));
}

#[test]
fn a_key_is_the_checksum_of_what_the_manual_says() {
    // printf %s '{"format":1,"generator":"m",…}' | sha256sum
    let text = request("2+2=");
    assert_eq!(
        Cache::key("m", &text).unwrap(),
        "3a9dd106e32e4a65e1f58791b9061365ce7c5acc8851c43a1c8ba8e93e82d712"
    );
    let message = Message { role: Role::User, content: "é\n".to_owned() };
    let prompt = Prompt::Chat(vec![message]);
    let chat = Request { prompt, temperature: 0.7, stop: vec!["#".to_owned()], ..text };
    assert_eq!(
        Cache::key("m", &chat).unwrap(),
        "b409e0790b535098e449fe29c62e72a2a43b844f82ccbfb32f342b69c57e0bb6"
    );
}

#[test]
fn everything_that_is_asked_belongs_to_the_key() {
    let base = request("a");
    let others = [
        request("b"),
        Request { temperature: 0.5, ..base.clone() },
        Request { max_tokens: 10, ..base.clone() },
        Request { seed: 8, ..base.clone() },
        Request { stop: vec!["\n".to_owned()], ..base.clone() },
        Request { prompt: Prompt::Chat(Vec::new()), ..base.clone() },
    ];
    let mut keys: Vec<_> = others.iter().map(|other| Cache::key("m", other).unwrap()).collect();
    keys.push(Cache::key("m", &base).unwrap());
    keys.push(Cache::key("n", &base).unwrap());
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), others.len() + 2);
}

#[test]
fn what_is_kept_is_a_file_that_people_can_read() {
    let folder = TempDir::new("kept-file");
    let cache = Cache::open(folder.path().join("new/folder")).unwrap();
    let request = request("2+2=");
    cache.put("m", &request, &completion("4")).unwrap();
    let text = fs::read_to_string(file_of(&cache, &request)).unwrap();
    for part in ["\"generator\": \"m\"", "\"text\": \"2+2=\"", "\"text\": \"4\"", "\"ended\": \"itself\""] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_file_in_the_place_of_another_is_an_error() {
    let folder = TempDir::new("kept-place");
    let cache = Cache::open(folder.path()).unwrap();
    let (one, two) = (request("1"), request("2"));
    cache.put("m", &one, &completion("one")).unwrap();
    cache.put("m", &two, &completion("two")).unwrap();
    fs::copy(file_of(&cache, &one), file_of(&cache, &two)).unwrap();
    let error = cache.get("m", &two).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }));
    assert!(error.to_string().contains(&file_of(&cache, &two).display().to_string()), "{error}");
    // Keeping it again puts it right.
    cache.put("m", &two, &completion("two")).unwrap();
    assert_eq!(cache.get("m", &two).unwrap(), Some(completion("two")));
}

#[test]
fn what_a_killed_process_left_is_in_nobodys_way() {
    let folder = TempDir::new("kept-killed");
    let cache = Cache::open(folder.path()).unwrap();
    let request = request("1");
    cache.put("m", &request, &completion("one")).unwrap();
    let path = file_of(&cache, &request);
    let key = Cache::key("m", &request).unwrap();
    for number in 0..50 {
        let left = path.with_file_name(format!(".{key}.{}.{number}.tmp", std::process::id()));
        fs::write(left, "{\"format\":").unwrap();
    }
    cache.put("m", &request, &completion("two")).unwrap();
    assert_eq!(cache.get("m", &request).unwrap(), Some(completion("two")));
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = TempDir::new("kept-folder");
    let file = folder.write("file", "");
    let error = Cache::open(&file).unwrap_err();
    assert!(error.to_string().contains(&file.display().to_string()), "{error}");
}

#[test]
fn threads_see_whole_files_only() {
    let folder = TempDir::new("kept-threads");
    let cache = Cache::open(folder.path()).unwrap();
    let request = request("1");
    thread::scope(|scope| {
        for writer in 0..4 {
            let (cache, request) = (&cache, &request);
            scope.spawn(move || {
                for _ in 0..25 {
                    let text = writer.to_string().repeat(1000);
                    cache.put("m", request, &completion(&text)).unwrap();
                    let found = cache.get("m", request).unwrap().unwrap().text;
                    assert!(found.len() == 1000 && found.bytes().all(|byte| byte == found.as_bytes()[0]));
                }
            });
        }
    });
    let kept = file_of(&cache, &request);
    assert_eq!(fs::read_dir(kept.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
}

proptest! {
    // Each is brought to the disk.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_kept_comes_back(text in ".*", seed in any::<u64>(), temperature in -1e300..1e300) {
        let folder = TempDir::new("kept-back");
        let cache = Cache::open(folder.path()).unwrap();
        let request = Request { seed, temperature, ..request(&text) };
        cache.put("m", &request, &completion(&text)).unwrap();
        prop_assert_eq!(cache.get("m", &request).unwrap(), Some(completion(&text)));
    }
}

/// A model that counts how often it is asked, and says how often.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Generator for Counting {
    fn name(&self) -> String {
        "m".to_owned()
    }

    fn generate(
        &self,
        _: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, Error> {
        let text = format!("answer {}", self.0.fetch_add(1, Ordering::SeqCst) + 1);
        match on_event(Event::Text(&text)) {
            Continue::Yes => Ok(completion(&text)),
            Continue::No => Ok(Completion { ended: Ended::Stopped, ..completion(&text) }),
        }
    }
}

fn ask(generator: &dyn Generator, listen: Continue) -> Result<Completion, Error> {
    let mut told = String::new();
    let result = generator.generate(&request("1"), &mut |event| {
        if let Event::Text(text) = event {
            told.push_str(text);
        }
        listen
    });
    if let Ok(completion) = &result {
        assert_eq!(told, completion.text);
    }
    result
}

#[test]
fn what_is_kept_is_not_asked_for_again_unless_that_is_wanted() {
    let folder = TempDir::new("kept-modes");
    let cache = Cache::open(folder.path()).unwrap();
    let model = Counting::default();
    let with = |mode| Cached::new(&model, cache.clone(), mode);
    let text = |mode| ask(&with(mode), Continue::Yes).unwrap().text;

    let error = ask(&with(Mode::Only), Continue::Yes).unwrap_err();
    let key = Cache::key("m", &request("1")).unwrap();
    assert!(matches!(&error, Error::NotKept { key: named, .. } if *named == key), "{error}");
    assert!(error.to_string().contains(&key) && !error.is_temporary(), "{error}");

    assert_eq!(text(Mode::Use), "answer 1");
    assert_eq!(text(Mode::Use), "answer 1");
    assert_eq!(text(Mode::Only), "answer 1");
    assert_eq!(text(Mode::Refresh), "answer 2");
    assert_eq!(text(Mode::Only), "answer 2");
}

#[test]
fn what_was_stopped_is_not_kept() {
    let folder = TempDir::new("kept-stopped");
    let cache = Cache::open(folder.path()).unwrap();
    let cached = Cached::new(Counting::default(), cache, Mode::Use);
    assert_eq!(ask(&cached, Continue::No).unwrap().ended, Ended::Stopped);
    assert_eq!(ask(&cached, Continue::Yes).unwrap().text, "answer 2");
    // A kept one that is stopped stays kept.
    assert_eq!(ask(&cached, Continue::No).unwrap().ended, Ended::Stopped);
    assert_eq!(ask(&cached, Continue::Yes).unwrap(), completion("answer 2"));
}

#[test]
fn what_is_damaged_is_told_and_can_be_asked_for_anew() {
    let folder = TempDir::new("kept-damaged");
    let cache = Cache::open(folder.path()).unwrap();
    let model = Counting::default();
    let cached = Cached::new(&model, cache.clone(), Mode::Use);
    ask(&cached, Continue::Yes).unwrap();
    fs::write(file_of(&cache, &request("1")), "").unwrap();
    assert!(matches!(ask(&cached, Continue::Yes), Err(Error::Damaged { .. })));
    assert_eq!(model.0.load(Ordering::SeqCst), 1);
    let refreshing = Cached::new(&model, cache, Mode::Refresh);
    assert_eq!(ask(&refreshing, Continue::Yes).unwrap().text, "answer 2");
    assert_eq!(ask(&cached, Continue::Yes).unwrap().text, "answer 2");
}
