//! UCI dialogues about time: exact times, `Move Overhead`, empty clocks, and the time that pondering saves. The unit
//! tests of `engine::time` cover time allocation.

use super::*;
use tabiya::protocol::games::bench_positions;

#[test]
fn movetime_is_used_to_the_full() {
    let mut pipe = Pipe::uci();
    pipe.send(&format!("position fen {MIDDLEGAME}"));
    let (least, most) = (Duration::from_millis(180), Duration::from_millis(300));
    // `Move Overhead` does not shorten movetime; a clock with less time does.
    for (overhead, go) in [
        (10, "go movetime 200"),
        (150, "go movetime 200"),
        (150, "go movetime 200 wtime 60000 btime 60000"),
        (150, "go movetime 9000 wtime 350 btime 350"),
    ] {
        pipe.send(&format!("setoption name Move Overhead value {overhead}"));
        let (_, time) = quickest(most, || pipe.go(go));
        assert!(time >= least && time < most, "{overhead}: {go}: {time:?}");
    }
}

#[test]
fn move_overhead_is_subtracted_from_the_clock() {
    let mut pipe = Pipe::uci();
    pipe.send(&format!("position fen {MIDDLEGAME}"));
    let most = Duration::from_millis(500);
    for (overhead, go) in [
        (900, "go wtime 1000 btime 1000 movestogo 1"),
        (900, "go wtime 1000 btime 1000 winc 5000 binc 5000"),
        (100, "go wtime 4000 btime 4000"), // all of it is set aside for later moves
        (5000, "go wtime 20000 btime 20000"),
        (5000, "go wtime 4900 btime 4900 movestogo 1"),
    ] {
        pipe.send(&format!("setoption name Move Overhead value {overhead}"));
        let (_, time) = quickest(most, || pipe.go(go));
        assert!(time < most, "{overhead}: {go}: {time:?}");
    }
}

#[test]
fn with_an_empty_clock_the_first_iteration_is_finished() {
    let mut pipe = Pipe::uci();
    for fen in bench_positions::<Board>() {
        let [first, empty] = ["go depth 1", "go wtime 0 btime 0"].map(|go| {
            pipe.send(&format!("ucinewgame\nposition fen {fen}"));
            pipe.go(go)
        });
        assert_eq!(best(&empty), best(&first), "{fen}");
        let depths: Vec<_> = analysis(&empty).iter().map(|line| number(line, "depth")).collect();
        assert!(depths.contains(&Some(1)) && !depths.contains(&Some(2)), "{fen}: {empty:?}");
    }
}

/// The time from `ponderhit` to the answer after `pondered` milliseconds of pondering.
fn answer_to_hit(pipe: &mut Pipe, clock: &str, pondered: u64) -> Duration {
    pipe.send(&format!("go ponder {clock}"));
    pipe.thinks(Duration::from_millis(pondered));
    let hit = Instant::now();
    pipe.go("ponderhit");
    hit.elapsed()
}

/// Whether one of five such times is shorter than `most`: a busy machine makes a time longer, never shorter.
fn is_answered_within(most: Duration, pipe: &mut Pipe, clock: &str, pondered: u64) -> bool {
    (0..5).any(|_| answer_to_hit(pipe, clock, pondered) < most)
}

#[test]
fn pondering_time_counts_as_thinking_time() {
    let mut pipe = Pipe::uci();
    let soon = Duration::from_millis(100);
    pipe.send(&format!("position fen {MIDDLEGAME}"));
    // With 4 seconds a move gets about an eighth of a second.
    assert!(is_answered_within(soon, &mut pipe, "wtime 4000 btime 4000", 350));
    // If the move's time is longer than the pondering, the rest is used after the hit.
    let time = answer_to_hit(&mut pipe, "wtime 20000 btime 20000", 100);
    assert!(time > Duration::from_millis(200), "{time:?}");
    // One legal move, a mate that is found, an empty clock: immediate answers.
    for (fen, clock) in [(ONE_MOVE, 60_000), (MATE_IN_ONE, 60_000), (MIDDLEGAME, 0)] {
        pipe.send(&format!("position fen {fen}"));
        let clocks = format!("wtime {clock} btime {clock}");
        assert!(is_answered_within(soon, &mut pipe, &clocks, 60), "{fen}");
    }
    // After a ponder miss the next move gets its own time, however long the program pondered.
    pipe.send(&format!("position fen {MIDDLEGAME}\ngo ponder wtime 10000 btime 10000"));
    pipe.listen(Duration::from_millis(400));
    pipe.go("stop");
    pipe.send("ucinewgame\nposition startpos moves e2e4 c7c5 g1f3");
    let begin = Instant::now();
    pipe.go("go wtime 10000 btime 10000");
    let miss = begin.elapsed();
    assert!(miss > soon && miss < Duration::from_secs(4), "{miss:?} after a miss");
}

/// A game of 400 moves in coordinates is read as fast as the session reads lines; in SAN it takes no longer than a GUI
/// would wait.
#[test]
fn long_games_are_read_fast() {
    let mut pipe = Pipe::uci();
    for (cycle, most) in [("g1f3 g8f6 f3g1 f6g8", 3000), ("Nf3 Nf6 Ng1 Ng8", 3000)] {
        let game = vec![cycle; 100].join(" ");
        let begin = Instant::now();
        for _ in 0..100 {
            pipe.send(&format!("position startpos moves {game}"));
        }
        assert_eq!(pipe.sync(), SILENCE);
        println!("100 games of 400 moves {cycle}: {:?}", begin.elapsed());
        assert!(begin.elapsed() < Duration::from_millis(most), "{cycle}: {:?}", begin.elapsed());
    }
}
