/**
 * What the demonstration shows: on the terminal and, for a recording, also kept line by line.
 *
 * @typedef {object} Act
 * @property {string} title
 * @property {string[]} lines
 */
export class Screen {
  /** @type {Act[]} */
  acts = [];

  /** @param {{ recording?: boolean }} [options] a recording needs the output of commands, which then have no terminal */
  constructor({ recording = false } = {}) {
    this.recording = recording;
  }

  /** @param {string} title @param {string} time how long it takes */
  heading(title, time) {
    this.acts.push({ title, lines: [] });
    process.stdout.write(`\n── ${this.acts.length}. ${title} (${time})\n`);
  }

  /** @param {string} text */
  print(text) {
    this.acts.at(-1)?.lines.push(...text.split("\n"));
    process.stdout.write(`${text}\n`);
  }
}
