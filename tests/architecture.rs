//! Checks the crate's layers by reading `src/**/*.rs`, as the crates of a workspace would enforce them; std only.
//!
//! main → cli → protocol → engine, perft → chess, xiangqi → game, network → base; no files use each other in a circle,
//! and nothing of the core or the engine names a workshop.
//! The rules are tried on samples too, so that none is silent because it reads nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const LONGEST: usize = 799;

/// The most lines of a function.
const LONGEST_FUNCTION: usize = 150;

/// The most columns of a comment, but for rows of tables; rustfmt breaks code.
const WIDEST: usize = 120;

/// Functions that may be longer, with their files: the search is one sequence of numbered steps.
const LONG_FUNCTIONS: &[(&str, &str)] = &[("src/engine/alpha_beta.rs", "search_node")];

/// The floor of a top-level module; `None` for an unknown name.
fn floor(module: &str) -> Option<u32> {
    Some(match module {
        // The manual has text only.
        "base" | "guide" => 0,
        "game" | "network" => 1,
        _ if is_game(module) => 2,
        "perft" | "engine" => 3,
        "protocol" | "search" => 4,
        _ if WORKSHOPS.contains(&module) => 4,
        "cli" | "c_api" => 5,
        _ => return None,
    })
}

/// The workshops: folders of tools that use the core alone, and that neither core nor engine names.
const WORKSHOPS: &[&str] = &["doctor", "farm"];

/// The files that list the commands of the workshops.
const NAMES_WORKSHOPS: &[&str] = &["src/cli/mod.rs", "src/cli/perft.rs", "src/c_api/mod.rs"];

/// Files above the games that may name one: the list of games, the words of each protocol, and what is for chess only.
const NAMES_GAMES: &[&str] = &[
    "src/protocol/games.rs",
    "src/protocol/uci.rs",
    "src/protocol/ucci.rs",
    "src/cli/genfens.rs",
    "src/cli/probe.rs",
    "src/c_api/mod.rs",
];

/// Whether a module is a game, that is, one of the list.
fn is_game(module: &str) -> bool {
    include_str!("../src/protocol/games.rs").contains(&format!("= $crate::{module}::Board;"))
}

/// A source file: path below the root, and text.
struct Source {
    path: String,
    text: String,
}

/// All source files below these folders. `benches` is a package of its own: what Cargo builds there is left out.
fn sources(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).filter(|path| path.exists()).collect();
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() && !path.ends_with("target") {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|x| x == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push(Source { path: path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"), text });
        }
    }
    found
}

