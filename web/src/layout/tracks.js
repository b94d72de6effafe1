// Upright pieces of lines: pieces that overlap get tracks of their own, short ones first.
const APART = 7;
const MARGIN = 5;

// Gives each piece the innermost track that is free from its top to its bottom, of at most `most`; returns their number.
/** @type {(pieces: Upright[], margin: number, most?: number) => number} */
export function inTracks(pieces, margin, most = Infinity) {
  const tracks = [];
  const long = ({ top, bottom }) => bottom - top;
  for (const piece of [...pieces].sort((a, b) => long(a) - long(b) || a.top - b.top)) {
    let track = tracks.findIndex((taken) => taken.every(({ top, bottom }) => bottom + margin < piece.top || piece.bottom + margin < top));
    if (track < 0) track = tracks.length < most ? tracks.push([]) - 1 : most - 1;
    tracks[track].push(piece);
    piece.track = track;
  }
  return tracks.length;
}

// The strips between the lanes.
export class Tracks {
  constructor(count) {
    /** @type {Upright[][]} */
    this.strips = Array.from({ length: count }, () => []);
  }

  // A piece in a strip; its `offset` within the strip is known after `settle`.
  add(strip, from, to) {
    const piece = { top: Math.min(from, to), bottom: Math.max(from, to), track: 0, offset: 0, strip };
    this.strips[strip].push(piece);
    return piece;
  }

  // Gives every piece its offset; returns the widths of the strips.
  settle(least) {
    return this.strips.map((pieces) => {
      const count = inTracks(pieces, MARGIN);
      for (const piece of pieces) piece.offset = 12 + piece.track * APART;
      return Math.max(least, 24 + count * APART);
    });
  }
}
