//! Answers that a language model writes: asked again until one is short enough, then made fit to be given.

use crate::checks::{checked, failed};
use crate::error::Error;
use crate::system::GenerateStage;
use claims::Claim;
use generate::{
    Completion, Continue, Ended, Event, Generator, Prompt, Request, ThoughtFilter, without_thoughts,
};
use markup::{Cleaner, Dollars, Markup};
use post::{Pieces, Quote, is_balanced, units};
use retrieve::{Deadline, Query};

/// What whoever waits for an answer is told while a model writes it.
pub type Told<'t> = dyn FnMut(Event<'_>) -> Continue + 't;

/// A language model, and where chance comes from.
pub struct Writer<'g> {
    generator: &'g dyn Generator,
    seed: u64,
    question: Option<&'g Query>,
}

/// What a model wrote, made fit to be given.
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) tries: u32,
    pub(crate) cut: bool,
    pub(crate) claims: Vec<Claim>,
}

/// What the claims of an answer are tested against.
pub(crate) struct Check<'c> {
    /// What was asked: its definitions and assumptions hold in the answer, too.
    pub(crate) question: String,
    pub(crate) deadline: &'c Deadline,
}

impl<'g> Writer<'g> {
    /// A model that writes; the same seed gives the same answer, as far as the model keeps to it.
    #[must_use]
    pub fn new(generator: &'g dyn Generator, seed: u64) -> Self {
        Self { generator, seed, question: None }
    }

    /// The same for a question whose sources are searched for by another query, such as one made by hand.
    #[must_use]
    pub fn for_question(self, question: &'g Query) -> Self {
        Self { question: Some(question), ..self }
    }

    /// What the model is asked, where that is not what is searched for.
    pub(crate) fn question(&self) -> Option<&Query> {
        self.question
    }

    /// What the model is called.
    #[must_use]
    pub fn name(&self) -> String {
        self.generator.name()
    }

    /// Lets the model write as many answers as the system wants, and takes the first whose claims hold as far as
    /// they can be tested; if each has one that fails, the first of those with the fewest.
    pub(crate) fn write(
        &self,
        stage: &GenerateStage,
        prompt: Prompt,
        check: &Check<'_>,
        told: &mut Told<'_>,
    ) -> Result<Written, Error> {
        let mut best: Option<(usize, Written)> = None;
        let mut asked = 0;
        for number in 0..stage.candidates {
            if number > 0 && (check.deadline.is_over() || told(Event::Restart) == Continue::No) {
                break;
            }
            let seed = self.seed.wrapping_add(u64::from(number) * u64::from(stage.tries));
            let (mut written, ended) = self.write_one(stage, prompt.clone(), seed, told)?;
            asked += written.tries;
            written.claims = checked(&written.text, &check.question, check.deadline);
            let failed = failed(&written.claims);
            let is_said = !written.text.is_empty();
            let is_better =
                |(least, known): &(usize, Written)| is_said && (known.text.is_empty() || failed < *least);
            if best.as_ref().is_none_or(is_better) {
                best = Some((failed, written));
            }
            if (is_said && failed == 0) || ended == Ended::Stopped {
                break;
            }
        }
        let (_, written) = best.expect("a system lets a model write at least one answer");
        Ok(Written { tries: asked, ..written })
    }

