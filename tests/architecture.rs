//! The floors of the crate, seen to by reading `src/**/*.rs`: what a workspace would enforce, with std only.
//!
//! main → cli → protocol → engine, perft → chess, xiangqi → game → base. Each rule has a self-test beside it
//! which shows that it fires on a bad sample.

use std::fs;
use std::path::{Path, PathBuf};

/// Lines a file may have.
const LONGEST: usize = 799;

/// The floor of a top-level module; `None` for a name that no floor knows.
fn floor(module: &str) -> Option<u32> {
    Some(match module {
        "base" => 0,
        "game" => 1,
        "chess" | "xiangqi" => 2,
        "perft" | "engine" => 3,
        "protocol" => 4,
        "cli" => 5,
        _ => return None,
    })
}

fn is_game(module: &str) -> bool {
    matches!(module, "chess" | "xiangqi")
}

/// A source file: path below the root, and text.
struct Source {
    path: String,
    text: String,
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|x| x == "rs") {
            found.push(path);
        }
    }
}

fn sources(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in folders.iter().filter(|folder| root.join(folder).is_dir()) {
        collect(&root.join(folder), &mut paths);
    }
    paths
        .into_iter()
        .map(|path| Source {
            text: fs::read_to_string(&path).unwrap(),
            path: path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"),
        })
        .collect()
}

/// The code alone: comments, strings and character literals become blanks, line ends stay.
fn code_of(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut i = 0;
    while i < chars.len() {
        let word_before = i > 0 && (at(i - 1).is_alphanumeric() || at(i - 1) == '_');
        let end = if at(i) == '/' && at(i + 1) == '/' {
            (i..chars.len()).find(|&j| at(j) == '\n').unwrap_or(chars.len())
        } else if at(i) == '/' && at(i + 1) == '*' {
            let mut depth = 0;
            let mut j = i;
            loop {
                match (at(j), at(j + 1)) {
                    ('/', '*') => (depth, j) = (depth + 1, j + 2),
                    ('*', '/') => (depth, j) = (depth - 1, j + 2),
                    _ => j += 1,
                }
                if depth == 0 || j >= chars.len() {
                    break j.min(chars.len());
                }
            }
        } else if at(i) == 'r' && !word_before && matches!(at(i + 1), '"' | '#') {
            let hashes = (i + 1..).take_while(|&j| at(j) == '#').count();
            if at(i + 1 + hashes) == '"' {
                let closes = |&j: &usize| at(j) == '"' && (1..=hashes).all(|k| at(j + k) == '#');
                (i + 2 + hashes..chars.len()).find(closes).map_or(chars.len(), |j| j + 1 + hashes)
            } else {
                i
            }
        } else if at(i) == '"' {
            let mut j = i + 1;
            while j < chars.len() && at(j) != '"' {
                j += if at(j) == '\\' { 2 } else { 1 };
            }
            (j + 1).min(chars.len())
        } else if at(i) == '\'' && at(i + 1) == '\\' {
            (i + 3..chars.len()).find(|&j| at(j) == '\'').map_or(chars.len(), |j| j + 1)
        } else if at(i) == '\'' && at(i + 2) == '\'' {
            i + 3
        } else {
            i
        };
        if end == i {
            code.push(at(i));
            i += 1;
        } else {
            code.extend(chars[i..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            i = end;
        }
    }
    code
}

/// Blanks the modules under `#[cfg(test)]`: tests may use what their module may not.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(start) = rest.find("#[cfg(test)]") {
        let (before, after) = rest.split_at(start);
        kept.push_str(before);
        let mut depth = 0;
        let end = after.char_indices().find_map(|(i, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            (depth == 0 && matches!(c, '}' | ';')).then_some(i + 1)
        });
        let (gone, next) = after.split_at(end.unwrap_or(after.len()));
        kept.extend(gone.chars().filter(|&c| c == '\n'));
        rest = next;
    }
    kept + rest
}

