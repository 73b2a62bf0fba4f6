import { refuseField } from '../canonical/refuse.js';
import type { ImageSize } from './image.js';

/** Ratios that models who are asked by ratio know. */
const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/** The known ratio that is nearest to a size. */
export function nameAspectRatio({ width, height }: ImageSize): string {
  const wanted = Math.log(width / height);
  const distance = (ratio: string) => Math.abs(Math.log(toNumber(ratio)) - wanted);
  return RATIOS.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best), '1:1');
}

/** The resolution, as models name it, that is nearest to a size: each has four times the pixels of the one before. */
export function nameResolution({ width, height }: ImageSize): '1K' | '2K' | '4K' {
  const pixels = width * height;
  if (pixels <= 2 * 1024 * 1024) return '1K';
  return pixels <= 2 * 2048 * 2048 ? '2K' : '4K';
}

/** Pixels on a side of a square image, as models name resolutions. */
const SIDES: Readonly<Record<string, number>> = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 };
/** Sides of images are multiples of it. */
const GRID = 16;

/** A size of that ratio and resolution: a square one of 1K by default. @throws GatewayError */
export function readRatioSize(ratio = '1:1', resolution = '1K'): ImageSize {
  const side = SIDES[resolution.toUpperCase()];
  if (side === undefined) {
    return refuseField(
      'generationConfig.imageConfig.imageSize',
      `must be one of ${Object.keys(SIDES).join(', ')}`,
    );
  }
  if (!/^[1-9]\d?:[1-9]\d?$/.test(ratio)) {
    return refuseField('generationConfig.imageConfig.aspectRatio', 'must be <width>:<height>');
  }
  const stretch = Math.sqrt(toNumber(ratio));
  const toGrid = (pixels: number) => Math.max(GRID, Math.round(pixels / GRID) * GRID);
  return { width: toGrid(side * stretch), height: toGrid(side / stretch) };
}

function toNumber(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
}