    /// Asks until the model ended by itself and what it wrote is short enough, as the labs did, but not for
    /// ever. What is still too long then is cut after the last sentence that fits.
    fn write_one(
        &self,
        stage: &GenerateStage,
        prompt: Prompt,
        seed: u64,
        told: &mut Told<'_>,
    ) -> Result<(Written, Ended), Error> {
        let mut request = Request {
            prompt,
            temperature: stage.temperature,
            max_tokens: stage.max_tokens,
            seed,
            // A model that goes on asking itself has answered.
            stop: vec!["\nQ:".to_owned()],
        };
        // Without chance the same would be written again.
        let most = if stage.temperature > 0.0 { stage.tries } else { 1 };
        let mut kept: Option<(String, bool)> = None;
        let (mut tries, mut last) = (most, Ended::Itself);
        for attempt in 1..=most {
            if attempt > 1 && told(Event::Restart) == Continue::No {
                (tries, last) = (attempt - 1, Ended::Stopped);
                break;
            }
            let Completion { text, ended, .. } = self.ask(&request, told)?;
            // A model that has not done thinking has not answered.
            let text = without_thoughts(&text).map_or_else(String::new, |text| mend(without_label(text)));
            let fits = text.chars().count() <= stage.longest;
            if ended == Ended::Itself && fits && !text.is_empty() {
                return Ok((Written { text, tries: attempt, cut: false, claims: Vec::new() }, ended));
            }
            // Of those that are not fit as they are the one that says most within the limit is kept; the first
            // of several.
            let (text, cut) = shortened(&text, stage.longest);
            if kept.as_ref().is_none_or(|(kept, _)| text.chars().count() > kept.chars().count()) {
                kept = Some((text, cut || ended == Ended::Limit));
            }
            // Who stopped it waits no longer, but gets what was written before.
            if ended == Ended::Stopped {
                (tries, last) = (attempt, Ended::Stopped);
                break;
            }
            request.seed = request.seed.wrapping_add(1);
        }
        let (text, cut) = kept.unwrap_or_default();
        Ok((Written { cut: cut && !text.is_empty(), text, tries, claims: Vec::new() }, last))
    }

    /// Asks once; thoughts are not told.
    fn ask(&self, request: &Request, told: &mut Told<'_>) -> Result<Completion, Error> {
        let mut filter = ThoughtFilter::default();
        let completion = self.generator.generate(request, &mut |event| match event {
            Event::Text(piece) => match filter.add(piece).as_str() {
                "" => told(Event::Waiting),
                shown => told(Event::Text(shown)),
            },
            Event::Restart => {
                filter = ThoughtFilter::default();
                told(event)
            }
            Event::Waiting => told(event),
        })?;
        let rest = filter.finish();
        if !rest.is_empty() {
            told(Event::Text(&rest));
        }
        Ok(completion)
    }
}

/// What was written without a leading `A:`, which some models repeat.
fn without_label(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix("A:").or_else(|| text.strip_prefix("Answer:")).unwrap_or(text).trim_start()
}

/// What a model wrote as plain text: Markdown taken away, formulas between dollars whatever they stood
/// between, and balanced.
///
/// ```
/// use answer::mend;
/// assert_eq!(mend("**So** \\(x^2\\) costs $5."), "So $x^2$ costs \\$5.");
/// assert_eq!(mend("Then \\[x\\] and $y$"), "Then\n$$x$$\nand $y$");
/// ```
#[must_use]
pub fn mend(text: &str) -> String {
    let pieces = pieces(text);
    let quote = Quote::of(&units(&pieces));
    debug_assert!(is_balanced(quote.text()), "units are written balanced");
    quote.text().to_owned()
}

fn pieces(text: &str) -> Pieces {
    Pieces::of_cleaned(&Cleaner::new().clean(text, Markup::Markdown, Dollars::Math))
}

