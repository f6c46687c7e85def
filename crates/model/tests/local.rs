//! Tiny models from files: what they write, where they stop, what they refuse.

use crate::tiny;

use candle_core::quantized::GgmlDType;
use candle_core::quantized::gguf_file::Value;
use generate::{Continue, Ended, Error, Event, Generator, Message, Prompt, Request, Role};
use model::{LocalModel, Options};
use testkit::TempDir;
use tiny::{CONTEXT, Tiny, ask, request};

const ARCHITECTURES: [&str; 5] = ["llama", "qwen2", "qwen3", "phi3", "gemma3"];

fn message(role: Role, content: &str) -> Message {
    Message { role, content: content.to_owned() }
}

fn chat(content: &str) -> Prompt {
    Prompt::Chat(vec![message(Role::User, content)])
}

#[test]
fn every_architecture_writes_and_writes_the_same_again() {
    let folder = TempDir::new("model-architectures");
    let mut texts = Vec::new();
    for architecture in ARCHITECTURES {
        let model = Tiny::new(architecture).open(folder.path());
        let first = ask(&model, &request("Let x be", 20));
        assert_eq!(first.ended, Ended::Limit, "{architecture}");
        assert_eq!((first.prompt_tokens, first.completion_tokens), (Some(8), Some(20)));
        assert_eq!(first.text.chars().count(), 20);
        // Nothing is left of another request.
        ask(&model, &request("Something else", 5));
        assert_eq!(ask(&model, &request("Let x be", 20)), first, "{architecture}");
        texts.push(first.text);
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), ARCHITECTURES.len(), "{texts:?}");
}

/// What llama.cpp (llama-cpp-python 0.3.36) writes with the same files, token for token.
#[test]
fn every_architecture_writes_what_llama_cpp_writes() {
    let folder = TempDir::new("model-reference");
    let text = |text: &str| Value::String(text.to_owned());
    let check = |tiny: &Tiny, context: usize, expected: &str| {
        let options = Options { context: Some(context), ..Options::default() };
        let model = LocalModel::open(&tiny.write(folder.path()), &options).unwrap();
        let written = ask(&model, &request("Let x be an integer, and y", 24)).text;
        assert_eq!(written, expected, "{}", tiny.architecture);
    };
    check(&Tiny::new("llama"), 512, "QHQHHH$gVCSk^Hi1/AV2\"W`k");
    check(&Tiny::new("qwen2"), 512, "~YsFrAF|@r7@r@r@r@r~Yg@|");
    check(&Tiny::new("qwen3"), 512, "7_&EB&3,&E,&33d73'A)g;EA");
    check(&Tiny::new("phi3"), 512, "GtS$6]t$>mU^Gtyy6yQQQQQQ");
    let gemma = Tiny::new("gemma3").with("gemma3.rope.scaling.type", text("linear"));
    let gemma = gemma.with("gemma3.rope.scaling.factor", Value::F32(8.0));
    check(&gemma, 512, "6666C;;;;;;;..xS0TTTTTTT");

    let frequencies = (1..=8).map(|number| number as f32).collect();
    check(&Tiny::new("llama").with_vector("rope_freqs.weight", frequencies), 512, "F,itY23$^q3$g~^fVr*1-ig=");
    let partly = Tiny::new("phi3").with("phi3.rope.dimension_count", Value::U32(8));
    check(&partly, 512, "QJ:rAFVran2-VQa3HTg5$RQJ");
    let stretched = stretched_phi3();
    check(&stretched, 128, "[WNV>aVD\"s-QB6S\"]snSVD\"$");
    check(&stretched, 512, "k^GWag~YQJg#$YgVr*W\"~VrH");
}

#[test]
fn a_factor_for_positions_is_linear_unless_the_file_says_otherwise() {
    let folder = TempDir::new("model-linear");
    let write = |tiny: &Tiny| ask(&tiny.open(folder.path()), &request("Let x be an integer, and y", 24)).text;
    let llama = || Tiny::new("llama");
    let kind = |kind: &str| Value::String(kind.to_owned());
    let plain = write(&llama());
    let factor = || llama().with("llama.rope.scaling.factor", Value::F32(8.0));
    let linear = write(&factor().with("llama.rope.scaling.type", kind("linear")));
    assert_ne!(linear, plain);
    assert_eq!(write(&factor()), linear);
    assert_eq!(write(&llama().with("llama.rope.scale_linear", Value::F32(8.0))), linear);
    assert_eq!(write(&factor().with("llama.rope.scaling.type", kind("none"))), plain);
    assert_eq!(write(&llama().with("llama.rope.scaling.factor", Value::F32(0.0))), plain);
}

