//! What XBoard sends that no document asks for: the first value of every list, and folders that are missing.

use super::*;

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