/// The top-level module a file belongs to; empty for `lib.rs` and `main.rs`.
fn module_of(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let first = inside.split('/').next().unwrap_or_default();
    match first.strip_suffix(".rs") {
        Some("lib" | "main") => "",
        Some(module) => module,
        None => first,
    }
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The names that may follow a path prefix: one, or those of a group in braces.
fn heads(text: &str) -> Vec<&str> {
    let text = text.trim_start();
    let Some(group) = text.strip_prefix('{') else { return vec![identifier(text)] };
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' => {
                names.push(identifier(group[start..i].trim_start()));
                break;
            }
            ',' if depth == 0 => {
                names.push(identifier(group[start..i].trim_start()));
                start = i + 1;
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Top-level modules that `code` names, with the line: through `crate::`, the crate's own name, or as many
/// `super::` as lead out of the file's module.
fn named_modules<'a>(path: &str, code: &'a str) -> Vec<(usize, &'a str)> {
    let mut named = Vec::new();
    let mut note = |at: usize, heads: Vec<&'a str>, must_be_known: bool| {
        let line = code[..at].matches('\n').count() + 1;
        named.extend(
            heads
                .into_iter()
                .filter(|head| !must_be_known || floor(head).is_some())
                .map(|head| (line, head)),
        );
    };
    for prefix in ["crate::", "tabiya::"] {
        for (at, _) in code.match_indices(prefix) {
            let inside_word = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !inside_word {
                // Exported macros stand at the crate's root under their own names.
                let heads = heads(&code[at + prefix.len()..]);
                let is_macro = |head: &str| code[at + prefix.len() + head.len()..].starts_with('!');
                note(at, heads.into_iter().filter(|head| !is_macro(head)).collect(), false);
            }
        }
    }
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let depth = inside.split('/').count() - usize::from(inside.ends_with("/mod.rs"));
    let climb = "super::".repeat(depth);
    for (at, _) in code.match_indices(climb.as_str()) {
        note(at, heads(&code[at + climb.len()..]), true);
    }
    named
}

/// What `module` (in the file `path`) may not name, and why.
fn refusal(path: &str, module: &str, named: &str) -> Option<String> {
    if module == "tablegen" {
        // Compiled by build.rs and tests, where only `rng` exists beside it.
        return (named != "rng" && named != "tablegen").then(|| "tablegen stands alone".into());
    }
    if module.is_empty() || module == named {
        return None;
    }
    let Some(own) = floor(module) else { return Some(format!("{module} has no floor")) };
    let Some(other) = floor(named) else { return Some(format!("{named} has no floor")) };
    if other > own {
        return Some(format!("floor {own} names {named} on floor {other}"));
    }
    if is_game(module) && is_game(named) {
        return Some("the games do not know each other".into());
    }
    let picks = module == "cli" || matches!(path, "src/protocol/uci.rs" | "src/protocol/ucci.rs");
    if is_game(named) && own > 2 && !picks {
        return Some(format!("{module} is generic over games and names {named}"));
    }
    None
}

fn floor_faults(source: &Source) -> Vec<String> {
    let module = module_of(&source.path);
    let code = without_tests(&code_of(&source.text));
    named_modules(&source.path, &code)
        .into_iter()
        .filter_map(|(line, named)| {
            let why = refusal(&source.path, module, named)?;
            Some(format!("{}:{line}: {why}", source.path))
        })
        .collect()
}

fn shape_faults(source: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    let lines = source.text.lines().count();
    if lines > LONGEST {
        faults.push(format!("{}: {lines} lines", source.path));
    }
    if !source.text.starts_with("//! ") {
        faults.push(format!("{}: does not begin with //!", source.path));
    }
    faults
}

fn may_be_unsafe(path: &str) -> bool {
    path == "src/base/list.rs"
        || path.starts_with("src/chess/perft/")
        || matches!(path, "src/chess/board/tables.rs" | "src/xiangqi/board/tables.rs")
}

fn unsafe_faults(source: &Source) -> Vec<String> {
    let code = code_of(&source.text);
    let lines: Vec<&str> = source.text.lines().collect();
    let mut faults = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let Some(at) = line.match_indices("unsafe").map(|(at, _)| at).find(|&at| {
            identifier(&line[at..]) == "unsafe"
                && !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
        }) else {
            continue;
        };
        if !may_be_unsafe(&source.path) {
            faults.push(format!("{}:{}: unsafe does not belong here", source.path, index + 1));
            continue;
        }
        let next = line[at + "unsafe".len()..].trim_start();
        if next.starts_with("fn") || next.starts_with("extern") {
            continue; // a duty of the callers, told in its documentation
        }
        let comment = lines[..index]
            .iter()
            .rev()
            .map(|above| above.trim())
            .skip_while(|above| above.starts_with("#["))
            .take_while(|above| above.starts_with("//"));
        if !comment.into_iter().any(|above| above.contains("SAFETY:")) {
            faults.push(format!("{}:{}: unsafe without SAFETY: above", source.path, index + 1));
        }
    }
    faults
}

fn none(faults: Vec<String>) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn no_module_names_a_floor_above_or_a_sibling_game() {
    let sources = sources(&["src"]);
    assert!(sources.len() > 20, "only {} files read", sources.len());
    none(sources.iter().flat_map(floor_faults).collect());
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut all = sources(&["src", "tests", "benches"]);
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs")).unwrap();
    all.push(Source { path: "build.rs".into(), text });
    none(all.iter().flat_map(shape_faults).collect());
}

#[test]
fn unsafe_stays_where_it_belongs_and_says_why_it_is_sound() {
    none(sources(&["src"]).iter().flat_map(unsafe_faults).collect());
}

fn sample(path: &str, text: &str) -> Source {
    Source { path: path.into(), text: text.into() }
}