/// The text with comments, strings and character literals replaced by blanks; line ends are kept. No source has
/// comments in slashes and asterisks.
fn code_of(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut i = 0;
    while i < chars.len() {
        let word_before = i > 0 && (at(i - 1).is_alphanumeric() || at(i - 1) == '_');
        let end = if at(i) == '/' && at(i + 1) == '/' {
            (i..chars.len()).find(|&j| at(j) == '\n').unwrap_or(chars.len())
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

/// The code without the modules under `#[cfg(test)]`, and these modules alone; line ends stay in both.
fn split_tests(code: &str) -> (String, String) {
    let blank = |text: &str| text.chars().filter(|&c| c == '\n').collect::<String>();
    let (mut kept, mut tests) = (String::new(), String::new());
    let mut rest = code;
    while let Some(start) = rest.find("#[cfg(test)]").into_iter().chain(rest.find("#[cfg(all(test,")).min() {
        let (before, after) = rest.split_at(start);
        let mut depth = 0;
        let end = after.char_indices().find_map(|(i, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            (depth == 0 && matches!(c, '}' | ';')).then_some(i + 1)
        });
        let (gone, next) = after.split_at(end.unwrap_or(after.len()));
        kept += &(before.to_string() + &blank(gone));
        tests += &(blank(before) + gone);
        rest = next;
    }
    (kept + rest, tests)
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

/// Why `module` (in the file `path`) may not name the module `named`; `None` if it may.
fn refusal(path: &str, module: &str, named: &str) -> Option<String> {
    if module == "tablegen" {
        // build.rs and tests compile it with `rng` as the only other module.
        return (named != "rng" && named != "tablegen").then(|| "tablegen stands alone".into());
    }
    if module.is_empty() || module == named {
        return None;
    }
    if WORKSHOPS.contains(&named) {
        let listed = NAMES_WORKSHOPS.contains(&path);
        return (!listed).then(|| format!("{module} names the workshop {named}"));
    }
    if WORKSHOPS.contains(&module) {
        // Its folders `chess` and `xiangqi` have what it needs of the games, `cli` its commands.
        let inside = path.strip_prefix("src/").and_then(|path| path.split('/').nth(1)).unwrap_or_default();
        let inside = inside.trim_end_matches(".rs");
        let is_core = matches!(named, "base" | "game" | "perft" | "guide") || is_game(named) && named == inside;
        let is_command = inside == "cli" && matches!(named, "cli" | "protocol");
        return (!is_core && !is_command).then(|| format!("{path} names {named}, which is not of the core"));
    }
    let Some(own) = floor(module) else { return Some(format!("{module} has no floor")) };
    let Some(other) = floor(named) else { return Some(format!("{named} has no floor")) };
    if other > own {
        return Some(format!("floor {own} names {named} on floor {other}"));
    }
    if is_game(module) && is_game(named) {
        return Some("a game must not name the other game".into());
    }
    if is_game(named) && own > 2 && !NAMES_GAMES.contains(&path) {
        return Some(format!("{module} is generic over games and names {named}"));
    }
    None
}

fn floor_faults(source: &Source) -> Vec<String> {
    let own = module_of(&source.path);
    let (path, module) = module(source);
    let faults = module.references.iter().filter_map(|reference| {
        let why = refusal(&source.path, own, reference.top(&path)?)?;
        Some(format!("{}:{}: {why}", source.path, reference.line))
    });
    faults.collect()
}

fn shape_faults(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().collect();
    let mut faults = Vec::new();
    if lines.len() > LONGEST {
        faults.push(format!("{}: {} lines", source.path, lines.len()));
    }
    if !source.text.starts_with("//! ") {
        faults.push(format!("{}: does not begin with //!", source.path));
    }
    // Nobody keeps such a list up to date.
    let telling = ["used by", "used only", "called by", "called only", "which calls this", "read by"];
    let mut head = lines.iter().take_while(|line| line.starts_with("//!")).map(|line| line.to_lowercase());
    if head.any(|line| telling.iter().any(|words| line.contains(words))) {
        faults.push(format!("{}: the head says who uses the file", source.path));
    }
    let is_wide = |line: &str| line.trim_start().starts_with("//") && line.chars().count() > WIDEST;
    let wide = lines.iter().zip(1..).filter(|(line, _)| is_wide(line) && !line.contains(" | "));
    faults.extend(wide.map(|(_, number)| format!("{}:{number} is wider than {WIDEST} columns", source.path)));
    // A function ends with a brace below its first letter, as rustfmt puts it.
    for (first, line) in lines.iter().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let Some((before, rest)) = line[indent.len()..].split_once("fn ") else { continue };
        if line.ends_with(['}', ';']) || before.contains(['"', '/']) || !before.is_empty() && !before.ends_with(' ') {
            continue;
        }
        let is_end = |line: &str| {
            line.strip_prefix(indent).is_some_and(|line| line == "}" || line.starts_with(')') && line.ends_with(';'))
        };
        let (name, end) = (identifier(rest), lines[first..].iter().position(|line| is_end(line)));
        let length = if name.is_empty() { 0 } else { end.map_or(0, |last| last + 1) };
        if length > LONGEST_FUNCTION && !LONG_FUNCTIONS.contains(&(source.path.as_str(), name)) {
            faults.push(format!("{}: fn {name} has {length} lines", source.path));
        }
    }
    faults
}

fn may_be_unsafe(path: &str) -> bool {
    const HOMES: [&str; 8] = [
        "src/base/cpu.rs",
        "src/base/list.rs",
        "src/base/pages.rs",
        "src/base/reader.rs",
        "src/base/signals.rs",
        "src/c_api/mod.rs",
        "src/chess/board/tables.rs",
        "src/network/products.rs",
    ];
    HOMES.contains(&path) || path.starts_with("src/chess/perft/simd/")
}

fn unsafe_faults(source: &Source) -> Vec<String> {
    let code = code_of(&source.text);
    let lines: Vec<&str> = source.text.lines().collect();
    let mut faults = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let Some(at) = line.match_indices("unsafe").map(|(at, _)| at).find(|&at| {
            identifier(&line[at..]) == "unsafe" && !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
        }) else {
            continue;
        };
        if !may_be_unsafe(&source.path) {
            faults.push(format!("{}:{}: unsafe is not allowed here", source.path, index + 1));
            continue;
        }
        let next = line[at + "unsafe".len()..].trim_start();
        if ["fn", "extern", "trait"].iter().any(|word| next.starts_with(word)) {
            continue; // callers or implementors must meet its documented conditions
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

/// The faults of all files.
fn faults(sources: &[Source]) -> Vec<String> {
    let rules = [floor_faults, shape_faults, unsafe_faults];
    rules.iter().flat_map(|rule| sources.iter().flat_map(rule)).chain(circles(sources)).collect()
}

#[test]
fn the_source_keeps_to_the_layers_and_has_no_circles_no_long_files_and_no_unsafe_elsewhere() {
    let src = sources(&["src"]);
    let paths: usize = src.iter().map(|source| module(source).1.references.len()).sum();
    assert!(src.len() > 20 && paths > 500, "{} files with {paths} paths read", src.len());
    let others = sources(&["tests", "benches", "build.rs"]);
    let faults: Vec<String> = faults(&src).into_iter().chain(others.iter().flat_map(shape_faults)).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// A path that some code names.
struct Reference {
    line: usize,
    segments: Vec<String>,
    /// The name that a `use` binds; `None` outside of `use`.
    name: Option<String>,
    /// Whether it is a re-export by `pub use`.
    re_exported: bool,
    is_macro: bool,
}

impl Reference {
    /// The top-level module that the path leads to from the module `from`, if it leaves that.
    fn top(&self, from: &[String]) -> Option<&str> {
        let up = self.segments.iter().take_while(|s| *s == "super").count();
        let leaves = matches!(self.segments[0].as_str(), "crate" | "tabiya");
        let top = self.segments.get(if leaves { 1 } else { up })?;
        // Exported macros are at the crate's root under their own names.
        let named = leaves && !(self.is_macro && self.segments.len() == 2);
        (named || up > 0 && up == from.len() && floor(top).is_some()).then_some(top)
    }
}

/// Reads the path at `at`, with all branches of a use-tree; returns its end.
fn read_path(code: &str, at: usize, before: &[String], found: &mut Vec<(usize, usize, Vec<String>, String)>) -> usize {
    let blank = |i: usize| i + code[i..].len() - code[i..].trim_start().len();
    let start = blank(at);
    let (mut segments, mut end) = (before.to_vec(), start);
    loop {
        if code[end..].starts_with('{') {
            end = blank(end + 1);
            while end < code.len() && !code[end..].starts_with('}') {
                let next = read_path(code, end, &segments, found);
                // Skip an unexpected character, or the loop would not end.
                end = if next == end { end + code[end..].chars().next().map_or(1, char::len_utf8) } else { next };
                end = blank(end);
                if code[end..].starts_with(',') {
                    end = blank(end + 1);
                }
            }
            return (end + 1).min(code.len());
        }
        let word = if code[end..].starts_with('*') { "*" } else { identifier(&code[end..]) };
        if word.is_empty() {
            break;
        }
        segments.push(word.to_string());
        end += word.len();
        let next = blank(end);
        if !code[next..].starts_with("::") {
            break;
        }
        let behind = blank(next + 2);
        if code[behind..].starts_with('<') {
            break;
        }
        end = behind;
    }
    if segments.len() > before.len() {
        let mut name = segments.last().cloned().unwrap_or_default();
        if name == "self" && segments.len() > 1 {
            name = segments[segments.len() - 2].clone();
        }
        let next = blank(end);
        if identifier(&code[next..]) == "as" {
            let alias = identifier(&code[blank(next + 2)..]);
            (name, end) = (alias.to_string(), blank(next + 2) + alias.len());
        }
        found.push((start, end, segments, name));
    }
    end
}

/// The paths of at least two segments in `code`. Inside a module in braces, the `super`s that only lead to the file
/// are removed.
fn references(code: &str) -> Vec<Reference> {
    let (mut all, mut at) = (Vec::new(), 0);
    let (mut depth, mut modules) = (0, Vec::new());
    while let Some(c) = code[at..].chars().next() {
        let word = identifier(&code[at..]);
        if word.is_empty() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if c == '}' && modules.last() == Some(&depth) {
                modules.pop();
            }
            at += c.len_utf8();
            continue;
        }
        let before = code[..at].trim_end();
        let (is_use, mut found) = (word == "use", Vec::new());
        if word == "mod" {
            let rest = code[at + 3..].trim_start();
            if rest[identifier(rest).len()..].trim_start().starts_with('{') {
                modules.push(depth);
            }
        }
        let re_exported = is_use
            && (before.ends_with("pub")
                || before.ends_with(')') && before.rsplit('(').nth(1).is_some_and(|b| b.ends_with("pub")));
        let start = if is_use { at + word.len() } else { at };
        at = read_path(code, start, &[], &mut found).max(at + word.len());
        for (start, end, mut segments, name) in found {
            let supers = segments.iter().take_while(|s| *s == "super").count().min(modules.len());
            segments.drain(..supers);
            if segments.len() + supers >= 2 && !(supers > 0 && segments.first().is_none_or(|s| s != "super")) {
                let line = code[..start].matches('\n').count() + 1;
                let (name, is_macro) = (is_use.then_some(name), code[end..].starts_with('!'));
                all.push(Reference { line, segments, name, re_exported, is_macro });
            }
        }
    }
    all
}

/// A file as a module.
struct Module {
    path: String,
    code: String,
    references: Vec<Reference>,
    /// Those of its unit tests.
    tests: Vec<Reference>,
}

/// The module of a file, with its path from the crate's root.
fn module(source: &Source) -> (Vec<String>, Module) {
    let inside = source.path.strip_prefix("src/").unwrap_or(&source.path);
    let inside = inside.strip_suffix(".rs").unwrap_or(inside);
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    let path = inside.split('/').filter(|name| *name != "lib").map(str::to_string).collect();
    let code = code_of(&source.text);
    let (code, tests) = match source.path.ends_with("/tests.rs") {
        true => (code.chars().filter(|&c| c == '\n').collect(), code),
        false => split_tests(&code),
    };
    let (references, tests) = (references(&code), references(&tests));
    (path, Module { path: source.path.clone(), code, references, tests })
}

/// The file that defines the item at the path `segments` in the module `from`. Re-exports are followed. `None` for
/// names of other crates (`std`) and names imported before.
fn resolve<'a>(
    modules: &'a BTreeMap<Vec<String>, Module>,
    from: &[String],
    segments: &[String],
    steps: u32,
) -> Option<&'a str> {
    let (mut here, mut rest) = (from.to_vec(), segments);
    match rest.first()?.as_str() {
        "crate" | "tabiya" => (here, rest) = (Vec::new(), &rest[1..]),
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|s| s == "super") {
                here.pop();
                rest = &rest[1..];
            }
        }
        first => {
            let child = [&here[..], &[first.to_string()]].concat();
            modules.get(&child)?;
        }
    }
    while let Some(name) = rest.first() {
        let child = [&here[..], std::slice::from_ref(name)].concat();
        if modules.contains_key(&child) {
            (here, rest) = (child, &rest[1..]);
            continue;
        }
        let module = modules.get(&here)?;
        let known = |r: &&Reference| r.name.as_ref() == Some(name);
        if let Some(passed) = module.references.iter().find(known).filter(|_| steps < 8) {
            let onward = [&passed.segments[..], &rest[1..]].concat();
            return resolve(modules, &here, &onward, steps + 1).or(Some(&module.path));
        }
        // An exported macro is at the root, whatever file defines it.
        let definition = format!("macro_rules! {name} ");
        let file = modules.values().find(|m| here.is_empty() && m.code.contains(&definition));
        return Some(&file.unwrap_or(module).path);
    }
    Some(&modules.get(&here)?.path)
}

/// The circles of files: groups in which every file uses every other, directly or not. A report has a line for each
/// arrow. A re-export by `pub use` does not count as a use, and methods that a type
/// has in several files are not followed. Unit tests may use any module, but not a file that uses theirs: that is a
/// circle of two.
fn circles(sources: &[Source]) -> Vec<String> {
    let modules: BTreeMap<Vec<String>, Module> = sources.iter().map(module).collect();
    let arrows_of = |references: fn(&Module) -> &Vec<Reference>| {
        let mut arrows: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for (from, module) in &modules {
            let targets = arrows.entry(&module.path).or_default();
            for reference in references(module).iter().filter(|r| !r.re_exported) {
                if let Some(target) = resolve(&modules, from, &reference.segments, 0)
                    && target != module.path
                {
                    targets.entry(target).or_insert(reference.line);
                }
            }
        }
        arrows
    };
    let mut arrows = arrows_of(|module| &module.references);
    for (from, targets) in arrows_of(|module| &module.tests) {
        for (target, line) in targets {
            if arrows[target].contains_key(from) {
                arrows.entry(from).or_default().entry(target).or_insert(line);
            }
        }
    }
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for &start in arrows.keys() {
        let (mut files, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(file) = open.pop() {
            let next = arrows.get(file).into_iter().flat_map(BTreeMap::keys);
            open.extend(next.filter(|&&target| files.insert(target)));
        }
        reached.insert(start, files);
    }
    let mut circles = BTreeMap::new();
    for (file, targets) in reached.iter().filter(|(file, targets)| targets.contains(*file)) {
        let members: Vec<String> = targets
            .iter()
            .filter(|&target| reached.get(target).is_some_and(|back| back.contains(file)))
            .map(ToString::to_string)
            .collect();
        let inside = |target: &str| members.iter().any(|member| member == target);
        let mut report = String::from("circle:");
        for member in &members {
            for (target, line) in arrows[member.as_str()].iter().filter(|(t, _)| inside(t)) {
                report += &format!("\n  {member}:{line} names {target}");
            }
        }
        circles.insert(members, report);
    }
    circles.into_values().collect()
}

/// A file of [`LONGEST_FUNCTION`] lines of a function, and one more.
fn function(name: &str, more: usize) -> String {
    format!("fn {name}(a: [u8; 2]) {{\n{}}}\n", "\n".repeat(LONGEST_FUNCTION - 2 + more))
}

const COMMENTED: &str = "// SAFETY: checked above.\n#[rustfmt::skip]\nunsafe { f() }";

#[test]
fn every_rule_fires_once_on_a_bad_sample_and_never_on_a_good_one() {
    let (long, exactly, longer) = ("\n".repeat(LONGEST), function("f", 0).repeat(3), function("f", 1));
    let search = function("search_node", 1);
    // Files of a sample are separated by `|`, the path of each is before the first blank.
    for (wanted, sample) in [
        (1, "src/base/bits.rs use crate::game::Side;"),
        (1, "src/base/bits.rs fn f() { crate::chess::g() }"),
        (1, "src/game/board.rs use crate::{\n    base::list,\n    perft::Tally,\n};"),
        (1, "src/game/board.rs use super::super::chess::Move;"),
        (1, "src/chess/board/make.rs use crate::xiangqi::Move;"),
        (1, "src/chess/perft/scalar.rs use super::super::super::perft::count;"),
        (1, "src/engine/alpha_beta.rs fn f(p: crate::chess::Position) {}"),
        (1, "src/protocol/session.rs use crate::chess::Position;"),
        (1, "src/protocol/uci.rs use crate::cli::run;"),
        (1, "src/novelty/mod.rs use crate::base::bits;"),
        (1, "src/base/bits.rs use crate::doctor::diff;"),
        (1, "src/chess/mod.rs use tabiya::doctor::Diagnosis;"),
        (1, "src/perft/mod.rs pub use crate::{\n    doctor::diff,\n};"),
        (1, "src/engine/alpha_beta.rs fn f() { crate::doctor::seeded::totals() }"),
        (1, "src/protocol/games.rs use crate::doctor::Diagnosis;"),
        (1, "src/perft/count.rs use crate::farm::checkpoint::Checkpoint;"),
        (1, "src/farm/recorder.rs use crate::cli::output;"),
        (1, "src/farm/merge.rs use crate::doctor::diff;"),
        (0, "src/farm/cli.rs use crate::cli::output; use crate::perft::count::Counter;"),
        (1, "src/cli/args.rs use crate::doctor::cli::check;"),
        (1, "src/doctor/expect.rs use crate::chess::Position;"),
        (1, "src/doctor/chess/make.rs use crate::xiangqi::Position;"),
        (1, "src/doctor/seeded.rs use crate::engine::search;"),
        (1, "src/doctor/check/mod.rs use crate::cli::args;"),
        (1, "src/doctor/cli/check.rs use crate::engine::search;"),
        (1, "src/tablegen/chess.rs use crate::chess::Square;"),
        (1, "src/perft/mod.rs #[cfg(test)]\nmod tests { use crate::chess::A; }\nuse crate::chess::B;"),
        (0, "src/cli/mod.rs use crate::doctor::cli::check;"),
        (0, "src/doctor/chess/make.rs use crate::chess::Position; use crate::doctor::faults::Engines;"),
        (0, "src/doctor/cli/check.rs use crate::cli::args; use crate::perft::count::Counter;"),
        (0, "src/lib.rs pub mod chess; pub use crate::chess::Position;"),
        (0, "src/game/board.rs use crate::base::list::MoveList; use super::side::Side;"),
        (0, "src/chess/bitboard.rs crate::bit_set! { Bitboard, u64, Square }"),
        (0, "src/chess/board/make.rs // see crate::cli\nconst S: &str = \"crate::cli\"; use crate::game::Side;"),
        (0, "src/chess/perft/scalar.rs use super::super::tables; use crate::chess::types::moves::Move;"),
        (0, "src/protocol/uci.rs use crate::chess::Position; use crate::engine::Engine;"),
        (0, "src/tablegen/chess.rs use crate::rng::SplitMix64; use super::emit::Source;"),
        (1, &format!("src/a.rs {long}")),
        (1, &format!("src/a.rs //{:x<119}", "")),
        (0, &format!("src/a.rs //{:x<118}", "")),
        (1, &format!("src/a.rs {longer}")),
        (1, &format!("src/a.rs {search}")),
        (0, &format!("src/a.rs {exactly}")),
        (0, &format!("src/engine/alpha_beta.rs {search}")),
        (1, &format!("src/chess/board/make.rs {COMMENTED}")),
        (1, "src/chess/board/make.rs unsafe impl Send for X {}"),
        (1, "src/chess/perft/simd/avx2.rs // SAFETY: ok\nlet a = 1;\nunsafe { f() }"),
        (1, "src/chess/board/make.rs let c = '\\''; let d = '\"'; unsafe { f() }"),
        (0, &format!("src/chess/perft/simd/avx2.rs {COMMENTED}")),
        (0, "src/chess/board/make.rs // unsafe\nlet s = \"unsafe\"; let c = '\"'; let unsafely = 1;"),
        (0, "src/chess/board/make.rs let r = r#\"a \" unsafe\"#; fn f<'a>(x: &'a str) {}"),
        // Circles: of two, of three through a nested use-tree and the crate's own name, through a re-export under
        // another name, with the parent, from a module in braces, through an exported macro, through a unit test.
        (1, "src/base/x.rs use crate::base::y;|src/base/y.rs fn f() { super::x::g() }"),
        (
            1,
            "src/base/x.rs use super::{\n    y::{self, Y},\n    w::W,\n};|src/base/y.rs use crate::{base::{z::{Z, O}}};\
             |src/base/z.rs fn f(x: &tabiya::base::x::X) {}",
        ),
        (
            1,
            "src/base/mod.rs pub mod x;\npub(crate) use x::{X as Other, f};|src/base/x.rs use crate::base::b::B;\
             |src/base/b.rs use crate::base::Other;",
        ),
        (1, "src/base/mod.rs mod x; fn f() { x::g() } pub struct P;|src/base/x.rs use super::P;"),
        (1, "src/base/x.rs mod m { use super::super::y::Y; }|src/base/y.rs use super::x::X;"),
        (
            1,
            "src/base/x.rs #[macro_export]\nmacro_rules! made {\n}\nuse super::y::Y;\
             |src/base/y.rs crate::made! { Y }",
        ),
        (1, "src/base/x.rs use super::y::Y;|src/base/y.rs #[cfg(test)]\nmod tests {\n    use super::super::x::X;\n}"),
        // None: a name in a comment; a test that uses a module which does not use its own; the parent's re-exports.
        (0, "src/base/x.rs use super::y::Y; // use super::z::Z;|src/base/y.rs use std::a::x::X;"),
        (
            0,
            "src/base/x.rs use super::z::Z;|src/base/y.rs #[cfg(test)]\nmod tests {\n    use super::super::x::X;\n}\
             |src/base/z.rs use super::y::Y;",
        ),
        (
            0,
            "src/base/mod.rs mod x; mod y; pub use x::X; pub use y::Y;|src/base/x.rs use super::Y;\
             |src/base/y.rs fn f() -> &'static str { \"super::x::X\" }",
        ),
    ] {
        let file = |sample: &str| {
            let (path, text) = sample.split_once(' ').unwrap();
            Source { path: path.into(), text: format!("//! A head.\n{text}") }
        };
        let mut all: Vec<Source> = sample.split('|').map(file).collect();
        let parents = ["src/lib.rs pub mod base;", "src/base/mod.rs pub mod x;"].map(file);
        let is_missing = |parent: &Source| all.iter().all(|file| file.path != parent.path);
        let parents = Vec::from_iter(parents.into_iter().filter(|parent| is_missing(parent)));
        all.extend(parents);
        let found = faults(&all);
        assert_eq!(found.len(), wanted, "{sample:.300}: {found:?}");
    }
    let headless = Source { path: "src/a.rs".into(), text: "fn f() {}\n".into() };
    assert_eq!(faults(&[headless]).len(), 1);
    let telling = Source { path: "src/a.rs".into(), text: "//! Squares.\n//!\n//! Used by all.\n".into() };
    assert_eq!(faults(&[telling]).len(), 1);
}
