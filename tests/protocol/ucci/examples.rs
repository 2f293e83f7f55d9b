//! UCCI-15, 68, 74 to 80, 83, 89, 91: the example dialogues of the protocol's document, word for word, and the
//! commands of a league's match program.

use crate::pipe::{LEAVING, Pipe};
use crate::ucci_pipe::{START, answer, found, last, legal_best, quit, replay, ucci};
use std::time::{Duration, Instant};

const SILENCE: [&str; 0] = [];

/// Sends `line` and asserts that it is accepted without output.
fn silently(pipe: &mut Pipe, line: &str) {
    pipe.send(line);
    assert_eq!(pipe.sync(), SILENCE, "{line}");
}

/// The example up to its first `bestmove`; the moves are the program's own.
fn opening(pipe: &mut Pipe) -> (String, String) {
    let lines = pipe.ask("ucci", "ucciok");
    assert!(lines.iter().any(|line| line.starts_with("id name ")), "UCCI-74");
    assert!(lines.contains(&"option usemillisec type check default false".to_string()), "UCCI-74");
    silently(pipe, "setoption usemillisec true");
    silently(pipe, "setoption usebook false");
    silently(pipe, &format!("position fen {START}"));
    // The document's five minutes are too long for a test: use a hundredth of them.
    let lines = answer(pipe, "go time 3000 increment 0");
    let best = legal_best(START, &lines);
    let reply = found(&lines, "ponder").expect("UCCI-74: an expected reply").to_string();
    assert!(lines.iter().any(|line| line.starts_with("info depth ") && line.contains(" pv ")));
    (best, reply)
}

#[test]
fn ucci_74_75_76_the_example_of_a_ponder_hit() {
    let mut pipe = Pipe::start();
    let (best, reply) = opening(&mut pipe);
    let both = [best.as_str(), reply.as_str()];
    silently(&mut pipe, &format!("position fen {START} moves {best} {reply}"));
    let thinking = Instant::now();
    pipe.send("go ponder time 2950 increment 0");
    let lines = pipe.listen(Duration::from_millis(700));
    assert!(!lines.is_empty(), "UCCI-75: it thinks");
    assert!(lines.iter().all(|line| line.starts_with("info ")), "UCCI-75: {lines:?}");
    let lines = answer(&mut pipe, "ponderhit");
    let after = tabiya::game::Notation::to_fen(&replay("startpos", &both));
    legal_best(&after, &lines);
    // The reported time counts from `go ponder`, not from the hit.
    let reported = crate::ucci_pipe::number(&lines, "time").expect("UCCI-76: a time");
    let total = thinking.elapsed().as_millis() as i64;
    assert!((700..=total).contains(&reported), "UCCI-76: {reported} of {total} ms");
    // The next turn.
    let [third, fourth] = ["bestmove", "ponder"].map(|name| found(&lines, name).map(str::to_string));
    if let (Some(third), Some(fourth)) = (third, fourth) {
        silently(&mut pipe, &format!("position fen {START} moves {best} {reply} {third} {fourth}"));
        pipe.send("go ponder time 2900 increment 0");
        pipe.until("info");
        answer(&mut pipe, "stop");
    }
    quit(pipe);
}

#[test]
fn ucci_74_75_77_the_example_of_a_ponder_miss() {
    let mut pipe = Pipe::start();
    let (best, reply) = opening(&mut pipe);
    silently(&mut pipe, &format!("position fen {START} moves {best} {reply}"));
    pipe.send("go ponder time 2950 increment 0");
    pipe.until("info");
    let thinking = pipe.listen(Duration::from_millis(100));
    assert!(thinking.iter().all(|line| line.starts_with("info ")), "UCCI-75: {thinking:?}");
    let lines = answer(&mut pipe, "stop");
    assert!(last(&lines).starts_with("bestmove "), "UCCI-77: {lines:?}");
    // The document's move, or another one if the document's is the expected one.
    let other = if reply == "c6c5" { "g6g5" } else { "c6c5" };
    silently(&mut pipe, &format!("position fen {START} moves {best} {other}"));
    let lines = answer(&mut pipe, "go time 2950 increment 0");
    let after = tabiya::game::Notation::to_fen(&replay("startpos", &[&best, other]));
    legal_best(&after, &lines);
    quit(pipe);
}

#[test]
fn ucci_15_the_example_of_batch_mode() {
    let middle = "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 4";
    let mut pipe = Pipe::start();
    let script = [
        "ucci".to_string(),
        "setoption batch true".to_string(),
        format!("position fen {START}"),
        "go depth 10".to_string(),
        format!("position fen {middle}"),
        "go depth 10".to_string(),
        "quit".to_string(),
    ];
    pipe.send_bytes(script.join("\n").as_bytes());
    pipe.close();
    let lines = pipe.until_within("bye", Duration::from_secs(120));
    let ends: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with("bestmove ")).collect();
    assert_eq!(ends.len(), 2, "UCCI-15: two answers");
    let boot = lines.iter().position(|line| line == "ucciok").expect("UCCI-15");
    legal_best(START, &lines[boot + 1..=ends[0]]);
    legal_best(middle, &lines[ends[0] + 1..=ends[1]]);
    assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()), "UCCI-15");
}

