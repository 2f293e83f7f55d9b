//! What adapters and GUIs send that no document asks for: XBoard's first values and missing folders, other names of
//! chess, xiangqi without a variant.

use super::*;
use crate::common::own::own;
use crate::protocol::ucci_pipe::START;
use std::process::Command;
use tabiya::xiangqi;

const CHESS_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A way to start a protocol: arguments, the line that opens it, the last word of its answer, a line to send then.
type Opening = (&'static [&'static str], &'static str, &'static str, &'static str);

const OPENINGS: [Opening; 4] = [
    (&[], "uci", "uciok", ""),
    (&[], "uci", "uciok", "setoption name UCI_Variant value xiangqi"),
    (&["--game", "xiangqi"], "uci", "uciok", ""),
    (&[], "ucci", "ucciok", "setoption usebook false"),
];

/// The announced options after an opening: the words before the value in `setoption`, the type, the words of the rest.
fn options(pipe: &mut Pipe, (_, first, last, second): Opening) -> Vec<(String, String, Vec<String>)> {
    pipe.ask(first, last);
    pipe.says(second);
    let lines = pipe.ask(first, last);
    let ucci = first == "ucci";
    let start = if ucci { "option " } else { "option name " };
    let options = lines.iter().filter_map(|line| line.strip_prefix(start)).map(|option| {
        let (name, rest) = option.split_once(" type ").expect("a type");
        let set = if ucci { name.to_string() } else { format!("name {name} value") };
        let mut words = rest.split(' ').map(String::from);
        (set, words.next().expect("a type"), words.collect())
    });
    options.collect()
}

/// What a search reports, without its times.
fn searched(pipe: &mut Pipe, position: &str) -> Vec<(Option<i64>, String)> {
    let lines = pipe.go(&format!("position fen {position}\ngo depth 7"));
    let shown = analysis(&lines).into_iter().map(|line| {
        let (head, moves) = line.split_once(" pv ").expect("a line");
        (pipe::number(head, "depth"), format!("{:?} {moves}", pipe::number(head, "cp")))
    });
    shown.collect()
}

#[test]
fn the_first_value_of_every_list_is_its_default_and_harmless() {
    for opening in OPENINGS {
        let mut fresh = Pipe::launch(opening.0, &[]);
        let announced = options(&mut fresh, opening);
        assert!(announced.iter().any(|(_, kind, _)| kind == "combo"), "{opening:?}");
        let mut pipe = Pipe::launch(opening.0, &[]);
        options(&mut pipe, opening);
        for (set, kind, words) in &announced {
            let after = |word: &str| words.iter().skip_while(move |w| *w != word).nth(1);
            let default = after("default").map_or("", String::as_str);
            let values = match kind.as_str() {
                "combo" => vec![after("var").expect("a list").as_str()],
                "string" => vec!["<empty>", ""],
                _ => vec![default],
            };
            if kind == "combo" {
                assert_eq!(after("var").map(String::as_str), Some(default), "{set}: {words:?}");
            }
            for value in values {
                let lines = pipe.says(&format!("setoption {set} {value}"));
                let fault = lines.iter().find(|line| line.contains("ERROR"));
                assert_eq!(fault, None, "{set} {value}");
            }
        }
        for pipe in [&mut pipe, &mut fresh] {
            pipe.send(opening.3);
            // A program that sets `UCI_Variant` is expected to number ranks from 1.
            pipe.send("setoption name XiangqiRanks value 0-9");
        }
        let xiangqi = opening.1 == "ucci" || opening.3.contains("xiangqi") || !opening.0.is_empty();
        let middle = if xiangqi {
            "r1bakab1r/9/1cn4cn/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3"
        } else {
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
        };
        assert_eq!(searched(&mut pipe, middle), searched(&mut fresh, middle), "{opening:?}");
    }
}

/// XBoard ends the game if an engine prints one of these in any line.
const XBOARD_GIVES_UP: [&str; 6] =
    ["unknown host", "No remote directory", "not found", "No such file", "can't alloc", "Permission denied"];

