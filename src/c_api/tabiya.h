/* Tabiya for C and C++: text in, text out.

   Texts are UTF-8 and end with a zero byte. game: one of the three below. fen: a FEN of that game, or "startpos".

   Every function but tabiya_version writes at most size bytes to out, the last of them zero, and returns the length of
   the whole text without the zero, as snprintf does; out may be null to learn the length. If the call fails, the text
   is an error message in one line, and -1 - length is returned, a negative number.

   ask: asked every few milliseconds, on the calling thread, with context and the share of the work that is done, from
   0 to 1; if it returns anything but 0, the call ends with the error "the count was stopped", or, while faults are
   looked for, with those found so far. It may be null.

   A FEN is read leniently: what is not as the standard has it is changed or ignored, if the position is unambiguous. JSON
   then has "warning", a line that says so.

   The functions have no state: any thread may call any of them at any time. */
#ifndef TABIYA_H
#define TABIYA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TABIYA_CHESS 0
#define TABIYA_CHESS960 1 /* castling is written as king takes rook */
#define TABIYA_XIANGQI 2

typedef int (*tabiya_ask)(void *context, double share);

/* The version, such as "0.1.0". */
const char *tabiya_version(void);

/* The FEN of the start position of Chess960 with a number from 0 to 959; 518 is that of chess. */
ptrdiff_t tabiya_chess960(uint32_t number, char *out, size_t size);

/* The position after moves, which are in any notation and separated by blanks: JSON with "fen", "check", "outcome"
   (empty while the game goes on), and "moves", each with "move" (coordinates), "name" (SAN or WXF) and, in xiangqi, "chinese" (the name in
   characters). */
ptrdiff_t tabiya_position(int game, const char *fen, const char *moves, char *out, size_t size);

/* Why a move, in coordinates, is legal or not: JSON with "legal", "rule" and "sentence". */
ptrdiff_t tabiya_explain(int game, const char *fen, const char *move, char *out, size_t size);

/* The board as an SVG element, with move as an arrow and the squares that the sentence said names marked; both may be
   empty. Its colours are in src/web/style.css. */
ptrdiff_t tabiya_picture(int game, const char *fen, const char *move, const char *said, char *out, size_t size);

/* The number of sequences of depth plies, in decimal digits. */
ptrdiff_t tabiya_perft(int game, const char *fen, uint32_t depth, tabiya_ask ask, void *context, char *out,
                       size_t size);

/* The same for each move: lines such as "e2e4: 600", an empty line, and "Nodes searched: 8902". */
ptrdiff_t tabiya_divide(int game, const char *fen, uint32_t depth, tabiya_ask ask, void *context, char *out,
                        size_t size);

/* Compares a divide that another program printed, in any form: JSON with "right" (whether nothing is wrong) and
   "wrong", each with "kind" (missing, extra, repeated, total, miscounted), "move" and, if it is miscounted,
   "theirs"; then what is said in words, line by line, as `tabiya perft --compare` does: "before", "faults" that give
   exactly this divide, each with "line" and "shown", positions that show it ("fen", "path" from the root, "move" and
   "sentence"). "stopped" says whether ask ended the search for faults. */
ptrdiff_t tabiya_compare(int game, const char *fen, uint32_t depth, const char *theirs, tabiya_ask ask, void *context,
                         char *out, size_t size);

/* Names the fault of a generator that counted these totals: that of depth, or those of the last depths up to it, in any
   form that `tabiya perft --expect` reads. JSON as above, without "wrong". */
ptrdiff_t tabiya_expect(int game, const char *fen, uint32_t depth, const char *totals, tabiya_ask ask, void *context,
                        char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
