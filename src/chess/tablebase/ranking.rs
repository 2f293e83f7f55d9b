//! Tablebases for the search: results in the tree, and ranks of the root moves.
//!
//! Implements `game::EndgameTables` for [`Tablebases`]. The fifty-move rule and repetitions are handled here, because
//! `probe` does not see the moves that led to a position.

use crate::chess::Position;
use crate::chess::board::Board;
use crate::chess::tablebase::pager::Pager;
use crate::chess::tablebase::{Judged, Refusal, Tablebases, folders, scan};
use crate::chess::types::Move;
use crate::game::search::endgame_tables::Patience;
use crate::game::text::fault::quoted;
use crate::game::{EndgameTables, RankedMove, Ranking, Rules as _, TableFault, TableResult, Verdict};

/// The rank of certain wins; negated, of certain losses.
const SAFE: i32 = 1000;
/// Plies without progress after which the game is drawn. Ranks below `SAFE` minus this are not wins.
const FIFTY_MOVES: i32 = 100;

impl EndgameTables<Board> for Tablebases {
    const EXIST: bool = true;

    /// The folders are separated by `;` (or by `:` on systems where paths do not contain it). If two folders contain
    /// the same table, the first one is used. Everything that can be read is used, whatever is wrong with the rest.
    fn open(list: &str) -> (Self, Vec<TableFault>) {
        let (mut files, mut faults) = (Vec::new(), Vec::new());
        for folder in folders(list) {
            if let Err(reason) = scan(&folder, &mut files, &mut faults) {
                let shown = quoted(&folder.to_string_lossy());
                faults.push(TableFault::Absent(format!("no tables from {shown}: {reason}")));
            }
        }
        (Tablebases::from_files(files), faults)
    }

    fn summary(&self) -> Option<String> {
        let ((results, distances), men) = (self.counts(), self.most_men);
        (results + distances > 0).then(|| format!("Syzygy tables: {results} WDL, {distances} DTZ, up to {men} pieces"))
    }

    fn most_men(&self) -> u32 {
        self.most_men
    }

    #[inline(always)]
    fn is_fresh(pos: &Position) -> bool {
        pos.halfmove_clock() == 0 && pos.castling().is_empty()
    }

    fn result(&self, pos: &Position, patience: Patience<'_>) -> Option<TableResult> {
        self.wdl(pos, patience).ok().map(result_of)
    }

    fn rank(
        &self,
        pos: &Position,
        trail: &[u64],
        moves: &[Move],
        fifty_moves: bool,
        patience: Patience<'_>,
    ) -> Option<Ranking<Move>> {
        if !pos.castling().is_empty() || pos.occupied().count() > self.most_men {
            return None;
        }
        let judge = |&m| match self.judge(pos, m, patience) {
            Err(Refusal::TooSlow) => None,
            judged => Some(judged.ok()),
        };
        let judged: Vec<Option<Judged>> = moves.iter().map(judge).collect::<Option<_>>()?;
        let progress = judged.iter().flatten().any(|judged| judged.wdl == 2 && judged.dtz.is_some());
        let key = pos.key();
        let path = [trail, &[key]].concat();
        let repeated = has_repeated(&path, pos.halfmove_clock());
        let clock = if fifty_moves { i32::from(pos.halfmove_clock()) } else { 0 };
        let rank = |judged: &Judged| {
            let child = pos.play_unchecked(judged.m);
            let drawn = Board::verdict(&child, &path, 1) == Some(Verdict::Draw);
            let rank = match judged.dtz {
                _ if drawn => 0,
                Some(distance) => rank_of(distance, clock, repeated, fifty_moves),
                // A win without a distance comes after those that make progress.
                None if judged.wdl == 2 && progress => SAFE - FIFTY_MOVES,
                None => by_result(judged.wdl, fifty_moves),
            };
            let result = match rank {
                0 => TableResult::Draw,
                _ if !fifty_moves => result_of(2 * rank.signum() as i8),
                _ if rank >= SAFE - FIFTY_MOVES => TableResult::Win,
                1.. => TableResult::CursedWin,
                _ if rank > FIFTY_MOVES - SAFE => TableResult::BlessedLoss,
                _ => TableResult::Loss,
            };
            (rank, result)
        };
        let known: Vec<_> = judged.iter().map(|judged| judged.as_ref().map(rank)).collect();
        let &(best, result) = known.iter().flatten().max()?;
        let mut both = judged.iter().flatten().zip(known.iter().flatten());
        let by_distance = both.all(|(judged, &(rank, _))| rank < best || judged.dtz.is_some());
        // The search compares unknown moves with those that draw. They are better than a loss.
        let unknown = if result == TableResult::Loss { 0 } else { best.min(0) };
        let moves = moves.iter().zip(known).map(|(&m, known)| match known {
            Some((rank, result)) => RankedMove { m, rank, result: Some(result) },
            None => RankedMove { m, rank: unknown, result: None },
        });
        Some(Ranking { moves: moves.collect(), by_distance })
    }

