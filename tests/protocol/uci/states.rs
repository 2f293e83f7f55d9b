//! UCI: which commands work when, the form of lines and moves, and one answer for every `go`.

use super::*;

#[test]
fn commands_work_at_any_time() {
    let mut pipe = Pipe::uci();
    let mut searches = 0;
    for position in ["startpos", "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"] {
        for go in ["go infinite", "go ponder wtime 100 btime 100"] {
            for end in ["stop", "debug on\nstop", "isready\nstop", "ponderhit\nisready\nstop"] {
                pipe.send(&format!("position {position}\n{go}"));
                searches += 1;
                pipe.until("info");
                for command in ["isready", "debug on\nisready", "debug off\nisready"] {
                    let lines = pipe.ask(command, "readyok");
                    let thinking = lines.iter().all(|line| !line.starts_with("bestmove"));
                    assert!(thinking, "{command:?} ends no search: {lines:?}");
                }
                let (text, _) = (best(&pipe.go(end)), pipe.sync());
                let root = position.strip_prefix("fen ").unwrap_or(position);
                replay(root, &[&text]);
                pipe.send("debug off");
                // A second `readyok` may still be on its way.
                pipe.listen(Duration::from_millis(20));
            }
        }
    }
    let received: Vec<String> = pipe
        .dialogue()
        .into_iter()
        .filter_map(|event| if let Event::Received(line) = event { Some(line) } else { None })
        .collect();
    let words = ["id", "uciok", "readyok", "bestmove", "info", "option"];
    for line in &received {
        let word = line.split(' ').next().unwrap_or_default();
        assert!(words.contains(&word), "{line:?}");
    }
    let answers = received.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers, searches, "one bestmove for every go");
    // `quit` works while thinking, too.
    pipe.begin("go infinite");
    pipe.send("quit");
    assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()), "quit");
}

#[test]
fn lines_end_with_a_newline_both_ways() {
    let mut pipe = Pipe::uci();
    pipe.send_bytes(b"isready");
    assert_eq!(pipe.listen(SHORT), SILENCE, "no command without its newline");
    pipe.send_bytes(b"\n");
    assert_eq!(pipe.until("readyok"), ["readyok"]);
    for last in ["uci\nquit\n", "position startpos\ngo depth 3\nquit\n", "bench 1\nquit\n"] {
        let mut pipe = Pipe::start();
        pipe.send_bytes(last.as_bytes());
        pipe.ended(2 * LEAVING).expect("exit after quit");
        let lines = pipe.rest();
        assert!(!lines.is_empty(), "{last:?} is answered");
        assert!(lines.iter().all(|l| !l.contains('\r') && !l.ends_with(TORN)), "{lines:?}");
    }
}

#[test]
fn any_command_may_come_first_and_uciok_comes_soon() {
    for first in ["isready", "ucinewgame", "debug off", "setoption name Hash value 2", "stop"] {
        let mut pipe = Pipe::start();
        pipe.send(first);
        if first == "isready" {
            assert_eq!(pipe.until("readyok"), ["readyok"]);
        }
        assert_eq!(pipe.listen(SHORT), SILENCE, "{first}");
        let (lines, time) = quickest(Duration::from_secs(1), || pipe.ask("uci", "uciok"));
        assert!(lines[0].starts_with("id name "), "{first}: {lines:?}");
        assert!(time < Duration::from_secs(1), "{time:?} to uciok");
    }
    let mut pipe = Pipe::start();
    replay("startpos", &[&best(&pipe.go("position startpos\ngo depth 2"))]);
    assert_eq!(pipe.sync(), SILENCE, "it plays without `uci`");
}

#[test]
fn castling_and_promotion_as_text_both_ways() {
    let mut pipe = Pipe::uci();
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let black = castling.replace(" w ", " b ");
    let promotion = "1r5k/2P5/8/8/8/8/7K/8 w - - 0 1";
    let black_promotion = "8/7k/8/8/8/8/2p5/1R5K b - - 0 1";
    for (position, m, after) in [
        (castling, "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
        (castling, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"),
        (&black, "e8g8", "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 1 2"),
        (&black, "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 1 2"),
        (promotion, "c7c8q", "1rQ4k/8/8/8/8/8/7K/8 b - - 0 1"),
        (promotion, "c7c8r", "1rR4k/8/8/8/8/8/7K/8 b - - 0 1"),
        (promotion, "c7b8b", "1B5k/8/8/8/8/8/7K/8 b - - 0 1"),
        (promotion, "c7b8n", "1N5k/8/8/8/8/8/7K/8 b - - 0 1"),
        (black_promotion, "c2c1n", "8/7k/8/8/8/8/8/1Rn4K w - - 0 2"),
        (black_promotion, "c2b1q", "8/7k/8/8/8/8/8/1q5K w - - 0 2"),
    ] {
        let lines = pipe.go(&format!("position fen {position}\ngo depth 2 searchmoves {m}"));
        assert_eq!(best(&lines), m, "written");
        assert_eq!(pipe.says(&format!("position fen {position} moves {m}")), SILENCE, "{m} is read");
        assert_eq!(fen(&mut pipe), after, "{m}");
    }
}
