import {
  type ExpectedView,
  QUESTIONS,
  type Start,
  STARTED_WHILE_AWAY,
  WHILE_AWAY,
} from './expected-views.js';
import { type Plane, PLANES } from './outage-fleet.js';

/** The rows of both tables in docs/operations.md. */
export function renderRows(): string[] {
  return [
    ...Object.entries(WHILE_AWAY).map(([dependency, view]) => renderView(dependency, view)),
    ...Object.entries(STARTED_WHILE_AWAY).map(([dependency, starts]) => renderStarts(dependency, starts)),
  ];
}

function renderView(dependency: string, { ready, answers, stream }: ExpectedView): string {
  const cells = [...PLANES.map((plane) => ready[plane]), ...QUESTIONS.map((question) => answers[question])];
  return toRow([dependency, ...cells.map(renderAnswer), stream]);
}

function renderStarts(dependency: string, starts: Readonly<Partial<Record<Plane, Start>>>): string {
  return toRow([dependency, ...PLANES.map((plane) => starts[plane] ?? '-')]);
}

function renderAnswer(answer: string): string {
  const [status = '', ...words] = answer.split(' ');
  return words.length === 0
    ? status
    : `${status} ${words.length === 1 ? `\`${words[0]}\`` : words.join(' ')}`;
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
