/* Uses the C functions as a program would, and checks their answers; then gives all of them the number of damaged texts
   that is the argument. `.ci/run c` builds it as C11 and as C++17. */
#include "../../src/c_api/tabiya.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const POSITION3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
static const char *const KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
static char text[1 << 16];
static int faults = 0;

static void check(const char *what, ptrdiff_t length, const char *word) {
  if (length < 0 || strstr(text, word) == NULL) {
    printf("%s: no \"%s\" in: %s\n", what, word, text);
    ++faults;
  }
}

static void refused(const char *what, ptrdiff_t length, const char *word) {
  if (length >= 0 || (size_t)(-1 - length) != strlen(text) || strstr(text, word) == NULL) {
    printf("%s: not refused with \"%s\": %s\n", what, word, text);
    ++faults;
  }
}

/* Stops at the third question. */
static int stop(void *context, double share) {
  if (share < 0 || share > 1) {
    ++faults;
  }
  return ++*(int *)context >= 3;
}

/* Stops after some questions, so that no damaged text takes long. */
static int soon(void *context, double share) {
  (void)share;
  return ++*(int *)context >= 20;
}

/* Stops when so many questions have been asked. */
static int after(void *context, double share) {
  (void)share;
  return --*(int *)context <= 0;
}

static uint64_t seed = 0x5eed7001;

static size_t below(size_t limit) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(seed >> 33) % limit;
}

