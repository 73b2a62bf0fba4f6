import type { ModelCard } from '../descriptor.js';

/**
 * Seedance is billed by tokens: width x height x frames / 1024, 24 frames a second. Prices of our own are those of a
 * second of 16:9 in dollars, with audio where it costs more; without a resolution that of the model's usual one.
 *
 * @see https://docs.byteplus.com/en/docs/ModelArk/1544106
 */
export const MODELS: readonly ModelCard[] = [
  card('doubao-seedance-2-5-260628', '0.2312', { '480p': '0.1041', '720p': '0.2312', '1080p': '0.5687' }),
  card('doubao-seedance-2-0-260128', '0.1512', {
    '480p': '0.0681',
    '720p': '0.1512',
    '1080p': '0.3743',
    '4k': '0.7693',
  }),
  card('doubao-seedance-2-0-fast-260128', '0.121', { '480p': '0.0545', '720p': '0.121' }),
  card('doubao-seedance-2-0-mini-260615', '0.0756', { '480p': '0.0341', '720p': '0.0756' }),
  card('doubao-seedance-1-5-pro-251215', '0.0519', { '480p': '0.0234', '720p': '0.0519', '1080p': '0.1167' }),
  card('doubao-seedance-1-0-pro-250528', '0.1215', { '480p': '0.0243', '720p': '0.054', '1080p': '0.1215' }),
  card('doubao-seedance-1-0-pro-fast-251015', '0.0486', {
    '480p': '0.0098',
    '720p': '0.0216',
    '1080p': '0.0486',
  }),
];

function card(slug: string, perSecond: string, byResolution: Readonly<Record<string, string>>): ModelCard {
  const variants = Object.fromEntries(
    Object.entries(byResolution).map(([resolution, price]) => [resolution, { per_second: price }]),
  );
  return { slug, kind: 'video', price: { per_second: perSecond, variants } };
}
