//! The manual page (`tabiya help --man`) and completions for shells (`tabiya completions SHELL`), from the tables of
//! commands and options.
//!
//! The page is written for `man -l -`; each completion script is sourced by its shell.

use super::args::Help;
use super::games::{self, ProgramGame, Variant, by_game};
use crate::game::Kernel;
use std::fmt::Write as _;

/// The shells that have completions.
pub(super) const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// The manual page; `commands` are the names of the commands with their help.
pub(super) fn page(about: &str, general: &[(String, String)], commands: &[(&str, Help)]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut page = format!(".TH TABIYA 1 \"\" \"tabiya {version}\" \"User Commands\"\n.SH NAME\n");
    let _ = writeln!(page, "tabiya \\- {}\n.SH SYNOPSIS", roff(about));
    let rows = |page: &mut String, rows: &[(String, String)]| {
        for (form, help) in rows {
            let _ = writeln!(page, ".TP\n.B \"{}\"\n{}", roff(form).replace('"', "\\(dq"), roff(help));
        }
    };
    rows(&mut page, general);
    for (name, Help { forms, options, .. }) in commands {
        let _ = writeln!(page, ".SH \"TABIYA {}\"", name.to_uppercase());
        rows(&mut page, forms);
        if !options.is_empty() {
            page += ".SS Options\n";
            rows(&mut page, options);
        }
    }
    page += ".SH EXIT STATUS\n";
    let codes = [("0", "success, also if the reader of standard output exits early")];
    let codes =
        codes.into_iter().chain([("1", "a count differs"), ("2", "bad input, or the output cannot be written")]);
    rows(&mut page, &codes.map(|(code, help)| (code.into(), help.into())).collect::<Vec<_>>());
    page
}

/// Text for roff: no character is a command, and a hyphen stays one when it is copied.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('`', "\\(ga");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

/// What may stand behind an option.
enum Value {
    /// The option takes no value, or one that nothing can suggest.
    None,
    /// A value that nothing can suggest.
    Any,
    /// The name of a file or folder.
    File,
    /// One of these words.
    OneOf(Vec<String>),
    /// The name of a standard position of the game on the command line.
    Position,
}

/// The value of an option, by its form.
fn value(form: &str) -> Value {
    match form.split_once(' ') {
        None => Value::None,
        Some(("--game", _)) => Value::OneOf(Variant::ALL.map(|game| game.name().into()).to_vec()),
        Some(("--kernel", _)) => {
            let kernels = Kernel::ALL.into_iter().map(Kernel::name);
            Value::OneOf(["auto"].into_iter().chain(kernels).map(String::from).collect())
        }
        Some(("--fen", _)) => Value::Position,
        Some((_, value)) if value.contains("FILE") || value.contains("FOLDER") => Value::File,
        Some(_) => Value::Any,
    }
}

/// The names of the standard positions of a game.
fn titles<B: ProgramGame>() -> Vec<String> {
    games::suite::<B>(B::STANDARD).unwrap_or_default().into_iter().map(|entry| entry.title).collect()
}

/// The names of the standard positions of every game, the default one first; the others are chosen by their names.
fn positions() -> [(Variant, String); Variant::ALL.len()] {
    let mut games = Variant::ALL;
    games.sort_by_key(|game| *game != Variant::default());
    games.map(|game| (game, by_game!(game, B => titles::<B>()).join(" ")))
}

/// The words that a form offers: `--stats[=full]` is `--stats` or `--stats=full`.
fn words(form: &str) -> Vec<String> {
    let word = form.split(' ').next().unwrap_or_default();
    match word.split_once("[=") {
        Some((name, value)) => {
            vec![name.to_string(), format!("{name}={}", value.trim_end_matches(']'))]
        }
        None => vec![word.to_string()],
    }
}

/// The words that begin a command line, beside the commands.
const FIRST: [&str; 4] = ["help", "--game", "--help", "--version"];

/// The script for one of [`SHELLS`].
pub(super) fn completions(shell: &str, commands: &[(&str, Help)]) -> String {
    let names = Vec::from_iter(commands.iter().map(|(name, _)| *name)).join(" ");
    let (first, pages) = (format!("{names} {}", FIRST.join(" ")), format!("{names} --man"));
    match shell {
        "fish" => fish(&first, &pages, commands),
        "zsh" => {
            // zsh runs the functions of bash, and needs to be told so.
            let load = "autoload -U +X compinit && compinit -u\n\
                        autoload -U +X bashcompinit && bashcompinit\n";
            format!("#compdef tabiya\n{load}{}", bash(&first, &pages, commands))
        }
        _ => bash(&first, &pages, commands),
    }
}

