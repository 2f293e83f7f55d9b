//! Races in both protocols between the search and `stop`, `ponderhit`, `isready`, `quit`: thousands of rounds with
//! random delays, and exactly one answer for every `go`.

use crate::common::sample;
use crate::dialogue::{Dialogue, assert_plays, for_both_protocols};
use crate::pipe::{LEAVING, Pipe, dither, legal_best};
use std::time::Instant;
use tabiya::base::rng::SplitMix64;

for_both_protocols! {
    thousands_of_stops_and_ponder_hits
    // `cargo test --release --test protocol -- --ignored many_stops`
    #[ignore = "minutes; run by .ci/nightly"]
    many_stops_and_ponder_hits
    misplaced_commands_at_random_moments
    quitting_at_random_moments
}

fn any<'a>(of: &[&'a str], rng: &mut SplitMix64) -> &'a str {
    of[rng.below(of.len())]
}

fn thousands_of_stops_and_ponder_hits<D: Dialogue>() {
    stops_and_hits::<D>(sample(1_000, 2_500));
}

fn many_stops_and_ponder_hits<D: Dialogue>() {
    stops_and_hits::<D>(20_000);
}

/// Searches that are ended at random moments; exactly one answer for each, and it is legal.
fn stops_and_hits<D: Dialogue>(rounds: usize) {
    let begin = Instant::now();
    let mut pipe = D::start();
    let mut rng = SplitMix64::new(2024);
    for round in 0..rounds {
        let (fen, go) = (any(D::POSITIONS, &mut rng), any(D::SEARCHES, &mut rng));
        let mut end = any(D::ENDS, &mut rng);
        if end.starts_with("ponderhit") && !end.contains("stop") && D::runs_on(go) {
            end = "ponderhit\nstop";
        }
        if rng.below(4) == 0 {
            // All at once: the `stop` is read before the search has begun.
            pipe.send(&format!("position fen {fen}\n{go}\n{end}"));
        } else {
            pipe.send(&format!("position fen {fen}\n{go}"));
            dither(&mut rng);
            pipe.send(end);
        }
        let lines = pipe.answer();
        if lines.last().is_some_and(|line| line != D::NO_MOVE) {
            legal_best::<D::Board>(fen, &lines);
        }
        // Every `isready` is answered, once.
        let ready = |lines: &[String]| lines.iter().filter(|line| *line == "readyok").count();
        let mut left = pipe.sync();
        while ready(&lines) + ready(&left) < usize::from(end.starts_with("isready")) {
            left.extend(pipe.until("readyok"));
        }
        // In UCCI a `stop` that came too late has its own answer.
        let harmless = |line: &String| ["readyok", "nobestmove"].contains(&&**line) || line.starts_with("pophash");
        assert!(left.iter().all(harmless), "round {round}, {go}, {end}: {left:?}");
    }
    println!("{rounds} rounds in {:?}", begin.elapsed());
}

/// Searches with up to five commands at random moments, ended by `stop`: each has an answer.
fn misplaced_commands_at_random_moments<D: Dialogue>() {
    let mut pipe = D::start();
    // UCCI answers an idle `stop`, so it depends on the timing which answer is that of a search.
    let answers_idle_stop = D::NO_MOVE == "nobestmove";
    if answers_idle_stop {
        pipe.leave_unchecked();
    }
    let mut rng = SplitMix64::new(5);
    for _ in 0..sample(200, 600) {
        pipe.send(&format!(
            "position startpos\n{}",
            any(&["go infinite", "go ponder", "go nodes 400", "go movetime 2"], &mut rng)
        ));
        for _ in 0..rng.below(6) {
            dither(&mut rng);
            pipe.send(any(D::MISPLACED, &mut rng));
        }
        dither(&mut rng);
        let lines = pipe.go("stop");
        assert!(answers_idle_stop || lines[lines.len() - 1] != D::NO_MOVE, "{lines:?}");
        pipe.sync();
    }
    // The program is alive, idle, and able to play: the picture comes after all queued commands.
    pipe.send("stop\nposition startpos\nd");
    pipe.until("Checkers:");
    assert_plays::<D>(&mut pipe);
}

/// `quit` or the end of the input.
fn quitting_at_random_moments<D: Dialogue>() {
    let mut rng = SplitMix64::new(9);
    for round in 0..60 {
        let mut pipe = Pipe::start();
        pipe.send(D::HELLO[0]);
        dither(&mut rng);
        pipe.send(any(D::SEARCHES, &mut rng));
        dither(&mut rng);
        if rng.below(2) == 0 {
            pipe.send("quit");
        } else {
            pipe.close();
        }
        let status = pipe.ended(LEAVING);
        assert!(status.is_some_and(|s| s.success()), "round {round}: {status:?}");
        let lines = pipe.rest();
        assert!(lines.iter().any(|line| line == D::HELLO[1]), "round {round}: {lines:?}");
        if let Some(word) = D::FAREWELL {
            assert_eq!(lines.last().map(String::as_str), Some(word), "round {round}: {lines:?}");
        }
        let answers = lines.iter().filter(|line| line.contains("bestmove")).count();
        assert!(answers <= 1, "round {round}: {lines:?}");
    }
}
