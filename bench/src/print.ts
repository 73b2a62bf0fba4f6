/** Prints a line of what was measured: a figure, and what it is of. */
export function print(figure: string, title: string): void {
  process.stdout.write(`${figure.padStart(14)}  ${title}\n`);
}
