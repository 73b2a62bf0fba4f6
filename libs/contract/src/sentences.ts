import type { z } from 'zod';

/** Path of a zod issue as people write it: `channels[0].models`. */
export function pathToName(path: readonly PropertyKey[]): string {
  let name = '';
  for (const step of path) {
    name += typeof step === 'number' ? `[${step}]` : name === '' ? String(step) : `.${String(step)}`;
  }
  return name;
}

/** Turns the first failed rule into the offending field's name and one sentence about it. */
export function explainIssue(error: z.ZodError): { param: string; message: string } {
  const issue = error.issues[0];
  if (!issue) return { param: '', message: 'The input is not valid.' };
  const param = pathToName(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const whole = param === '' ? key : `${param}.${key}`;
    return { param: whole, message: `${whole}: this key is not known here.` };
  }
  return { param, message: param === '' ? `${issue.message}.` : `${param}: ${issue.message}.` };
}
