//! The document's example of a ponder hit, with its times, and a game as the match program of a league plays it.

use super::*;

/// Sends `line` and asserts that it is accepted without output.
fn silently(pipe: &mut Pipe, line: &str) {
    assert_eq!(pipe.says(line), SILENCE, "{line}");
}

/// The example up to its first `bestmove`; the moves are the program's own.
fn opening(pipe: &mut Pipe) -> (String, String) {
    let lines = pipe.ask("ucci", "ucciok");
    assert!(lines.iter().any(|line| line.starts_with("id name ")));
    assert!(lines.contains(&"option usemillisec type check default false".to_string()));
    silently(pipe, "setoption usemillisec true");
    silently(pipe, "setoption usebook false");
    silently(pipe, &format!("position fen {START}"));
    // The document's five minutes are too long for a test: use a hundredth of them.
    let lines = pipe.go("go time 3000 increment 0");
    let best = legal_best(START, &lines);
    let reply = found(&lines, "ponder").expect("an expected reply").to_string();
    assert!(lines.iter().any(|line| line.starts_with("info depth ") && line.contains(" pv ")));
    (best, reply)
}

#[test]
fn the_example_of_a_ponder_hit() {
    let mut pipe = Pipe::start();
    let (best, reply) = opening(&mut pipe);
    let both = [best.as_str(), reply.as_str()];
    silently(&mut pipe, &format!("position fen {START} moves {best} {reply}"));
    let thinking = Instant::now();
    pipe.send("go ponder time 2950 increment 0");
    let lines = pipe.listen(Duration::from_millis(700));
    assert!(!lines.is_empty(), "it thinks");
    assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:?}");
    let lines = pipe.go("ponderhit");
    let after = replay("startpos", &both).to_string();
    legal_best(&after, &lines);
    // The reported time counts from `go ponder`, not from the hit.
    let reported = number(&lines, "time").expect("a time");
    let total = thinking.elapsed().as_millis() as i64;
    // The hit came after 700 ms or a little more.
    assert!((650..=total).contains(&reported), "{reported} of {total} ms");
    // The next turn.
    let [third, fourth] = ["bestmove", "ponder"].map(|name| found(&lines, name).map(str::to_string));
    if let (Some(third), Some(fourth)) = (third, fourth) {
        silently(&mut pipe, &format!("position fen {START} moves {best} {reply} {third} {fourth}"));
        pipe.begin("go ponder time 2900 increment 0");
        pipe.go("stop");
    }
}

#[test]
fn what_a_league_sends() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("ucci", "ucciok");
    assert_eq!(last(&lines), "ucciok", "{lines:?}");
    let announced = lines.iter().any(|line| line.starts_with("option usemillisec "));
    assert!(announced, "{lines:?}");
    pipe.send("setoption usemillisec true");
    // Options as in an engine's configuration file.
    let lines = pipe.says("setoption bookfiles BOOK.DAT\nsetoption hashsize 16\nsetoption evalapi x.dll");
    let refused = "info message ERROR: option bookfiles: BOOK.DAT: the file cannot be read: ";
    assert!(lines.len() == 1 && lines[0].starts_with(refused), "{lines:?}");
    // A game against itself: the position after the last capture and the moves since.
    let (mut start, mut moves) = (START.to_string(), Vec::<String>::new());
    let mut banned = None;
    for ply in 0..sample(12, 24) {
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        pipe.send(&format!("position fen {start}{tail}"));
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        let mut pos = replay(&start, &texts);
        if ply % 7 == 3 {
            pipe.send("banmoves h2e2 a0a1 h0g2 b0c2");
            banned = Some(["h2e2", "a0a1", "h0g2", "b0c2"]);
        }
        let draw = if ply % 5 == 4 { "draw " } else { "" };
        let lines = pipe.go(&format!("go {draw}time 1000 increment 20 opptime 1000 oppincrement 20"));
        let best = legal_best(&pos.to_string(), &lines);
        assert!(last(&lines).starts_with(&format!("bestmove {best}")), "{lines:?}");
        if let Some(banned) = banned.take() {
            assert!(!banned.contains(&best.as_str()), "{best} is banned");
        }
        let m = pos.parse_move(&best).expect("legal");
        let capture = pos.is_capture(m);
        pos.make(m);
        if capture {
            start = pos.to_string();
            moves.clear();
        } else {
            moves.push(best);
        }
        if last(&lines).ends_with(" resign") || pos.count_legal() == 0 {
            break;
        }
    }
    pipe.ask("quit", "bye");
}