/// A text cut after the last unit that fits, and whether it was cut. If not even the first fits, its words are
/// cut where no formula is open.
fn shortened(text: &str, longest: usize) -> (String, bool) {
    if text.chars().count() <= longest {
        return (text.to_owned(), false);
    }
    let units = units(&pieces(text));
    let mut quote = Quote::default();
    let mut before = None;
    for unit in &units {
        if quote.characters_with(unit, before) > longest {
            break;
        }
        quote.push(unit, before);
        before = Some(unit);
    }
    if quote.characters() > 0 {
        return (quote.text().to_owned(), true);
    }
    let blanks = text.char_indices().take(longest + 1).filter(|(_, c)| c.is_whitespace());
    let ends: Vec<usize> = blanks.map(|(at, _)| at).collect();
    let end = ends.into_iter().rfind(|end| is_balanced(&text[..*end])).unwrap_or(0);
    (text[..end].trim_end().to_owned(), true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::PromptKind;
    use generate::Error as GenerateError;
    use proptest::prelude::*;
    use std::sync::Mutex;

    /// A model that says one thing after another.
    struct Parrot(Mutex<Vec<(&'static str, Ended)>>, Mutex<Vec<u64>>);

    impl Generator for Parrot {
        fn name(&self) -> String {
            "parrot".to_owned()
        }

        fn generate(&self, request: &Request, told: &mut Told<'_>) -> Result<Completion, GenerateError> {
            self.1.lock().unwrap().push(request.seed);
            let (text, ended) = self.0.lock().unwrap().remove(0);
            told(Event::Text(text));
            Ok(Completion::new(text, ended))
        }
    }

    fn stage(longest: usize) -> GenerateStage {
        GenerateStage {
            prompt: PromptKind::Labs,
            sources: 0,
            source_characters: 0,
            temperature: 0.7,
            max_tokens: 570,
            tries: 3,
            candidates: 1,
            longest,
        }
    }

    fn write(said: &[(&'static str, Ended)], longest: usize) -> (String, u32, bool, Vec<u64>) {
        let parrot = Parrot(Mutex::new(said.to_vec()), Mutex::default());
        let written = of(&parrot, &stage(longest), &mut |_: Event<'_>| Continue::Yes);
        (written.text, written.tries, written.cut, parrot.1.into_inner().unwrap())
    }

    fn of(parrot: &Parrot, stage: &GenerateStage, told: &mut Told<'_>) -> Written {
        let deadline = Deadline::default();
        let check = Check { question: String::new(), deadline: &deadline };
        Writer::new(parrot, 7).write(stage, Prompt::Text(String::new()), &check, told).unwrap()
    }

    #[test]
    fn the_first_answer_without_a_failed_claim_is_given() {
        let yes = |text| (text, Ended::Itself);
        let check = |said: &[&'static str], expected: &str, seeds: &[u64]| {
            let parrot = Parrot(Mutex::new(said.iter().copied().map(yes).collect()), Mutex::default());
            let stage = GenerateStage { candidates: 3, ..stage(40) };
            let written = of(&parrot, &stage, &mut |_: Event<'_>| Continue::Yes);
            assert_eq!((written.text.as_str(), written.tries as usize), (expected, seeds.len()));
            assert_eq!(parrot.1.into_inner().unwrap(), seeds);
        };
        let (right, wrong, worse) = ("So $2+2=4$.", "So $2+2=5$.", "So $2+2=5$ and $2+2=6$.");
        check(&[right], right, &[7]);
        check(&[wrong, right], right, &[7, 10]);
        check(&[worse, wrong, wrong], wrong, &[7, 10, 13]);
        check(&[wrong, "So $1+1=3$.", worse], wrong, &[7, 10, 13]);
        check(&[wrong, "It is so."], "It is so.", &[7, 10]);
    }

    #[test]
    fn it_is_asked_until_the_answer_is_short_enough() {
        let (itself, limit) = (Ended::Itself, Ended::Limit);
        let long = "It is. So it is.";
        assert_eq!(
            write(&[(long, itself), ("A: Yes.", itself)], 8),
            ("Yes.".to_owned(), 2, false, vec![7, 8])
        );
        assert_eq!(write(&[("Yes", limit), ("No.", itself)], 8), ("No.".to_owned(), 2, false, vec![7, 8]));
        assert_eq!(write(&[("", itself), ("No.", itself)], 8), ("No.".to_owned(), 2, false, vec![7, 8]));
        let always = [(long, itself), (long, limit), (long, itself)];
        assert_eq!(write(&always, 8), ("It is.".to_owned(), 3, true, vec![7, 8, 9]));
        assert_eq!(write(&[("", itself); 3], 8), (String::new(), 3, false, vec![7, 8, 9]));
    }

    #[test]
    fn who_stops_a_later_try_gets_the_longer_text() {
        let said = [("It is. So it is.", Ended::Itself), ("No", Ended::Stopped)];
        assert_eq!(write(&said, 8), ("It is.".to_owned(), 2, true, vec![7, 8]));
        let said = [("It is. So it is.", Ended::Itself), ("It was so", Ended::Stopped)];
        assert_eq!(write(&said, 9), ("It was so".to_owned(), 2, false, vec![7, 8]));
        assert_eq!(write(&[("", Ended::Stopped)], 9), (String::new(), 1, false, vec![7]));
    }

    #[test]
    fn thoughts_are_no_answer_and_one_who_still_thinks_is_asked_again() {
        let (itself, limit) = (Ended::Itself, Ended::Limit);
        let said = [("<think>It is. So it is.</think>\n\nA: Yes.", itself)];
        assert_eq!(write(&said, 8), ("Yes.".to_owned(), 1, false, vec![7]));
        assert_eq!(
            write(&[("<think>Hm", limit), ("Hm.</think>No.", itself)], 8),
            ("No.".to_owned(), 2, false, vec![7, 8])
        );
        assert_eq!(write(&[("<think>Hm. Well.", limit); 3], 8), (String::new(), 3, false, vec![7, 8, 9]));
    }

    #[test]
    fn thoughts_are_not_told() {
        let said = vec![("<think>Hm.</think>It is.", Ended::Itself)];
        let parrot = Parrot(Mutex::new(said), Mutex::default());
        let mut events = Vec::new();
        let request = Request {
            prompt: Prompt::Text(String::new()),
            temperature: 0.0,
            max_tokens: 9,
            seed: 1,
            stop: Vec::new(),
        };
        let told = &mut |event: Event<'_>| {
            events.push(format!("{event:?}"));
            Continue::Yes
        };
        Writer::new(&parrot, 7).ask(&request, told).unwrap();
        assert_eq!(events, ["Text(\"It is.\")"]);
    }

    #[test]
    fn who_has_enough_is_not_waited_for_again() {
        let parrot = Parrot(Mutex::new(vec![("Yes. It is so", Ended::Limit)]), Mutex::default());
        let told = &mut |event: Event<'_>| if event == Event::Restart { Continue::No } else { Continue::Yes };
        let written = of(&parrot, &stage(8), told);
        assert_eq!((written.text.as_str(), written.tries, written.cut), ("Yes.", 1, true));
    }

    #[test]
    fn what_was_written_is_made_fit() {
        let check = |text: &str, expected: &str| assert_eq!(mend(text), expected, "{text}");
        check("# Proof\n\nLet $x$ be *odd*.\n\n- one\n- two", "Proof\n\nLet $x$ be odd.\n\n- one\n\n- two");
        check("<script>alert(1)</script>So $x<y$.", "So $x<y$.");
        check("It is $x", "It is \\$x");
        check("", "");
    }

    #[test]
    fn a_first_sentence_that_is_too_long_is_cut_outside_formulas() {
        assert_eq!(shortened("so $a + b$ and more", 8), ("so".to_owned(), true));
        assert_eq!(shortened("so $a + b$ and more", 12), ("so $a + b$".to_owned(), true));
        assert_eq!(shortened("abcdef", 3), (String::new(), true));
    }

    proptest! {
        #[test]
        fn whatever_a_model_writes_becomes_valid(text in "[a-b$\\\\()\\[\\]*`.!\n<>& #_-]{0,60}|\\PC*", longest in 1usize..40) {
            let (short, _) = shortened(&mend(&text), longest);
            prop_assert!(is_balanced(&short), "{}", short);
            prop_assert!(short.chars().count() <= longest);
        }
    }
}
