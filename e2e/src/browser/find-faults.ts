import type { Page } from 'playwright-core';
import { CUT } from './screenshots.js';

/** What a finger needs of a control, in pixels. */
const TOUCHED = 44;

/** Letters and digits that follow each other on two lines: a word that is broken in its middle. Code may break anywhere. */
const BROKEN_WORDS = `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('pre, script, style, option') || !/[A-Za-z0-9]{2}/.test(node.data)) continue;
    range.selectNodeContents(node);
    if (new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size < 2) continue;
    let before;
    for (let at = 0; at < node.data.length; at += 1) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { bottom, width } = range.getBoundingClientRect();
      const isLetter = /[A-Za-z0-9]/.test(node.data[at]);
      if (isLetter && before !== undefined && bottom > before + 4) {
        broken.push(node.data.trim().slice(0, 90));
        break;
      }
      before = isLetter && width > 0 ? bottom : undefined;
    }
  }
  return broken;
})()`;

/** Text that ends in the middle, and nothing says how it goes on. */
const CLIPPED = `[...document.querySelectorAll('body *')]
  .filter((element) => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    return (overflowX === 'hidden' || overflowX === 'clip') && element.clientWidth > 1
      && element.scrollWidth > element.clientWidth + 1 && !element.closest('[title]') && element.matches(':not(input, svg, svg *)');
  })
  .map((element) => element.textContent.trim().slice(0, 90))`;

const SMALL_TARGETS = `[...document.querySelectorAll('button, a, select, input, textarea, summary, [role=option]')]
  .filter((element) => element.checkVisibility() && !(element.closest('p, dd, li, [role=status]') && element.matches('a')))
  .map((element) => [element, (element.closest('label, tr.cursor-pointer > td:first-child > button')?.closest('label, tr') ?? element).getBoundingClientRect()])
  .filter(([, { width, height, bottom }]) => width > 1 && bottom > 0 && (width < ${TOUCHED} || height < ${TOUCHED}))
  .map(([element, { width, height }]) =>
    element.tagName.toLowerCase() + ' ' + Math.round(width) + 'x' + Math.round(height) + ' '
    + (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent).trim().slice(0, 40))`;

/** Texts of Latin words without a Chinese one. */
const NOT_CHINESE = String.raw`(() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest('pre, code, script, style, option, [hidden]') || !parent.checkVisibility()) continue;
    // Names are spans of their parts.
    const text = (parent.closest(':not(span)') ?? parent).textContent.trim();
    if (/[A-Za-z]{3,}/.test(text) && !/\p{Script=Han}/u.test(text)) found.add(text.slice(0, 120));
  }
  return [...found];
})()`;

/** What a program sees to be wrong with a picture; whoever looks at it sees the rest. */
export async function findFaults(
  page: Page,
  { isTouched, isChinese }: { readonly isTouched: boolean; readonly isChinese: boolean },
): Promise<string[]> {
  const kinds = [
    ['scrolls sideways', CUT],
    ['breaks a word', BROKEN_WORDS],
    ['is clipped', CLIPPED],
    ...(isTouched ? [['small target', SMALL_TARGETS] as const] : []),
    ...(isChinese ? [['not Chinese', NOT_CHINESE] as const] : []),
  ] as const;
  const faults: string[] = [];
  for (const [kind, script] of kinds) {
    const found = await page.evaluate<string[]>(script);
    faults.push(...new Set(found.map((what) => `${kind}: ${what}`)));
  }
  return faults;
}
