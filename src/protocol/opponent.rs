//! Who the opponent is, as `UCI_Opponent` says it: [`Opponent`].
//!
//! Called by `session` when the option is set; it reads, and changes nothing.

use std::fmt;

/// What `UCI_Opponent` says: `[title] [elo] [computer|human] name`, the first two or `none`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opponent {
    /// His title, if he has one.
    pub title: Option<String>,
    /// His Elo, if it is known.
    pub elo: Option<u32>,
    /// Whether he is a program.
    pub is_computer: bool,
    /// What he is called.
    pub name: String,
}

impl Opponent {
    /// Reads the value of the option; what is not there is not known.
    pub fn read(text: &str) -> Opponent {
        let mut words = text.split_whitespace().peekable();
        let mut opponent = Opponent::default();
        let titles = ["GM", "IM", "FM", "WGM", "WIM", "none"];
        if let Some(word) = words.next_if(|w| titles.iter().any(|t| t.eq_ignore_ascii_case(w))) {
            opponent.title = (!word.eq_ignore_ascii_case("none")).then(|| word.to_string());
        }
        if let Some(word) = words.next_if(|w| w.parse::<u32>().is_ok() || *w == "none") {
            opponent.elo = word.parse().ok();
        }
        if let Some(word) = words.next_if(|w| ["computer", "human"].contains(w)) {
            opponent.is_computer = word == "computer";
        }
        opponent.name = words.collect::<Vec<_>>().join(" ");
        opponent
    }
}

impl fmt::Display for Opponent {
    /// `GM Gary Kasparov, Elo 2800`, `Shredder, a program`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(title) = &self.title {
            write!(f, "{title} ")?;
        }
        f.write_str(if self.name.is_empty() { "without a name" } else { &self.name })?;
        if self.is_computer {
            f.write_str(", a program")?;
        }
        if let Some(elo) = self.elo {
            write!(f, ", Elo {elo}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_read_in_all_forms() {
        let gm = Opponent::read("GM 2800 human Gary Kasparov");
        assert_eq!((gm.title.as_deref(), gm.elo), (Some("GM"), Some(2800)));
        assert_eq!((gm.is_computer, gm.name.as_str()), (false, "Gary Kasparov"));
        let other = Opponent::read("none none computer Shredder");
        assert_eq!((other.title, other.elo, other.is_computer), (None, None, true));
        assert_eq!(other.name, "Shredder");
        assert_eq!(Opponent::read("").name, "");
        assert_eq!(Opponent::read("Nobody").name, "Nobody");
        for (text, shown) in [
            ("GM 2800 human Gary Kasparov", "GM Gary Kasparov, Elo 2800"),
            ("none none computer Shredder", "Shredder, a program"),
            ("none 3500 computer Stockfish 17", "Stockfish 17, a program, Elo 3500"),
            ("none none human", "without a name"),
            ("", "without a name"),
        ] {
            assert_eq!(Opponent::read(text).to_string(), shown, "{text}");
        }
    }
}