#[test]
fn words_are_cut_as_models_of_the_kind_do_where_the_file_says_nothing() {
    let folder = TempDir::new("model-no-rule");
    let check = |architecture: &'static str, rule: &str| {
        let tiny = Tiny::new(architecture).without("tokenizer.ggml.pre");
        let remark = format!(
            "the metadata does not say how words are cut (`tokenizer.ggml.pre`): they are cut by the rule `{rule}`"
        );
        assert_eq!(tiny.open(folder.path()).remarks()[0], remark);
    };
    check("llama", "gpt-2");
    check("qwen3", "qwen2");
}

/// A model that was made for 256 tokens, and then for 512.
fn stretched_phi3() -> Tiny {
    let numbers = |step: f32| (0..8).map(|number| 1.0 + step * number as f32).collect();
    Tiny::new("phi3")
        .with("phi3.rope.scaling.type", Value::String("longrope".to_owned()))
        .with("phi3.rope.scaling.attn_factor", Value::F32(1.2))
        .with("phi3.rope.scaling.original_context_length", Value::U32(256))
        .with_vector("rope_factors_short.weight", numbers(0.1))
        .with_vector("rope_factors_long.weight", numbers(1.0))
}

#[test]
fn a_model_that_can_be_stretched_is_so_only_when_asked() {
    let folder = TempDir::new("model-stretched");
    let model = stretched_phi3().open(folder.path());
    assert_eq!(model.context(), 256);
    assert_eq!(
        model.remarks()[0],
        "it looks at 256 tokens, for which it was first made; up to 512 can be asked for"
    );
}

/// What has been written and is read again as a prompt leads to the same continuation: positions, the
/// stored keys and values and the masks agree between reading many tokens and writing one.
#[test]
fn reading_and_writing_agree() {
    let folder = TempDir::new("model-agree");
    for architecture in ARCHITECTURES {
        let model = Tiny::new(architecture).open(folder.path());
        // Longer than what goes through the layers at once, and than the window of Gemma.
        let prompt = "x + y = z ".repeat(30);
        let whole = ask(&model, &request(&prompt, 24)).text;
        for cut in [1, 9, 23] {
            let rest = ask(&model, &request(&format!("{prompt}{}", &whole[..cut]), 24 - cut)).text;
            assert_eq!(rest, whole[cut..], "{architecture} at {cut}");
        }
    }
}

#[test]
fn packed_weights_are_used_as_they_are() {
    let folder = TempDir::new("model-packed");
    let mut texts = Vec::new();
    for packing in
        [GgmlDType::F16, GgmlDType::BF16, GgmlDType::Q8_0, GgmlDType::Q5_1, GgmlDType::Q4_1, GgmlDType::Q4_0]
    {
        let tiny = Tiny { packing, ..Tiny::new("llama") };
        let model = tiny.open(folder.path());
        let name = format!("{packing:?}");
        assert!(model.name().contains(&name), "{}", model.name());
        texts.push(ask(&model, &request("Let x be", 16)).text);
    }
    // Sixteen bits are nearly as good as thirty-two.
    assert_eq!(texts[0], ask(&Tiny::new("llama").open(folder.path()), &request("Let x be", 16)).text);
    assert_ne!(texts[0], texts[5]);
}

/// These are multiplied by candle, and need rows of 256 numbers.
#[test]
fn weights_packed_by_k_are_used_as_they_are() {
    let folder = TempDir::new("model-packed-by-k");
    let tiny = |packing| Tiny { packing, hidden: 256, ..Tiny::new("llama") };
    for (packing, name) in [
        (GgmlDType::Q2K, "Q2_K"),
        (GgmlDType::Q3K, "Q3_K"),
        (GgmlDType::Q4K, "Q4_K"),
        (GgmlDType::Q5K, "Q5_K"),
        (GgmlDType::Q6K, "Q6_K"),
    ] {
        let model = tiny(packing).open(folder.path());
        assert!(model.name().contains(name), "{}", model.name());
        let prompt = "x + y = z ".repeat(30);
        let whole = ask(&model, &request(&prompt, 16)).text;
        let rest = ask(&model, &request(&format!("{prompt}{}", &whole[..5]), 11)).text;
        assert_eq!(rest, whole[5..], "{name}");
    }
}