/* One of these texts with some bytes changed, or none. */
static const char *damaged(char *place, size_t size) {
  static const char *const texts[] = {
      "startpos", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "e2e4 e7e5 1. Nf3", "e8g8",
      "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "e2e4: 20\nd2d4: 20\n\nNodes searched: 400",
      "C2=5", "20,399", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", ""};
  size_t length, changes;
  strncpy(place, texts[below(sizeof texts / sizeof *texts)], size - 1);
  place[size - 1] = 0;
  length = strlen(place);
  for (changes = below(3); changes > 0 && length > 0; --changes) {
    place[below(length)] = below(4) == 0 ? (char)(below(255) + 1) : " /18kKqpe4w-,:"[below(14)];
  }
  return below(50) == 0 ? NULL : place;
}

static void try_damaged(void) {
  char fen[128], other[128], third[128];
  const char *const a = damaged(fen, sizeof fen), *const b = damaged(other, sizeof other);
  const char *const c = damaged(third, sizeof third);
  const int game = (int)below(5) - 1;
  const uint32_t depth = (uint32_t)below(4);
  const size_t size = below(2) == 0 ? below(40) : sizeof text;
  char *const out = size == 0 ? NULL : (char *)malloc(size);
  int asked = 0;
  ptrdiff_t length = 0;
  switch (below(8)) {
  case 0: length = tabiya_position(game, a, b, out, size); break;
  case 1: length = tabiya_explain(game, a, b, out, size); break;
  case 2: length = tabiya_picture(game, a, b, c, out, size); break;
  case 3: length = tabiya_perft(game, a, depth, soon, &asked, out, size); break;
  case 4: length = tabiya_divide(game, a, depth, soon, &asked, out, size); break;
  case 5: length = tabiya_compare(game, a, depth, b, soon, &asked, out, size); break;
  case 6: length = tabiya_expect(game, a, depth, b, soon, &asked, out, size); break;
  default: length = tabiya_chess960((uint32_t)below(1000), out, size);
  }
  length = length < 0 ? -1 - length : length;
  if (out != NULL && strlen(out) > (size_t)length) {
    ++faults;
  }
  free(out);
}

int main(int count, char **arguments) {
  char small[8];
  long left;
  int asked = 0;
  if (strcmp(tabiya_version(), "0.1.0") != 0) {
    ++faults;
  }
  check("moves", tabiya_position(TABIYA_CHESS, "startpos", "e4 c7c5 1.Nf3", text, sizeof text),
        "{\"move\":\"d8a5\",\"name\":\"Qa5\"}");
  check("mate", tabiya_position(TABIYA_CHESS, "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "", text, sizeof text),
        "\"check\":true,\"outcome\":\"checkmate\",\"moves\":[]");
  check("castling", tabiya_position(TABIYA_CHESS960, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", text, sizeof text),
        "{\"move\":\"e1h1\",\"name\":\"O-O\"}");
  check("xiangqi", tabiya_position(TABIYA_XIANGQI, "startpos", "h2e2", text, sizeof text), "\"name\":\"H8+7\"");
  check("characters", tabiya_position(TABIYA_XIANGQI, "startpos", "", text, sizeof text),
        "\"name\":\"C2=5\",\"chinese\":\"炮二平五\"");
  check("warning", tabiya_position(TABIYA_CHESS, "4k3/8/8/8/8/8/8/4K3 w K - 0 1", "", text, sizeof text),
        "],\"warning\":\"FEN castling, ");
  check("no warning", tabiya_position(TABIYA_CHESS, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", text, sizeof text), "]}");
  check("count", tabiya_perft(TABIYA_CHESS, KIWIPETE, 4, NULL, NULL, text, sizeof text), "4085603");
  check("divide", tabiya_divide(TABIYA_CHESS, "startpos", 3, NULL, NULL, text, sizeof text),
        "e2e4: 600\n");
  check("picture", tabiya_picture(TABIYA_CHESS, "startpos", "e2e4", "", text, sizeof text), "<svg viewBox=");
  check("Chess960", tabiya_chess960(518, text, sizeof text), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w ");
  refused("number", tabiya_chess960(960, text, sizeof text), "number: 960, expected 0 to 959");
  check("explanation", tabiya_explain(TABIYA_CHESS, "4k2r/6B1/8/8/8/8/8/4K3 b k - 1 1", "e8g8", text, sizeof text),
        "the king passes f8, which the bishop on g7 attacks");
  check("difference", tabiya_compare(TABIYA_CHESS, "startpos", 1, "a2a3: 1\n", NULL, NULL, text, sizeof text),
        "{\"kind\":\"missing\",\"move\":\"e2e4\"}");
  check("sentence", tabiya_compare(TABIYA_CHESS, "startpos", 2, "a2a3: 20\n", NULL, NULL, text, sizeof text),
        "\"e2e4 is missing: the pawn on e2 ");
  check("fault", tabiya_expect(TABIYA_CHESS, POSITION3, 3, "2810", NULL, NULL, text, sizeof text),
        "{\"line\":\"an engine that does not capture en passant");
  check("depth 0", tabiya_expect(TABIYA_CHESS, "startpos", 0, "5", NULL, NULL, text, sizeof text),
        "single faults gives this total");
  refused("stop", tabiya_perft(TABIYA_CHESS, KIWIPETE, 12, stop, &asked, text, sizeof text), "the count was stopped");
  if (asked < 3) {
    ++faults;
  }
  refused("stopped divide", tabiya_divide(TABIYA_CHESS, KIWIPETE, 12, stop, &asked, text, sizeof text),
          "the count was stopped");
  /* All questions of a call, and a stop at the last but one: while faults are looked for. */
  asked = 1 << 30;
  check("not stopped", tabiya_expect(TABIYA_CHESS, POSITION3, 3, "2810", after, &asked, text, sizeof text),
        "\"stopped\":false");
  asked = (1 << 30) - asked - 1;
  check("stopped", tabiya_expect(TABIYA_CHESS, POSITION3, 3, "2810", after, &asked, text, sizeof text),
        "\"stopped\":true");
  refused("no text", tabiya_compare(TABIYA_CHESS, "startpos", 1, NULL, NULL, NULL, text, sizeof text),
          "theirs: this is a null pointer");
  refused("game", tabiya_perft(3, "startpos", 1, NULL, NULL, text, sizeof text), "game: 3, expected 0 (chess)");
  refused("FEN", tabiya_perft(TABIYA_CHESS, "8/8 w", 1, NULL, NULL, text, sizeof text), "FEN board, character");
  refused("null", tabiya_position(TABIYA_CHESS, NULL, "", text, sizeof text), "fen: this is a null pointer");
  refused("UTF-8", tabiya_position(TABIYA_CHESS, "startpos", "\xff", text, sizeof text), "moves: this is not UTF-8");
  refused("name of an argument", tabiya_explain(TABIYA_CHESS, "startpos", NULL, text, sizeof text), "move: this is a null");
  refused("move", tabiya_position(TABIYA_CHESS, "startpos", "e2e4 e2e4", text, sizeof text), "move 2: ");
  refused("depth", tabiya_perft(TABIYA_CHESS, "startpos", 4000000000u, NULL, NULL, text, sizeof text), "depth: ");
  refused("totals", tabiya_expect(TABIYA_CHESS, "startpos", 1, "20; 400", NULL, NULL, text, sizeof text),
          "totals: expected at most 1");
  /* As snprintf: the length of the whole text, and what fits of it. */
  if (tabiya_perft(TABIYA_CHESS, "startpos", 6, NULL, NULL, small, sizeof small) != 9 || strcmp(small, "1190603") != 0 ||
      tabiya_perft(TABIYA_CHESS, "startpos", 6, NULL, NULL, NULL, 0) != 9) {
    printf("no room: %s\n", small);
    ++faults;
  }
  for (left = count > 1 ? atol(arguments[1]) : 0; left > 0; --left) {
    try_damaged();
  }
  printf(faults == 0 ? "all answers are right\n" : "%d faults\n", faults);
  return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
