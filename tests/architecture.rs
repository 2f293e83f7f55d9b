//! Checks the layers of the crate by reading the paths that `src/**/*.rs` names, as the crates of a workspace would
//! enforce them: a file names its own layer and lower ones, no game names the other, and no files use each other in a
//! circle. Also what no lint checks: heads, the length of files, the width of comments.
//!
//! Read are `use` declarations, and other paths that begin with `crate` or `super`; unit tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The modules of each layer, the lowest layer first.
const LAYERS: [&[&str]; 6] = [
    &["base", "guide"],
    &["game", "network"],
    &["chess", "xiangqi"],
    &["perft", "engine", "explain"],
    &["protocol", "search", "doctor", "farm"],
    &["cli", "c_api"],
];

const GAMES: [&str; 2] = ["chess", "xiangqi"];

/// The files above the games that may name one.
const NAMES_GAMES: [&str; 7] = [
    "src/protocol/games.rs",
    "src/protocol/play.rs",
    "src/protocol/uci.rs",
    "src/protocol/ucci.rs",
    "src/cli/genfens.rs",
    "src/cli/probe.rs",
    "src/c_api/mod.rs",
];

/// Tools that use the core alone, and the files that may name them.
const WORKSHOPS: [&str; 2] = ["doctor", "farm"];
const NAMES_WORKSHOPS: [&str; 3] = ["src/cli/mod.rs", "src/cli/perft.rs", "src/c_api/mod.rs"];

/// A file's code, without comments and unit tests, and the paths that it names.
struct Module {
    file: String,
    paths: Vec<Named>,
}

/// A path, absolute from the crate's root; the name that it has here; whether that is a re-export.
struct Named {
    path: Vec<String>,
    name: String,
    re_exported: bool,
}

/// The text of all Rust files in or below these, with their paths from the root.
fn files(folders: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = Vec::from_iter(folders.iter().map(|folder| root.join(folder)));
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() && !path.ends_with("target") {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            found.push((name, fs::read_to_string(path).unwrap()));
        }
    }
    found
}

/// The module of a file, as the names that lead to it from the root.
fn module_of(file: &str) -> Vec<String> {
    let inside = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    inside.split('/').filter(|name| !matches!(*name, "lib" | "main")).map(String::from).collect()
}

/// Adds the leaves of a use-tree such as `a::{b, c::d}` to `found`.
fn expand(before: &str, tree: &str, found: &mut Vec<String>) {
    let Some((head, inside)) = tree.split_once('{') else {
        found.push(format!("{before}{}", tree.trim()).replace("::self", ""));
        return;
    };
    let (before, inside) = (format!("{before}{}", head.trim()), inside.trim_end().strip_suffix('}').unwrap_or(inside));
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in inside.char_indices().chain([(inside.len(), ',')]) {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            if !inside[start..at].trim().is_empty() {
                expand(&before, &inside[start..at], found);
            }
            start = at + 1;
        }
    }
}

/// Reads a file.
fn read(file: &str, text: &str) -> Module {
    let is_test = file.ends_with("/tests.rs") || file.contains("/tests/");
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap().split("#[cfg(all(test").next().unwrap();
    let code = if is_test { "" } else { code };
    let code: String = code.lines().map(|line| line.split("//").next().unwrap().to_string() + "\n").collect();
    let mut texts = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let before = code[..at].rsplit('\n').next().unwrap().trim();
        if before.is_empty() || before.starts_with("pub") {
            let mut leaves = Vec::new();
            expand("", code[at + 4..].split(';').next().unwrap(), &mut leaves);
            texts.extend(leaves.into_iter().map(|leaf| (leaf, !before.is_empty())));
        }
    }
    for (at, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let is_inside = code[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'));
        let is_visibility = code[..at].ends_with("pub(in ");
        if !is_inside && !is_visibility {
            let path = code[at..].split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':')).next().unwrap();
            // Before a brace stands the beginning of a use-tree.
            if !path.ends_with(':') {
                texts.push((path.into(), false));
            }
        }
    }
    let mut paths = Vec::new();
    for (text, re_exported) in texts {
        let (path, name) = text.split_once(" as ").unwrap_or((&text, text.rsplit("::").next().unwrap()));
        let mut absolute = module_of(file);
        for word in path.split("::") {
            match word {
                "crate" | "tabiya" => absolute.clear(),
                "super" => _ = absolute.pop(),
                "self" => {}
                _ => absolute.push(word.into()),
            }
        }
        paths.push(Named { path: absolute, name: name.into(), re_exported });
    }
    Module { file: file.into(), paths }
}

