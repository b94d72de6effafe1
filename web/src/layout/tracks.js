// Upright pieces of lines in the strips between lanes: pieces that overlap get tracks of their own, short ones first.
const APART = 7;
const MARGIN = 5;

export class Tracks {
  constructor(count) {
    this.strips = Array.from({ length: count }, () => []);
  }

  // A piece in a strip; its `offset` within the strip is known after `settle`.
  add(strip, from, to) {
    const piece = { top: Math.min(from, to), bottom: Math.max(from, to), offset: 0, strip };
    this.strips[strip].push(piece);
    return piece;
  }

  // Gives every piece its offset; returns the widths of the strips.
  settle(least) {
    return this.strips.map((pieces) => {
      const tracks = [];
      const longer = (piece) => piece.bottom - piece.top;
      for (const piece of [...pieces].sort((a, b) => longer(a) - longer(b) || a.top - b.top)) {
        let track = tracks.findIndex((taken) => taken.every((other) => other.bottom + MARGIN < piece.top || piece.bottom + MARGIN < other.top));
        if (track < 0) track = tracks.push([]) - 1;
        tracks[track].push(piece);
        piece.offset = 12 + track * APART;
      }
      return Math.max(least, 24 + tracks.length * APART);
    });
  }
}
