//! The tree of commands, from which help, completions and man pages are made.

mod completions;
mod man;

use crate::{
    Exit, Run, agree, ask, check, collection, compare, config, demo, diff, evaluate, formula, fuse, index,
    judge, lab, model, run, sample, search, serve, side_by_side, synth, systems, train, tune,
};
use anyhow::Result;
use clap::{Parser, Subcommand};

const LONG_ABOUT: &str = "\
Hypatia finds mathematics and proves how well it does.

Today it reads formulas and collections and scores rankings. LaTeX as people type it, \
Presentation MathML and the labs' layout strings go in; layout trees, MathML, readable text, \
normalised LaTeX and visual identity come out. Dumps and documents go in; one file with all \
posts and formulas comes out. Runs and judgments go in; the measures of ARQMath, NTCIR and \
trec_eval come out, with what surrounds each number. A search page and an API are served to browsers \
and programs; nothing here calls anyone else over the network, unless a server with a language model is \
named with --endpoint or a model is fetched with `model fetch`.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula text '\\frac{1}{2}\\sum_{k=0}^n k'    one formula, readable in a terminal
  hypatia formula key formulas.txt > keys.tsv         one formula a line, many at once
  hypatia formula same 'a\\over b' '\\frac ab'          do they look the same?
  hypatia index math.coll -o math.index               make a collection searchable
  hypatia search 'sum of cubes $\\sum k^3$'           find posts by words and formulas
  hypatia ask 'why is $H_n$ never an integer?'        one answer, with where it comes from
  hypatia demo                                        the search page, on a small collection
  hypatia serve --index math.index                    the search page and the API on your own
  hypatia compare --systems all --task 1 --topics t.xml --qrels q.txt --index math.index
                                                      systems side by side
  hypatia eval *.tsv --qrels qrels.txt --task 1       how good are these runs?
  hypatia diff before.tsv after.tsv --qrels q.txt     what changed, and what did it do?
  hypatia fuse a.tsv b.tsv --by rrf -o fused.tsv      one run of several
  hypatia check us-task1-bm25-auto-both-P.tsv         is it a valid submission?
  hypatia lab init mylab --name mylab --topics 1=Topics_Task1.xml --collection math.coll
                                                      a shared task in a folder
  hypatia model add all-MiniLM-L6-v2/                 keep a model of sentences for searching by meaning
  hypatia synth --posts 10000 -o small                a made-up collection, for tests of scale
  hypatia completions bash > hypatia.bash             tab completion

Exit codes: 0 done or \"yes\", 1 \"no\", or damaged input, 2 something went wrong.";

/// Math-aware search, and the evaluation lab around it
#[derive(Debug, Parser)]
#[command(
    name = "hypatia",
    version,
    long_about = LONG_ABOUT,
    after_help = EXAMPLES,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(crate) struct Hypatia {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(subcommand)]
    Formula(formula::Formula),
    #[command(subcommand)]
    Collection(collection::Collection),
    Index(index::IndexCommand),
    Search(Box<search::Search>),
    Ask(Box<ask::Ask>),
    Serve(serve::Serve),
    Demo(demo::Demo),
    Systems(systems::Systems),
    Run(Box<run::RunSystem>),
    Compare(Box<compare::Compare>),
    Agree(agree::Agree),
    Check(check::Check),
    Eval(Box<evaluate::Eval>),
    Answers(side_by_side::SideBySide),
    Judge(Box<judge::JudgeAnswers>),
    Diff(diff::Diff),
    Fuse(Box<fuse::Fuse>),
    Tune(Box<tune::Tune>),
    #[command(subcommand)]
    Lab(lab::Lab),
    #[command(subcommand)]
    Model(model::Model),
    #[command(subcommand)]
    Train(train::Train),
    Sample(sample::Sample),
    Synth(synth::Synth),
    Config(config::Config),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Run for Hypatia {
    fn run(self) -> Result<Exit> {
        match self.command {
            Command::Formula(command) => command.run(),
            Command::Collection(command) => command.run(),
            Command::Index(command) => command.run(),
            Command::Search(command) => command.run(),
            Command::Ask(command) => command.run(),
            Command::Serve(command) => command.run(),
            Command::Demo(command) => command.run(),
            Command::Systems(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Compare(command) => command.run(),
            Command::Agree(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Eval(command) => command.run(),
            Command::Answers(command) => command.run(),
            Command::Judge(command) => command.run(),
            Command::Diff(command) => command.run(),
            Command::Fuse(command) => command.run(),
            Command::Tune(command) => command.run(),
            Command::Lab(command) => command.run(),
            Command::Model(command) => command.run(),
            Command::Train(command) => command.run(),
            Command::Sample(command) => command.run(),
            Command::Synth(command) => command.run(),
            Command::Config(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hypatia;
    use clap::CommandFactory;

    #[test]
    fn definitions_are_consistent() {
        Hypatia::command().debug_assert();
    }

    #[test]
    fn every_command_teaches() {
        fn check(command: &clap::Command, path: &str) {
            assert!(command.get_about().is_some(), "{path} has no short help");
            assert!(command.get_long_about().is_some(), "{path} has no long help");
            assert!(command.get_after_help().is_some(), "{path} has no examples");
            for argument in command.get_arguments() {
                let described = argument.get_help().is_some();
                assert!(described, "{path} has an argument without help: {}", argument.get_id());
            }
            for child in command.get_subcommands() {
                check(child, &format!("{path} {}", child.get_name()));
            }
        }
        check(&Hypatia::command(), "hypatia");
    }
}
