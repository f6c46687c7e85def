//! The program from outside: an empty folder, a command, the whole output.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

mod agree;
mod answers;
mod assess;
mod check;
mod citations;
mod cluster;
mod collection_build;
mod collection_export;
mod collection_info;
mod compare;
mod compare_members;
mod compare_systems;
mod config;
mod diff;
mod dist;
mod endpoints;
mod eval;
mod eval_studies;
mod examples;
mod features;
mod formulas;
mod fuse;
mod gallery;
mod help;
mod index;
mod judge;
mod known_figures;
mod lab;
mod lab_rules;
#[path = "../../../shelf/tests/it/server.rs"]
#[allow(dead_code, reason = "another test uses the rest")]
mod loopback_hub;
mod model;
mod one_ranking;
mod opt;
mod outputs;
mod parse;
mod rank;
mod readme;
mod run;
mod same;
mod sample;
mod search;
mod serve;
mod side_by_side;
mod synth;
mod systems;
mod task3;
mod task3_lab;
mod task3_posts;
mod threads;
mod topics;
mod train;
mod train_encoder;
mod train_rank;
mod trec;
mod tune;
mod util;
mod validation;
mod vectors;
mod wrong_files;