#[test]
fn chance_depends_on_the_seed_and_on_nothing_else() {
    let folder = TempDir::new("model-chance");
    let model = Tiny::new("llama").open(folder.path());
    let draw =
        |seed, temperature| ask(&model, &Request { seed, temperature, ..request("Let x be", 20) }).text;
    assert_eq!(draw(1, 1.0), draw(1, 1.0));
    assert_ne!(draw(1, 1.0), draw(2, 1.0));
    assert_eq!(draw(1, 0.0), draw(2, 0.0));
    assert_eq!(draw(3, 1e-6), draw(1, 0.0));
    let broken = Request { temperature: -1.0, ..request("a", 1) };
    assert!(matches!(model.generate(&broken, &mut |_| Continue::Yes), Err(Error::Model { .. })));
}

#[test]
fn several_threads_may_ask_at_once() {
    let folder = TempDir::new("model-threads");
    let model = Tiny::new("llama").open(folder.path());
    let alone: Vec<String> = (0..4).map(|seed| ask(&model, &draws(seed)).text).collect();
    let together: Vec<String> = std::thread::scope(|scope| {
        let model = &model;
        let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || ask(model, &draws(seed)).text)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}

fn draws(seed: u64) -> Request {
    Request { seed, temperature: 1.0, ..request("Let x be", 20) }
}

#[test]
fn it_stops_at_texts_at_its_own_end_and_when_nobody_listens() {
    let folder = TempDir::new("model-stops");
    let model = Tiny::new("llama").open(folder.path());
    let whole = ask(&model, &request("Let x be", 20)).text;

    let stop = whole[6..8].to_owned();
    let at = whole.find(&stop).unwrap();
    let stopped = ask(&model, &Request { stop: vec!["never".to_owned(), stop], ..request("Let x be", 20) });
    assert_eq!((stopped.text.as_str(), stopped.ended), (&whole[..at], Ended::Itself));
    assert_eq!(stopped.completion_tokens, Some(at as u64 + 2));

    let mut heard = 0;
    let enough = model.generate(&request("Let x be", 20), &mut |_| {
        heard += 1;
        if heard < 3 { Continue::Yes } else { Continue::No }
    });
    let enough = enough.unwrap();
    assert_eq!((enough.text.as_str(), enough.ended), (&whole[..3], Ended::Stopped));

    // The same model, with the fifth token as its last.
    let last = whole.as_bytes()[4];
    let end = Value::U32(3 + u32::from(last));
    let model = Tiny::new("llama").with("tokenizer.ggml.eos_token_id", end).open(folder.path());
    let ended = ask(&model, &request("Let x be", 20));
    let first = whole.bytes().position(|byte| byte == last).unwrap();
    assert_eq!((ended.text.as_str(), ended.ended), (&whole[..first], Ended::Itself));
}

#[test]
fn it_can_be_stopped_while_it_reads_the_prompt() {
    let folder = TempDir::new("model-reading");
    let model = Tiny::new("llama").open(folder.path());
    let long = request(&"x".repeat(400), 5);
    let mut events = Vec::new();
    let mut listen = |limit: usize| {
        events.clear();
        let completion = model.generate(&long, &mut |event| {
            events.push(if let Event::Text(text) = event { text.to_owned() } else { format!("{event:?}") });
            if events.len() < limit { Continue::Yes } else { Continue::No }
        });
        (completion.unwrap(), events.clone())
    };
    let (stopped, events) = listen(1);
    assert_eq!((stopped.text.as_str(), stopped.ended), ("", Ended::Stopped));
    assert_eq!((stopped.prompt_tokens, stopped.completion_tokens), (Some(400), Some(0)));
    assert_eq!(events, ["Waiting"]);
    // Two layers read the prompt in two steps before there is something to tell.
    let (stopped, events) = listen(5);
    assert_eq!(events[..4], ["Waiting"; 4]);
    assert_eq!((stopped.text, stopped.ended), (events[4].clone(), Ended::Stopped));
}

#[test]
fn there_is_room_for_a_context_and_no_more() {
    let folder = TempDir::new("model-room");
    let tiny = Tiny::new("llama");
    let model = tiny.open(folder.path());
    assert_eq!(model.context(), CONTEXT);
    // Two layers with two heads of sixteen numbers each, keys and values, four bytes each.
    assert_eq!(model.bytes_per_token(), 2 * 2 * 16 * 2 * 4);

    let full = ask(&model, &request(&"x".repeat(CONTEXT - 2), 20));
    assert_eq!((full.completion_tokens, full.ended), (Some(2), Ended::Limit));
    let none = ask(&model, &request(&"x".repeat(CONTEXT), 20));
    assert_eq!((none.text.as_str(), none.completion_tokens, none.ended), ("", Some(0), Ended::Limit));
    assert_eq!(ask(&model, &request("x", 0)).ended, Ended::Limit);
    let long = model.generate(&request(&"x".repeat(CONTEXT + 1), 20), &mut |_| Continue::Yes).unwrap_err();
    assert!(matches!(long, Error::TooLong { tokens: 513, limit: 512, .. }), "{long}");
    let empty = model.generate(&request("", 20), &mut |_| Continue::Yes).unwrap_err();
    assert!(empty.to_string().ends_with("the prompt is empty"), "{empty}");

    let path = tiny.write(folder.path());
    let small = LocalModel::open(&path, &Options { context: Some(10), ..Options::default() }).unwrap();
    assert_eq!(ask(&small, &request("Let x be", 20)).completion_tokens, Some(2));
    let large = LocalModel::open(&path, &Options { context: Some(513), ..Options::default() }).unwrap_err();
    assert!(
        large.to_string().ends_with("a context of 513 tokens was asked for; it was made for 512"),
        "{large}"
    );
}

#[test]
fn the_name_says_what_it_is() {
    let folder = TempDir::new("model-name");
    let path = Tiny { packing: GgmlDType::Q8_0, ..Tiny::new("qwen3") }.write(folder.path());
    let model = LocalModel::open(&path, &Options::default()).unwrap();
    let name = model.name();
    let (before, checksum) = name.split_once("xxh3 ").unwrap();
    assert_eq!(before, "tiny-qwen3.gguf (qwen3, 132416 parameters, Q8_0, ");
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(checksum, format!("{:016x})", xxhash_rust::xxh3::xxh3_64(&bytes)));
    // What it writes depends on how much it looks at, and the completions of two models are kept by name.
    let open = |context: usize| {
        LocalModel::open(&path, &Options { context: Some(context), ..Options::default() }).unwrap().name()
    };
    assert_eq!(open(CONTEXT), name);
    assert_eq!(open(100), format!("{}, context 100)", name.strip_suffix(')').unwrap()));
}

#[test]
fn without_a_template_a_chat_is_chat_ml() {
    let folder = TempDir::new("model-chatml");
    let model = Tiny::new("llama").open(folder.path());
    assert_eq!(model.remarks(), ["there is no chat template: ChatML is used"]);
    // start u s e r \n, a, end \n, start, a s s i s t an t \n
    assert_eq!(model.count_tokens(&chat("a")).unwrap(), 6 + 1 + 2 + 1 + 9);
}

#[test]
fn without_a_template_and_without_tokens_for_turns_a_chat_is_plain_text() {
    let folder = TempDir::new("model-plain");
    let mut tokens = tiny::tokens();
    tokens[1] = "<one>".to_owned();
    tokens[2] = "<two>".to_owned();
    let tokens = Value::Array(tokens.into_iter().map(Value::String).collect());
    let tiny = Tiny::new("llama").with("tokenizer.ggml.tokens", tokens);
    let model = tiny.open(folder.path());
    let used = "turns are written as `User: …` and `Assistant: …`, because there are no tokens for ChatML";
    assert_eq!(model.remarks(), [format!("there is no chat template: {used}")]);
    let prompt = Prompt::Chat(vec![message(Role::System, "bc"), message(Role::User, "d")]);
    // `an` is one token.
    let text = "System: bc\n\nUser: d\n\nAssistant:";
    assert_eq!(model.count_tokens(&prompt).unwrap(), text.len() - 1);
    let as_text = Request { prompt: Prompt::Text(text.to_owned()), ..request("", 9) };
    assert_eq!(ask(&model, &Request { prompt, ..request("", 9) }), ask(&model, &as_text));
    let broken = Tiny { template: Some("{% for %}".to_owned()), ..tiny }.open(folder.path());
    assert!(broken.remarks()[0].ends_with(used), "{:?}", broken.remarks());
}

#[test]
fn a_template_is_used_and_nobody_can_write_its_markers() {
    let folder = TempDir::new("model-template");
    let template = "{% for m in messages %}<|im_start|>{{ m['content'] | trim }}<|im_end|>{% endfor %}";
    let model = Tiny { template: Some(template.to_owned()), ..Tiny::new("llama") }.open(folder.path());
    assert_eq!(model.remarks(), [""; 0]);
    let count = |content: &str| model.count_tokens(&chat(content)).unwrap();
    assert_eq!(count(" a "), 3);
    // Ten characters, as in a plain text, and not one token.
    assert_eq!(count("<|im_end|>"), 12);
    assert_eq!(model.count_tokens(&Prompt::Text("<|im_end|>".to_owned())).unwrap(), 10);
    // Nor with the help of the template's own.
    assert_eq!(count("x<|im_end|> <|im_start|"), 2 + 23);
    assert_eq!(count("|im_end|>"), 2 + 9);
    // What would be a shield is a character like any other: three bytes.
    assert_eq!(count("\u{fdd0}<|im_end|>"), 2 + 3 + 10);
}

#[test]
fn a_model_is_told_not_to_think() {
    let folder = TempDir::new("model-thinking");
    let template = "{{ messages[0].content }}{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}";
    let model = Tiny { template: Some(template.to_owned()), ..Tiny::new("qwen3") }.open(folder.path());
    // `th` is one token.
    assert_eq!(model.count_tokens(&chat("a")).unwrap(), "a<think>\n\n</think>\n\n".len() - 2);
}

#[test]
fn a_thought_that_the_template_opens_is_seen_as_one() {
    let folder = TempDir::new("model-thought");
    let template = "{{ messages[0].content }}<think>{{ '\n' }}";
    let model = Tiny { template: Some(template.to_owned()), ..Tiny::new("llama") }.open(folder.path());
    let asked = |prompt: Prompt| ask(&model, &Request { prompt, ..request("", 5) });
    let thought = asked(chat("a"));
    assert_eq!((thought.text.len(), thought.completion_tokens), ("<think>".len() + 5, Some(5)));
    assert_eq!(generate::without_thoughts(&thought.text), None);
    // What is continued as it is has no template.
    assert_eq!(asked(Prompt::Text("a<think>\n".to_owned())).text, thought.text["<think>".len()..]);
    // Nobody opens a thought by writing the mark.
    let template = Some("{{ messages[0].content }}".to_owned());
    let model = Tiny { template, ..Tiny::new("llama") }.open(folder.path());
    let written = ask(&model, &Request { prompt: chat("<think>"), ..request("", 5) });
    assert_eq!(written.text.len(), 5);
}

#[test]
fn markers_are_markers_whatever_the_file_calls_them() {
    let folder = TempDir::new("model-kinds");
    // Normal, and defined by users.
    for kind in [1, 4] {
        let kinds = tiny::tokens().iter().map(|_| Value::I32(1)).collect::<Vec<_>>();
        let kinds = [vec![Value::I32(kind); 3], kinds[3..].to_vec()].concat();
        let tiny = Tiny::new("llama").with("tokenizer.ggml.token_type", Value::Array(kinds));
        let model = tiny.open(folder.path());
        assert_eq!(model.count_tokens(&chat("a")).unwrap(), 6 + 1 + 2 + 1 + 9, "{kind}");
        assert_eq!(model.count_tokens(&Prompt::Text("<|im_end|>".to_owned())).unwrap(), 10, "{kind}");
        assert_eq!(model.count_tokens(&chat("<|im_end|>")).unwrap(), 6 + 10 + 2 + 1 + 9, "{kind}");
    }
}

#[test]
fn a_vocabulary_of_pieces_reads_and_writes() {
    let folder = TempDir::new("model-pieces");
    let tiny = Tiny::new("llama").with_pieces();
    let model = tiny.open(folder.path());
    let count = |text: &str| model.count_tokens(&Prompt::Text(text.to_owned())).unwrap();
    // `▁a`; `▁`, two bytes; `▁a`, `▁a`, a byte, `a`.
    assert_eq!([count("a"), count("é"), count("a aba")], [1, 3, 4]);
    let written = ask(&model, &request("Let x be", 20));
    assert_eq!((written.text.chars().count(), written.prompt_tokens), (20, Some(9)));
    // What was written is read as it was.
    let prompt = format!("Let x be{}", &written.text[..7]);
    assert_eq!(ask(&model, &request(&prompt, 13)).text, written.text[7..]);
    let begins = tiny.with("tokenizer.ggml.add_bos_token", Value::Bool(true)).open(folder.path());
    assert_eq!(begins.count_tokens(&Prompt::Text("a".to_owned())).unwrap(), 2);
}

#[test]
fn control_tokens_of_phi_3_take_the_blanks_after_them() {
    let folder = TempDir::new("model-strips");
    let template = "{{ '<|user|>\n' }}{{ messages[0].content }}{{ '<|end|>\n' }}".to_owned();
    let count = |architecture: &'static str| {
        let tiny = Tiny { template: Some(template.clone()), ..Tiny::new(architecture) }.with_pieces();
        tiny.open(folder.path()).count_tokens(&chat("a")).unwrap()
    };
    assert_eq!(count("phi3"), 3);
    // A blank, a line end, and `a`; a blank and a line end.
    assert_eq!(count("llama"), 1 + 3 + 1 + 2);
}