#[test]
fn ucci_78_79_80_83_what_a_league_sends() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("ucci", "ucciok");
    assert_eq!(last(&lines), "ucciok", "UCCI-79: {lines:?}");
    let announced = lines.iter().any(|line| line.starts_with("option usemillisec "));
    assert!(announced, "UCCI-80: {lines:?}");
    pipe.send("setoption usemillisec true");
    // Options as in an engine's configuration file.
    pipe.send("setoption bookfiles BOOK.DAT\nsetoption hashsize 16\nsetoption evalapi x.dll");
    let lines = pipe.sync();
    let refused = "info message ERROR: option bookfiles: BOOK.DAT: the file cannot be read: ";
    assert!(lines.len() == 1 && lines[0].starts_with(refused), "UCCI-83: {lines:?}");
    // A game against itself: the position after the last capture and the moves since.
    let (mut start, mut moves) = (START.to_string(), Vec::<String>::new());
    let mut banned = None;
    for ply in 0..24 {
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        pipe.send(&format!("position fen {start}{tail}"));
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        let mut pos = replay(&start, &texts);
        if ply % 7 == 3 {
            pipe.send("banmoves h2e2 a0a1 h0g2 b0c2");
            banned = Some(["h2e2", "a0a1", "h0g2", "b0c2"]);
        }
        let draw = if ply % 5 == 4 { "draw " } else { "" };
        let lines = answer(&mut pipe, &format!("go {draw}time 3000 increment 20 opptime 3000 oppincrement 20"));
        let best = legal_best(&tabiya::game::Notation::to_fen(&pos), &lines);
        assert!(last(&lines).starts_with(&format!("bestmove {best}")), "UCCI-79: {lines:?}");
        if let Some(banned) = banned.take() {
            assert!(!banned.contains(&best.as_str()), "UCCI-78: {best} is banned");
        }
        let m = tabiya::game::Notation::parse_move(&pos, &best).expect("legal");
        let capture = pos.is_capture(m);
        pos.make(m);
        if capture {
            start = tabiya::game::Notation::to_fen(&pos);
            moves.clear();
        } else {
            moves.push(best);
        }
        if last(&lines).ends_with(" resign") || tabiya::game::Rules::count_legal(&pos) == 0 {
            break;
        }
    }
    pipe.send("quit");
    pipe.until("bye");
}

/// The GUI may ignore `draw` or `resign`; if it plays on, so does the program.
#[test]
fn ucci_68_play_goes_on_after_a_resignation() {
    let mut pipe = ucci();
    pipe.send(&format!("position fen {}", crate::ucci_pipe::LOST));
    for _ in 0..3 {
        let lines = answer(&mut pipe, "go depth 5");
        assert!(last(&lines).ends_with(" resign"), "UCCI-68: {lines:?}");
    }
    pipe.send("position startpos");
    assert!(!last(&answer(&mut pipe, "go depth 5")).contains("resign"), "UCCI-68");
    quit(pipe);
}

#[test]
fn ucci_89_limits_in_one_go() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    // Beyond the document's modes: the first limit that is reached ends the search.
    for go in ["go depth 3 nodes 100000000", "go nodes 2000 depth 50", "go depth 50 time 300"] {
        let begin = Instant::now();
        legal_best(START, &answer(&mut pipe, go));
        assert!(begin.elapsed() < 2 * LEAVING, "UCCI-89: {go}");
    }
    quit(pipe);
}

#[test]
fn ucci_91_what_is_not_like_uci() {
    let mut pipe = Pipe::start();
    // No `uciok`, options before `ucciok`, and commands of UCI only are unknown.
    let lines = pipe.ask("ucci", "ucciok");
    assert!(lines.iter().all(|line| !line.contains("uciok") || line == "ucciok"), "UCCI-91");
    for word in ["uci", "ucinewgame", "register later", "debug on"] {
        pipe.send(word);
        let lines = pipe.sync();
        assert!(lines[0].starts_with("info message unknown command"), "UCCI-91: {lines:?}");
    }
    assert_eq!(pipe.ask("stop", "nobestmove"), ["nobestmove"], "UCCI-91");
    pipe.send(&format!("position fen {}", crate::ucci_pipe::MATED));
    assert_eq!(last(&answer(&mut pipe, "go depth 3")), "nobestmove", "UCCI-91");
    quit(pipe); // says `bye`
}
