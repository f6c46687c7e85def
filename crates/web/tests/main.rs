//! The tests of `web` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod answers;
mod api;
mod assess_access;
mod assess_browser;
mod assess_desk;
mod assess_judging;
mod assess_school;
mod assess_security;
mod browser;
mod common;
mod connections;
mod examples;
mod fuzz;
mod openapi;
mod pages;
mod server;