#[test]
fn merges_make_tokens_longer() {
    let folder = TempDir::new("model-merges");
    let model = Tiny::new("llama").open(folder.path());
    let count = |text: &str| model.count_tokens(&Prompt::Text(text.to_owned())).unwrap();
    assert_eq!(count("an ant the theory"), 1 + 1 + 2 + 1 + 1 + 3);
    assert_eq!(count("≤"), 3);
}

#[test]
fn a_template_that_knows_no_system_gets_it_in_the_first_turn() {
    let folder = TempDir::new("model-system");
    let template = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}\
        {% for m in messages %}{{ m.content.strip() }}{% endfor %}";
    let model = Tiny { template: Some(template.to_owned()), ..Tiny::new("llama") }.open(folder.path());
    assert_eq!(model.remarks(), [""; 0]);
    let prompt = Prompt::Chat(vec![message(Role::System, "bc"), message(Role::User, "d")]);
    assert_eq!(model.count_tokens(&prompt).unwrap(), "bc\n\nd".len());
}

#[test]
fn a_template_that_does_not_work_is_told_and_one_without_end_ends() {
    let folder = TempDir::new("model-broken-template");
    for template in [
        "{% for %}",
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{{ raise_exception('no') }}",
    ] {
        let model = Tiny { template: Some(template.to_owned()), ..Tiny::new("llama") }.open(folder.path());
        let [remark] = model.remarks() else { panic!("{:?}", model.remarks()) };
        assert!(remark.starts_with("the chat template does not work ("), "{remark}");
        assert_eq!(model.count_tokens(&chat("a")).unwrap(), 19);
    }
    // One that works, but not for this conversation.
    let template = "{% for m in messages %}{% if loop.index0 > 1 %}{{ raise_exception('too many turns') }}{% endif %}{{ m.content }}{% endfor %}";
    let model = Tiny { template: Some(template.to_owned()), ..Tiny::new("llama") }.open(folder.path());
    let turns = Prompt::Chat(vec![message(Role::User, "a"); 3]);
    let refused = model.count_tokens(&turns).unwrap_err();
    assert!(refused.to_string().contains("too many turns"), "{refused}");
}