/// The function for bash, with places for what depends on the tables.
const BASH: &str = r#"_tabiya() {
  local current="${COMP_WORDS[COMP_CWORD]}" offers="" files=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "@FIRST@" -- "$current"))
    return
  fi
  case "${COMP_WORDS[COMP_CWORD-1]}" in
@VALUES@  esac
  case "${COMP_WORDS[1]}" in
@COMMANDS@    help) offers="@PAGES@" ;;
  esac
  case "$files$current" in
    yes-*) ;;
    yes*) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
  COMPREPLY+=($(compgen -W "$offers" -- "$current"))
}
complete -o filenames -F _tabiya tabiya
"#;

fn bash(first: &str, pages: &str, commands: &[(&str, Help)]) -> String {
    let (mut cases, mut values) = (String::new(), Vec::new());
    let [(_, names), others @ ..] = positions();
    let other = |(game, names): &(Variant, String)| format!(" *\" {} \"*) names=\"{names}\" ;;", game.name());
    let others = others.iter().map(other).collect::<String>();
    let chosen = format!("local names=\"{names}\"; case \" ${{COMP_WORDS[*]}} \" in{others} esac\n      ");
    for (name, Help { forms, flags, .. }) in commands {
        let words = Vec::from_iter(flags.iter().flat_map(|form| words(form))).join(" ");
        let files = if takes_files(forms) { " files=yes" } else { "" };
        let _ = writeln!(cases, "    {name}) offers=\"{words} --help\"{files} ;;");
        for form in flags {
            let option = form.split(' ').next().unwrap_or_default();
            let generate = match value(form) {
                Value::None => continue,
                Value::Any => String::new(),
                Value::File => "-f".into(),
                Value::OneOf(words) => format!("-W \"{}\"", words.join(" ")),
                Value::Position => "-W \"$names\"".into(),
            };
            let chosen = if generate.contains("$names") { chosen.as_str() } else { "" };
            let reply = match generate.as_str() {
                "" => "return".to_string(),
                _ => format!("COMPREPLY=($(compgen {generate} -- \"$current\")); return"),
            };
            values.push(format!("    {option}) {chosen}{reply} ;;\n"));
        }
    }
    values.sort();
    values.dedup();
    let places =
        [("@COMMANDS@", cases.as_str()), ("@VALUES@", &values.concat()), ("@FIRST@", first), ("@PAGES@", pages)];
    places.iter().fold(BASH.to_string(), |text, (place, value)| text.replace(place, value))
}

fn fish(first: &str, pages: &str, commands: &[(&str, Help)]) -> String {
    let mut text = format!("complete -c tabiya -n __fish_use_subcommand -f -a '{first}'\n");
    let _ = writeln!(text, "complete -c tabiya -n '__fish_seen_subcommand_from help' -f -a '{pages}'");
    for (name, Help { forms, flags, .. }) in commands {
        if !takes_files(forms) {
            let _ = writeln!(text, "complete -c tabiya -n '__fish_seen_subcommand_from {name}' -f");
        }
        for form in flags {
            for word in words(form) {
                let seen = format!("complete -c tabiya -n '__fish_seen_subcommand_from {name}'");
                let Some(long) = word.strip_prefix("--") else {
                    let _ = writeln!(text, "{seen} -a '{word}'");
                    continue;
                };
                let value = match value(form) {
                    Value::None => String::new(),
                    Value::Any => " -x".into(),
                    Value::File => " -r -F".into(),
                    Value::OneOf(words) => format!(" -x -a '{}'", words.join(" ")),
                    Value::Position => {
                        text += &fish_positions(name, long);
                        continue;
                    }
                };
                let _ = writeln!(text, "{seen} -l '{long}'{value}");
            }
        }
    }
    text
}

/// The completions of an option that takes the name of a standard position.
fn fish_positions(command: &str, option: &str) -> String {
    let [(_, names), others @ ..] = positions();
    let line = |condition: &str, names: &str| {
        let when = format!("__fish_seen_subcommand_from {command}{condition}");
        format!("complete -c tabiya -n '{when}' -l '{option}' -x -a '{names}'\n")
    };
    let given = |game: &Variant| format!("string match -q \"*{}*\" -- (commandline -opc)", game.name());
    let none = others.iter().map(|(game, _)| format!("; and not {}", given(game))).collect::<String>();
    let rest = others.iter().map(|(game, names)| line(&format!("; and {}", given(game)), names));
    line(&none, &names) + &rest.collect::<String>()
}

/// Whether one of the command lines has a file or a program that stands without an option.
fn takes_files(forms: &[(String, String)]) -> bool {
    forms.iter().any(|(form, _)| form.contains(" FILE") && !form.contains("--out") || form.contains("ENGINE"))
}