    fn take_faults(&self) -> Vec<String> {
        self.pager.as_ref().map_or(Vec::new(), Pager::take_faults)
    }
}

const fn result_of(wdl: i8) -> TableResult {
    match wdl {
        2 => TableResult::Win,
        1 => TableResult::CursedWin,
        0 => TableResult::Draw,
        -1 => TableResult::BlessedLoss,
        _ => TableResult::Loss,
    }
}

/// Whether a position since the last capture or pawn move has occurred twice. `path` ends with the current position.
fn has_repeated(path: &[u64], clock: u16) -> bool {
    let reach = path.len().min(usize::from(clock) + 1);
    let recent = &path[path.len() - reach..];
    recent.iter().enumerate().any(|(i, key)| recent[..i].contains(key))
}

/// The rank of a move by its distance. While there is enough time before the fifty-move limit, all winning moves are
/// equal and the search may choose between them. If a position has repeated or time runs short, the fastest win ranks
/// first. The losing side prolongs the game if it may reach the fifty-move limit.
fn rank_of(distance: i32, clock: i32, repeated: bool, fifty_moves: bool) -> i32 {
    if distance == 0 {
        return 0;
    }
    let plies = distance.abs();
    // Distances may be one ply too small, hence the reserve of one ply.
    let rank = if !fifty_moves {
        if repeated && distance > 0 { SAFE - plies.min(SAFE - 1) } else { SAFE }
    } else if distance > 0 {
        let late = plies + clock;
        if late < FIFTY_MOVES && !repeated { SAFE } else { (SAFE - late).max(1) }
    } else {
        let reach = if 2 * plies + clock < FIFTY_MOVES { 0 } else { plies + clock };
        (SAFE - reach).max(1)
    };
    rank * distance.signum()
}

/// The rank of a move without a DTZ value.
fn by_result(wdl: i8, fifty_moves: bool) -> i32 {
    let rank = match wdl.abs() {
        2 => SAFE,
        1 if fifty_moves => SAFE - FIFTY_MOVES - 1,
        1 => SAFE,
        _ => 0,
    };
    rank * i32::from(wdl.signum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_respect_the_fifty_move_rule() {
        let rank = |distance, clock| rank_of(distance, clock, false, true);
        assert_eq!(rank(1, 0), rank(60, 30));
        assert!(rank(60, 30) > rank(70, 30) && rank(70, 30) > rank(71, 30));
        assert!(rank(70, 30) >= SAFE - FIFTY_MOVES && rank(71, 30) < SAFE - FIFTY_MOVES);
        assert!(rank(2_000, 0) > rank(0, 0) && rank(0, 0) > rank(-2_000, 0));
        assert_eq!(rank(-2, 0), rank(-20, 0));
        assert!(rank(-80, 30) > rank(-20, 30) && rank(-70, 30) > rank(-60, 30));
        assert!(rank_of(5, 0, true, true) > rank_of(7, 0, true, true));
        assert_eq!(rank_of(150, 99, false, false), rank_of(1, 0, false, false));
    }

    #[test]
    fn repetitions_before_progress_do_not_count() {
        assert!(!has_repeated(&[1, 2, 3, 4], 3));
        assert!(has_repeated(&[1, 2, 1, 4], 3));
        assert!(!has_repeated(&[1, 2, 1, 4], 1));
        assert!(!has_repeated(&[], 9) && !has_repeated(&[5], 0));
    }
}