/// What would take hours or all memory: a file that brings it opens at once, and says that it is not used.
#[test]
fn a_template_that_would_grow_without_end_is_not_used() {
    let folder = TempDir::new("model-hostile");
    let grows = |step: &str| {
        format!("{{% set n = namespace(x='abcdefgh') %}}{{% for i in range(99) %}}{step}{{% endfor %}}")
    };
    let mut templates: Vec<String> = [
        "{% set n.x = n.x ~ n.x %}",
        "{% set n.x = n.x + n.x %}",
        "{% set n.x = 'b' ~ n.x ~ n.x %}",
        "{% set n.x = [n.x, n.x] %}",
        "{% set n.x = [n.x] + [n.x] %}",
        "{% set n.x = {'a': n.x, 'b': n.x} %}",
        "{% set n.x = [n] %}",
        "{% set n.x = [n.x] %}",
        "{% set n.x = n.x * 999999 %}",
        "{% set n.x = n.x.replace('', n.x) %}",
        "{% set n.x = n.x | replace('', n.x) %}",
        "{% set n.x = n.x | join(n.x) %}",
        "{% set n.x = n.x.join([n.x, n.x]) %}",
        "{% set n.x = ([n.x, n.x]) | string %}",
        "{% set y %}{{ n.x }}{{ n.x }}{% endset %}{% set n.x = y %}",
    ]
    .map(grows)
    .to_vec();
    templates.extend(
        [
            "{{ 'a' | indent(9999999999999, true) }}",
            "{{ 'a\\nb' | indent(99999999999) }}",
            "{{ '%99999999999s' | format('a') }}",
            "{{ '{:>99999999999}'.format('a') }}",
            "{{ [1] | tojson(indent=99999999999) }}",
            "{{ 'a' * 99999999 }}{{ 'a' * 99999999 }}",
            "{{ ([0] * 99999999) | list | length }}",
            "{% macro f(x) %}{{ f(x ~ x) }}{% endmacro %}{{ f('abcdefgh') }}",
            "{% macro f(x) %}{{ f([x, x]) }}{% endmacro %}{{ f('abcdefgh') }}",
            "{% for i in range(99999) %}{% for j in range(99999) %}a{% endfor %}{% endfor %}",
            "{% for i in range(9999) %}{{ messages[0].content * 999 }}{% endfor %}",
        ]
        .map(str::to_owned),
    );
    let long = "a".repeat(1 << 20);
    templates.push(long);
    let tiny = |template: String| Tiny { template: Some(template), ..Tiny::new("llama") };
    for template in templates {
        let shown: String = template.chars().take(200).collect();
        let model = tiny(template).open(folder.path());
        let [remark] = model.remarks() else { panic!("{shown}: {:?}", model.remarks()) };
        assert!(
            remark.starts_with("the chat template does not work (") && remark.len() < 1000,
            "{shown}: {remark}"
        );
        assert_eq!(model.count_tokens(&chat("a")).unwrap(), 19, "{shown}");
    }
}