#[test]
fn the_floor_rule_fires() {
    for (path, text) in [
        ("src/base/bits.rs", "use crate::game::Side;"),
        ("src/base/bits.rs", "fn f() { crate::chess::g() }"),
        ("src/game/rules.rs", "use crate::{\n    base::list,\n    perft::Tally,\n};"),
        ("src/game/rules.rs", "use super::super::chess::Move;"),
        ("src/game/mod.rs", "use super::chess::Move;"),
        ("src/chess/board/make.rs", "use crate::xiangqi::Move;"),
        ("src/xiangqi/make.rs", "use crate::chess::Move;"),
        ("src/chess/board/make.rs", "use crate::engine::search;"),
        ("src/chess/perft/mod.rs", "use super::super::cli;"),
        ("src/chess/perft/scalar.rs", "use super::super::super::perft::count;"),
        ("src/engine/search.rs", "fn f(p: crate::chess::Position) {}"),
        ("src/perft/mod.rs", "use crate::{game::Rules, chess::Position};"),
        ("src/perft/count.rs", "/* crate::game */ use crate::cli::run;"),
        ("src/protocol/session.rs", "use crate::chess::Position;"),
        ("src/protocol/uci.rs", "use crate::cli::run;"),
        ("src/novelty/mod.rs", "use crate::base::bits;"),
        ("src/chess/mod.rs", "use crate::novelty::x;"),
        ("src/tablegen/chess.rs", "use crate::chess::Square;"),
        (
            "src/perft/mod.rs",
            "#[cfg(test)]\nmod tests { use crate::chess::A; }\nuse crate::chess::B;",
        ),
    ] {
        assert_eq!(floor_faults(&sample(path, text)).len(), 1, "{path}: {text}");
    }
}

#[test]
fn the_floor_rule_lets_the_rest_pass() {
    for (path, text) in [
        ("src/main.rs", "fn main() { tabiya::cli::run() }"),
        ("src/lib.rs", "pub mod chess; pub use crate::chess::Position;"),
        ("src/game/rules.rs", "use crate::base::list::MoveList; use super::side::Side;"),
        ("src/chess/bitboard.rs", "crate::bit_set! { Bitboard, u64, Square }"),
        (
            "src/chess/board/make.rs",
            "// see crate::cli\nconst S: &str = \"crate::cli\"; use crate::game::Side;",
        ),
        (
            "src/chess/perft/scalar.rs",
            "use super::super::tables; use crate::chess::types::moves::Move;",
        ),
        ("src/perft/count.rs", "#[cfg(test)]\nmod tests {\n    use crate::chess::Position;\n}\n"),
        ("src/protocol/uci.rs", "use crate::chess::Position; use crate::engine::Engine;"),
        ("src/cli/mod.rs", "use crate::{chess, perft, xiangqi};"),
        ("src/tablegen/chess.rs", "use crate::rng::SplitMix64; use super::emit::Source;"),
    ] {
        assert_eq!(floor_faults(&sample(path, text)), [""; 0], "{path}: {text}");
    }
}

#[test]
fn the_shape_rule_fires() {
    let long = format!("//! Long.\n{}", "\n".repeat(LONGEST));
    assert_eq!(shape_faults(&sample("src/a.rs", &long)).len(), 1);
    assert_eq!(shape_faults(&sample("src/a.rs", "fn f() {}\n")).len(), 1);
    assert_eq!(shape_faults(&sample("src/a.rs", "//! Short.\n")).len(), 0);
}

#[test]
fn the_unsafe_rule_fires() {
    let told = "// SAFETY: checked above.\n#[rustfmt::skip]\nunsafe { f() }";
    for (path, text, faults) in [
        ("src/chess/board/make.rs", told, 1),
        ("src/chess/board/make.rs", "unsafe impl Send for X {}", 1),
        ("src/perft/tables.rs", told, 1),
        ("src/chess/board/tables.rs", told, 0),
        ("src/xiangqi/board/tables.rs", told, 0),
        ("src/base/list.rs", told, 0),
        ("src/chess/perft/avx2.rs", told, 0),
        ("src/chess/perft/avx2.rs", "let x = unsafe { f() };", 1),
        ("src/chess/perft/avx2.rs", "// why\n\nunsafe { f() }", 1),
        ("src/chess/perft/avx2.rs", "// SAFETY: ok\nlet a = 1;\nunsafe { f() }", 1),
        (
            "src/chess/board/make.rs",
            "// unsafe\nlet s = \"unsafe\"; let c = '\"'; let unsafely = 1;",
            0,
        ),
        ("src/chess/board/make.rs", "let c = '\\''; let d = '\"'; unsafe { f() }", 1),
        ("src/chess/board/make.rs", "let r = r#\"a \" unsafe\"#; fn f<'a>(x: &'a str) {}", 0),
    ] {
        assert_eq!(unsafe_faults(&sample(path, text)).len(), faults, "{path}: {text}");
    }
}
