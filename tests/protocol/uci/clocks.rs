//! UCI dialogues about time: exact times, `Move Overhead`, empty clocks, and the time that pondering saves. The unit
//! tests of `engine::time` cover time allocation.

use super::*;
use tabiya::protocol::bench;

#[test]
fn uci_51_movetime_is_used_to_the_full() {
    let mut pipe = Pipe::uci();
    pipe.send(&format!("position fen {MIDDLEGAME}"));
    let (least, most) = (Duration::from_millis(280), Duration::from_millis(400));
    // `Move Overhead` does not shorten movetime; a clock with less time does.
    for (overhead, go) in [
        (10, "go movetime 300"),
        (250, "go movetime 300"),
        (250, "go movetime 300 wtime 60000 btime 60000"),
        (250, "go movetime 9000 wtime 550 btime 550"),
    ] {
        pipe.send(&format!("setoption name Move Overhead value {overhead}"));
        let (_, time) = quickest(most, || pipe.go(go));
        assert!(time >= least && time < most, "UCI-51: {overhead}: {go}: {time:?}");
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
    for fen in bench::POSITIONS {
        let [first, empty] = ["go depth 1", "go wtime 0 btime 0"].map(|go| {
            pipe.send(&format!("ucinewgame\nposition fen {fen}"));
            pipe.go(go)
        });
        assert_eq!(best(&empty), best(&first), "{fen}");
        let depths: Vec<_> = analysis(&empty).iter().map(|line| number(line, "depth")).collect();
        assert!(depths.contains(&Some(1)) && !depths.contains(&Some(2)), "{fen}: {empty:?}");
    }
}

/// The time from `ponderhit` to the answer after `pondered` milliseconds of pondering: the shortest of three times.
fn answer_to_hit(pipe: &mut Pipe, clock: &str, pondered: u64) -> Duration {
    least_of_three(|| {
        pipe.send(&format!("go ponder {clock}"));
        pipe.thinks(Duration::from_millis(pondered));
        let hit = Instant::now();
        pipe.go("ponderhit");
        hit.elapsed()
    })
}

#[test]
fn uci_54_pondering_time_counts_as_thinking_time() {
    let mut pipe = Pipe::uci();
    let soon = Duration::from_millis(100);
    pipe.send(&format!("position fen {MIDDLEGAME}"));
    // With 16 seconds a move gets about half a second, and rarely less than half of that.
    let time = answer_to_hit(&mut pipe, "wtime 16000 btime 16000", 1_300);
    assert!(time < soon, "UCI-54: {time:?}");
    // If the move's time is longer than the pondering, the rest is used after the hit.
    let time = answer_to_hit(&mut pipe, "wtime 90000 btime 90000", 100);
    assert!(time > Duration::from_millis(200), "UCI-54: {time:?}");
    // One legal move, a mate that is found, an empty clock: immediate answers.
    for (fen, clock) in [(ONE_MOVE, 60_000), (MATE_IN_ONE, 60_000), (MIDDLEGAME, 0)] {
        pipe.send(&format!("position fen {fen}"));
        let time = answer_to_hit(&mut pipe, &format!("wtime {clock} btime {clock}"), 60);
        assert!(time < soon, "UCI-54: {fen}: {time:?}");
    }
    // After a ponder miss the next move gets its own time, however long the program pondered.
    let miss = least_of_three(|| {
        pipe.send(&format!("position fen {MIDDLEGAME}\ngo ponder wtime 16000 btime 16000"));
        pipe.listen(Duration::from_millis(1_000));
        pipe.go("stop");
        pipe.send("ucinewgame\nposition startpos moves e2e4 c7c5 g1f3");
        let begin = Instant::now();
        pipe.go("go wtime 16000 btime 16000");
        begin.elapsed()
    });
    assert!(miss > soon && miss < Duration::from_secs(4), "{miss:?} after a miss");
}