/// Templates as makers write them.
#[test]
fn what_makers_write_works() {
    let folder = TempDir::new("model-makers");
    let check = |template: &str, messages: Vec<Message>, expected: &str| {
        let model = Tiny { template: Some(template.to_owned()), ..Tiny::new("llama") }.open(folder.path());
        assert_eq!(model.remarks(), [""; 0], "{template}");
        let asked = |prompt| ask(&model, &Request { prompt, ..request("", 6) });
        let expected = Prompt::Text(expected.to_owned());
        assert_eq!(asked(Prompt::Chat(messages)), asked(expected), "{template}");
    };
    let talk = || vec![message(Role::System, " sys "), message(Role::User, "one\n")];
    check(
        "{%- set ns = namespace(text='', first=true) -%}\n{%- for message in messages %}\n\
         {%- set content = '[' + message['role'] + ']' + message['content'] | trim ~ '.' %}\n\
         {%- set ns.text = ns.text + content + ('\\n' if not loop.last else '') %}\n\
         {%- endfor -%}\n{{- ns.text -}}\n{%- if add_generation_prompt %}{{ '[assistant]' }}{% endif %}",
        talk(),
        "[system]sys.\n[user]one.[assistant]",
    );
    check(
        "{%- if messages[0].role == 'system' %}{{- '<' + messages[0].content.strip() + '>\\n\\n' }}{%- endif %}\
         {%- for message in messages[::-1] %}{%- set index = (messages|length - 1) - loop.index0 %}\
         {%- if message.role == \"user\" and message.content is string and not(message.content.startswith('<tool')) %}\
         {{- index ~ message.content.split('</think>')[-1].lstrip('\\n') }}{%- endif %}{%- endfor %}\
         {# a + b #}{% raw %}{{ a + b }}{% endraw %}",
        talk(),
        "<sys>\n\n1one\n{{ a + b }}",
    );
    check(
        "{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 1) %}\
         {{ raise_exception('roles must alternate') }}{% endif %}{{ message.content|trim|replace('n', 'm') }}\
         {{ ', '.join(['a', 'b']) }}{{ {'k': [1, 2]} | tojson }}{% if message.role in ['user', 'x'] %}!{% endif %}{% endfor %}",
        talk(),
        "sysa, b{\"k\": [1, 2]}omea, b{\"k\": [1, 2]}!",
    );
}

