//! A session with the dialect of UCI, whose files must not name each other.

use super::console::{Console, Line, SearchMode};
use super::session::Session;
use super::tools::Tools;
use super::uci::Uci;
use crate::chess::Position;
use std::sync::Arc;
use std::sync::mpsc::channel;

/// The search may answer right after the session has seen that the first line held back cannot be executed yet.
#[test]
fn lines_held_back_are_executed_after_the_end_of_the_input() {
    let (sender, _queue) = channel();
    let console = Arc::new(Console::new(Box::new(std::io::sink()), sender));
    let mut session = Session::<Uci<Position>>::new(Arc::clone(&console), Tools::default(), None);
    console.finish();
    assert!(session.has_finished());
    console.enter_search(1, SearchMode::default());
    session.waiting.push_back(Line { number: 2, text: "go depth 1".to_string() });
    assert!(session.next_held_back().is_none() && !session.has_finished(), "the search goes on");
    console.answer("bestmove x");
    assert!(!session.has_finished(), "a line is left");
    console.enqueue(Line { number: 3, text: String::new() });
    console.hold();
    assert!(session.next_held_back().is_some_and(|line| line.number == 2) && session.has_finished());
}