#[test]
fn no_message_about_a_file_looks_like_a_dead_engine_to_xboard() {
    let folder = std::env::temp_dir().join(format!("tabiya-xboard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (text, closed) = (folder.join("text"), folder.join("closed"));
    std::fs::write(&text, "text").unwrap();
    std::fs::create_dir_all(&closed).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    }
    let below = |path: &std::path::Path| path.join("below").to_string_lossy().into_owned();
    let values = [
        below(&folder),
        below(&text),
        below(&closed),
        folder.to_string_lossy().into(),
        text.to_string_lossy().into(),
        closed.to_string_lossy().into(),
        "/no/such/folder".into(),
    ];
    for opening in OPENINGS {
        let mut pipe = Pipe::launch(opening.0, &[]);
        let mut faults = 0;
        for (set, ..) in options(&mut pipe, opening).iter().filter(|(_, kind, _)| kind == "string") {
            for value in &values {
                let lines = pipe.says(&format!("setoption {set} {value}"));
                faults += usize::from(!lines.is_empty());
                for words in XBOARD_GIVES_UP {
                    assert!(!lines.iter().any(|line| line.contains(words)), "{set}: {lines:?}");
                }
            }
        }
        assert!(faults >= 5, "{opening:?}: {faults}");
    }
    let mut pipe = Pipe::uci();
    pipe.send("setoption name SyzygyPath value /no/such/folder");
    let missing = "info string no tables from \"/no/such/folder\": it does not exist";
    assert_eq!(pipe.sync(), [missing]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn other_names_of_chess_are_accepted() {
    let castling = "position fen 1k6/8/8/8/8/8/8/R3K3 w Q - 0 1\ngo depth 1 searchmoves e1c1 e1a1";
    let mut pipe = Pipe::uci();
    for (value, castles) in [
        ("chess960", "e1a1"),
        ("standard", "e1c1"),
        ("fischerandom", "e1a1"),
        ("chess", "e1c1"),
        ("FischeRandom", "e1a1"),
        ("", "e1c1"),
        ("Normal", "e1c1"),
    ] {
        for from in ["xiangqi", "chess"] {
            pipe.send(&format!("setoption name UCI_Variant value {from}\nsetoption name UCI_Variant value {value}"));
            assert!(fen(&mut pipe).starts_with("rnbqkbnr/pppppppp/"), "{value}");
            let lines = pipe.go(castling);
            assert_eq!(best(&lines), castles, "{value}: {lines:?}");
            pipe.send("position startpos");
        }
    }
    pipe.send("setoption name UCI_Variant value xiangqi\nsetoption name UCI_Variant");
    assert_eq!(fen(&mut pipe), CHESS_START, "no value");
    // The option for castling keeps its value.
    pipe.send("setoption name UCI_Chess960 value true\nsetoption name UCI_Variant value chess");
    assert_eq!(best(&pipe.go(castling)), "e1a1");
    assert_eq!(pipe.sync(), SILENCE);
}

#[test]
fn moves_of_the_other_game_say_what_to_set() {
    for (arguments, moves, other) in [
        (&[] as &[&str], "h2e2", "xiangqi"),
        (&[], "h3e3 h10g8", "xiangqi"),
        (&[], "b1c3 b10c8", "xiangqi"),
        (&["--game=xiangqi"], "e2e4 e7e5", "chess"),
    ] {
        let mut pipe = Pipe::launch(arguments, &[]);
        let lines = pipe.go(&format!("position startpos moves {moves}\ngo depth 1"));
        let hint = format!("set UCI_Variant to {other}, or start tabiya --game {other}");
        assert!(lines[0].starts_with("info string ERROR: position rejected: "), "{lines:?}");
        assert!(lines[0].ends_with(&hint), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"));
        // As it says.
        pipe.send(&format!("setoption name UCI_Variant value {other}"));
        let lines = pipe.go(&format!("position startpos moves {moves}\ngo depth 1"));
        assert!(!lines.iter().any(|line| line.contains("ERROR")), "{lines:?}");
    }
    // The program has said which game it plays, or the moves are of no game.
    for (before, moves) in
        [("setoption name UCI_Variant value chess\n", "h2e2"), ("", "e2e5"), ("", "e2e4 e2e4"), ("", "h2e2 e7e5")]
    {
        let mut pipe = Pipe::uci();
        let lines = pipe.go(&format!("{before}position startpos moves {moves}\ngo depth 1"));
        assert!(lines[0].contains("; the rest is ignored"), "{lines:?}");
        assert_ne!(lines.last().map(String::as_str), Some("bestmove (none)"));
    }
}

#[test]
fn an_engine_started_for_xiangqi_plays_it() {
    for arguments in [&["--game", "xiangqi"] as &[&str], &["--game=xiangqi"]] {
        let mut pipe = Pipe::launch(arguments, &[]);
        let lines = pipe.ask("uci", "uciok");
        let announced = "option name UCI_Variant type combo default xiangqi var xiangqi var chess";
        assert!(lines.iter().any(|line| line == announced), "{lines:?}");
        pipe::legal_best::<xiangqi::Board>(START, &pipe.go("ucinewgame\ngo depth 2"));
        pipe.send("position startpos moves h2e2");
        assert!(fen(&mut pipe).contains(" b "));
        pipe.send("setoption name UCI_Variant value chess");
        assert_eq!(fen(&mut pipe), CHESS_START);
        pipe.send("setoption name UCI_Variant");
        assert_eq!(fen(&mut pipe), START, "the default");
    }
    let mut pipe = Pipe::launch(&["--game", "chess"], &[]);
    assert_eq!(fen(&mut pipe), CHESS_START);
    let mut pipe = Pipe::launch(&["--game", "chess"], &[]);
    pipe.ask("ucci", "ucciok");
    for (arguments, message) in [
        (&["--game"] as &[&str], "tabiya: --game needs a value: --game NAME"),
        (&["--game", "shogi"], "tabiya: --game: unknown game \"shogi\"; expected chess or xiangqi"),
        (&["--game="], "tabiya: --game: unknown game \"\"; expected chess or xiangqi"),
        (
            &["--game", "xiangqi", "perft"],
            "tabiya: unexpected argument \"perft\" after --game xiangqi; a command's options follow \
             the command",
        ),
        (&["--gamer"], "tabiya: unknown command \"--gamer\""),
    ] {
        let out = Command::new(own()).args(arguments).output().unwrap();
        let text = String::from_utf8(out.stderr).unwrap();
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{arguments:?}");
        assert!(text.starts_with(message) && text.lines().count() == 1, "{text}");
    }
}

#[test]
fn a_win_that_is_no_checkmate_says_so() {
    let mut pipe = Pipe::launch(&["--game", "xiangqi"], &[]);
    let stalemate = "the line ends in stalemate, which loses";
    let lines = pipe.go("position fen 3k5/9/R8/9/9/9/9/9/9/4K4 w - - 0 1\ngo mate 1 searchmoves a7a8");
    assert!(lines.contains(&format!("info string {stalemate}")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
    for go in ["go mate 1 searchmoves a7d7", "go depth 2 searchmoves a7a8"] {
        let lines = pipe.go(go);
        assert!(!lines.iter().any(|line| line.contains(stalemate)), "{lines:?}");
    }
    // Red gives perpetual check; Black's move repeats the position for the third time.
    let cycle = "e1d1 d9e9 d1e1";
    let lines =
        pipe.go(&format!("position fen 3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1 moves {cycle} e9d9 {cycle}\ngo mate 1"));
    let forfeit = "the opponent loses by a forbidden repetition in 1, which is no mate";
    assert!(lines.contains(&format!("info string {forfeit}")), "{lines:?}");
    assert_eq!(best(&lines), "e9d9");
}