#[test]
fn a_tokenizer_beside_the_file_counts_more() {
    let folder = TempDir::new("model-json");
    let path = Tiny::new("llama").write(folder.path());
    let described = described(&tiny::tokens());
    let json = folder.path().join("tokenizer.json");
    let own = LocalModel::open(&path, &Options::default()).unwrap();
    std::fs::write(&json, described.to_string()).unwrap();
    let beside = LocalModel::open(&path, &Options::default()).unwrap();
    let the = Prompt::Text("the".to_owned());
    assert_eq!(own.count_tokens(&the).unwrap(), 1);
    assert_eq!(beside.count_tokens(&the).unwrap(), 3);
    assert_eq!(beside.count_tokens(&Prompt::Text("<|im_end|>".to_owned())).unwrap(), 10);
    assert_eq!(ask(&own, &request("Let x be", 9)), ask(&beside, &request("Let x be", 9)));
    let checksum = xxhash_rust::xxh3::xxh3_64(described.to_string().as_bytes());
    let name = format!("{}, tokenizer.json xxh3 {checksum:016x})", own.name().strip_suffix(')').unwrap());
    assert_eq!(beside.name(), name);

    std::fs::write(&json, "{}").unwrap();
    let broken = LocalModel::open(&path, &Options::default()).unwrap_err();
    assert!(broken.to_string().contains("tokenizer.json: not a tokenizer"), "{broken}");
}

