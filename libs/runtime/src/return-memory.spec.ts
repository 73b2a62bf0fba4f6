import { describe, expect, it } from 'vitest';
import { IdleMemory } from './return-memory.js';

const IDLE = { isIdle: true, isCollected: false };

/** A process that started with 200 MB and has been idle with 400 for three looks. */
function collect(): IdleMemory {
  const memory = new IdleMemory();
  const told = [200, 400, 400].map((bytes) => memory.look({ ...IDLE, bytes }));
  expect(told).toEqual([undefined, undefined, 'collecting']);
  return memory;
}

describe('IdleMemory', () => {
  it('collects until V8 has done so, and again only once there is more than is left then', () => {
    const memory = collect();
    expect(memory.look({ ...IDLE, bytes: 400 })).toBeUndefined();
    expect(memory.look({ isIdle: true, isCollected: true, bytes: 250 })).toBe('otherwise');
    expect([300, 300, 300].map((bytes) => memory.look({ ...IDLE, bytes }))).not.toContain('collecting');
    expect(memory.look({ ...IDLE, bytes: 330 })).toBe('collecting');
  });

  it('T25: does not take what a burst needs that begins meanwhile for what is usual', () => {
    const memory = collect();
    expect(memory.look({ isIdle: false, isCollected: true, bytes: 500 })).toBe('otherwise');
    expect([420, 420, 420].map((bytes) => memory.look({ ...IDLE, bytes })).at(-1)).toBe('collecting');
  });

  it('T25: takes what is left some time after a collection for what is usual, not what there was at its end', () => {
    const memory = collect();
    expect(memory.look({ isIdle: true, isCollected: true, bytes: 260 })).toBe('otherwise');
    expect(memory.look({ ...IDLE, bytes: 240 })).toBeUndefined();
    expect([330, 330].map((bytes) => memory.look({ ...IDLE, bytes }))).toContain('collecting');
  });

  it('T25: does not take what is left by one collection in the middle of a burst for what is usual', () => {
    const memory = collect();
    expect(memory.look({ isIdle: true, isCollected: true, bytes: 350 })).toBe('otherwise');
    expect(memory.look({ isIdle: false, isCollected: false, bytes: 500 })).toBeUndefined();
    expect([420, 420, 420].map((bytes) => memory.look({ ...IDLE, bytes })).at(-1)).toBe('collecting');
  });

  it('collects once more where much is left, and takes what is left then for what is usual', () => {
    const memory = collect();
    expect(memory.look({ isIdle: true, isCollected: true, bytes: 390 })).toBe('otherwise');
    expect(memory.look({ ...IDLE, bytes: 390 })).toBe('collecting');
    expect(memory.look({ isIdle: true, isCollected: true, bytes: 380 })).toBe('otherwise');
    expect([390, 400, 400, 400].map((bytes) => memory.look({ ...IDLE, bytes }))).not.toContain('collecting');
  });

  it('leaves a busy process alone', () => {
    const memory = new IdleMemory();
    const told = [200, 900, 900, 900].map((bytes) =>
      memory.look({ isIdle: false, isCollected: false, bytes }),
    );
    expect(told).toEqual(told.map(() => undefined));
  });
});
