/**
 * Where the classes of call times end, in milliseconds: each a fifth longer than the one before, up to a quarter of an
 * hour. Counts in the database are by these: the list is never edited.
 */
export const TIME_BOUNDS_MS: readonly number[] = [
  1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18, 22, 27, 32, 38, 46, 55, 66, 79, 95, 114, 137, 165, 198, 237, 285,
  342, 410, 492, 591, 709, 851, 1021, 1225, 1470, 1764, 2116, 2540, 3048, 3657, 4389, 5266, 6320, 7584, 9100,
  10921, 13105, 15726, 18871, 22645, 27174, 32609, 39130, 46956, 56348, 67617, 81140, 97369, 116842, 140211,
  168253, 201903, 242284, 290741, 348889, 418667, 502400, 602880, 723456, 868147, 900000,
];