#[test]
fn a_tokenizer_of_another_model_is_not_used() {
    let folder = TempDir::new("model-other-json");
    let path = Tiny::new("llama").write(folder.path());
    let own = LocalModel::open(&path, &Options::default()).unwrap();
    let json = folder.path().join("tokenizer.json");
    let check = |tokens: &[String], difference: &str| {
        std::fs::write(&json, described(tokens).to_string()).unwrap();
        let model = LocalModel::open(&path, &Options::default()).unwrap();
        assert_eq!(model.remarks()[0], format!("{} is not used: {difference}", json.display()));
        assert_eq!(model.name(), own.name());
        assert_eq!(model.count_tokens(&Prompt::Text("the".to_owned())).unwrap(), 1);
    };
    let mut tokens = tiny::tokens();
    tokens.swap(100, 101);
    check(&tokens, "its token 100 is `b`, and the model's is `a`");
    check(&tiny::tokens()[..200], "it lacks 63 of the model's 263 tokens");
    // Where the metadata cannot be used instead, it is an error.
    let path =
        Tiny::new("llama").with("tokenizer.ggml.model", Value::String("t5".to_owned())).write(folder.path());
    let error = LocalModel::open(&path, &Options::default()).unwrap_err().to_string();
    assert!(
        error.ends_with("tokenizer.json: it is another model's: it lacks 63 of the model's 263 tokens"),
        "{error}"
    );
    // Where it says nothing, the tokenizer is taken.
    let path = Tiny::new("llama").without("tokenizer.ggml.tokens").write(folder.path());
    std::fs::write(&json, described(&tiny::tokens()).to_string()).unwrap();
    let model = LocalModel::open(&path, &Options::default()).unwrap();
    // As ever, but without merges `an` is two tokens.
    assert_eq!(model.count_tokens(&chat("a")).unwrap(), 19 + 1);
}

/// A tokenizer without merges for these tokens.
fn described(tokens: &[String]) -> serde_json::Value {
    let vocabulary: serde_json::Map<String, serde_json::Value> =
        tokens.iter().cloned().zip(0..).map(|(token, id): (String, u32)| (token, id.into())).collect();
    serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
        "added_tokens": [{
            "id": 2, "content": "<|im_end|>", "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false, "special": true
        }],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "decoder": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "vocab": vocabulary, "merges": []
        }
    })
}