/// The file of an absolute path; re-exports are followed. `None` if it leads out of the crate.
fn target<'a>(modules: &'a BTreeMap<Vec<String>, Module>, path: &[String], steps: u32) -> Option<&'a str> {
    let known = (0..=path.len()).rev().find(|&length| modules.contains_key(&path[..length]))?;
    let module = &modules[&path[..known]];
    let Some(name) = path.get(known) else { return Some(&module.file) };
    match module.paths.iter().find(|named| named.re_exported && named.name == *name) {
        Some(named) if steps < 8 => {
            let onward = [&named.path[..], &path[known + 1..]].concat();
            target(modules, &onward, steps + 1)
        }
        _ => (known > 0).then_some(&module.file),
    }
}

/// Why a `file` may not name the top-level module `named`.
fn refusal(file: &str, named: &str) -> Option<String> {
    let module = module_of(file);
    let (own, inside) = (module.first()?.as_str(), module.get(1).map_or("", String::as_str));
    let layer = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    if own == "tablegen" {
        return (named != "rng" && named != "tablegen").then(|| "tablegen stands alone".into());
    }
    if own == named || layer(named).is_none() {
        return None;
    }
    if WORKSHOPS.contains(&named) {
        return (!NAMES_WORKSHOPS.contains(&file)).then(|| format!("names the workshop {named}"));
    }
    let workshop = WORKSHOPS.contains(&own);
    // The commands of the workshops.
    if workshop && inside == "cli" && matches!(named, "cli" | "protocol") {
        return None;
    }
    if layer(named) > layer(own) || workshop && matches!(named, "engine" | "network" | "search" | "protocol") {
        return Some(format!("{own} names {named}"));
    }
    let may = NAMES_GAMES.contains(&file) || (workshop || own == "explain") && inside == named;
    (GAMES.contains(&named) && layer(own) >= layer(named) && !may).then(|| format!("{own} names the game {named}"))
}

/// What is wrong with the layers of these files, and every circle of them.
fn faults(files: &[(String, String)]) -> BTreeSet<String> {
    let mut faults = BTreeSet::new();
    let modules: BTreeMap<_, _> = files.iter().map(|(file, text)| (module_of(file), read(file, text))).collect();
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for module in modules.values() {
        let targets = uses.entry(&module.file).or_default();
        for named in &module.paths {
            if let Some(reason) = named.path.first().and_then(|top| refusal(&module.file, top)) {
                faults.insert(format!("{}: {reason}", module.file));
            }
            let file = target(&modules, &named.path, 0).filter(|_| !named.re_exported);
            targets.extend(file.filter(|&file| file != module.file));
        }
    }
    for &start in uses.keys() {
        // A shortest way back, as the file from which each one was reached.
        let (mut from, mut open) = (BTreeMap::new(), std::collections::VecDeque::from([start]));
        while let Some(file) = open.pop_front() {
            for &next in &uses[file] {
                if !from.contains_key(next) {
                    from.insert(next, file);
                    open.push_back(next);
                }
            }
        }
        let mut circle = Vec::from_iter(from.get(start).copied());
        while circle.last().is_some_and(|&last| last != start) {
            circle.push(from[circle.last().unwrap()]);
        }
        if !circle.is_empty() && circle.iter().all(|&file| file >= start) {
            circle.reverse();
            faults.insert(format!("a circle: {}", circle.join(", which uses ")));
        }
    }
    faults
}

#[test]
fn files_keep_to_their_layers_and_form_no_circles() {
    let src = files(&["src"]);
    let paths: usize = src.iter().map(|(file, text)| read(file, text).paths.len()).sum();
    assert!(src.len() > 100 && paths > 1000, "{} files with {paths} paths read", src.len());
    let faults = faults(&src);
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn files_have_heads_and_are_not_too_long() {
    let mut faults = Vec::new();
    for (file, text) in files(&["src", "tests", "benches", "build.rs"]) {
        let (lines, is_wide) =
            (text.lines().count(), |line: &&str| line.chars().count() > 120 && !line.contains(" | "));
        if lines >= 800 || !text.starts_with("//! ") {
            faults.push(format!("{file}: {lines} lines, or no head"));
        }
        let comments = text.lines().filter(|line| line.trim_start().starts_with("//"));
        faults.extend(comments.filter(is_wide).map(|line| format!("{file}: wider than 120 columns: {line}")));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
