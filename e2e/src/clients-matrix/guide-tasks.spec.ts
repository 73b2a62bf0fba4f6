import { expect, it } from 'vitest';
import { AGENTS } from './agents.js';
import { DESKTOP_PROGRAMS, GUIDE_TASKS } from './guide-tasks.js';
import { GUIDE_NAMES } from './read-guide.js';

it('every text of Connect is run as it is shown, or typed into a desktop program', () => {
  const run = [...AGENTS, ...GUIDE_TASKS].map(({ name }) => name);
  expect([...run, ...DESKTOP_PROGRAMS].toSorted()).toEqual([...GUIDE_NAMES].toSorted());
});
