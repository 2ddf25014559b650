/** How good or bad something is; each format has its own way to show it. */
export type Tone = "good" | "warning" | "bad" | "quiet" | "plain";

/** Verbatim, such as a name or a command. */
export interface Code {
  readonly code: string;
}
/** A verdict, which a terminal colours. */
interface Toned {
  readonly word: string;
  readonly tone: Tone;
}
type Part = string | Code | Toned;
export type Text = Part | readonly Part[];

/** One line of a diff: `-` declared, `+` on the platform, blank for a remark on both. */
export interface Line {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/** What a row says below its cells. */
export type More =
  | { readonly remark: Text; readonly tone?: Tone }
  | { readonly command: string; readonly title?: string }
  | { readonly property: string; readonly lines: readonly Line[] };

export interface Row {
  readonly tone?: Tone;
  /** For a terminal, before the cells. The tone is that of the first cell; the others are facts. */
  readonly mark?: string;
  readonly cells: readonly Text[];
  readonly more?: readonly More[];
}

export interface Section {
  readonly title: string;
  /** Makes it a group of findings: a page can filter by it, even if none of them is listed. */
  readonly count?: number | string;
  readonly tone?: Tone;
  /** Where sections can be folded. */
  readonly isOpen?: boolean;
  /** Left out on a terminal, which cannot fold it. */
  readonly isAside?: boolean;
  /** Makes it a table. One column more than cells: what rows say below them, where a table has no room below. */
  readonly columns?: readonly string[];
  readonly rows: readonly Row[];
}

export interface Note {
  readonly note: string;
  readonly tone: Tone;
}

export interface NextStep {
  /** What makes a better report: a terminal shows it, with its text, before this one. */
  readonly isFirst?: boolean;
  readonly title: string;
  readonly text: string;
  readonly command?: string;
}

/** What a command found out, for people. All texts are plain and untrusted: each renderer makes them safe. */
export interface Findings {
  /** What it is about: `analytics/prod`. */
  readonly title: string;
  readonly headline: string;
  readonly tone: Tone;
  /** Addresses. */
  readonly platforms?: readonly string[];
  /** In one line: counts, and what was not looked at. */
  readonly facts?: readonly string[];
  /** What the words and signs of this report mean. */
  readonly legend?: readonly string[];
  readonly notes?: readonly Note[];
  readonly sections: readonly Section[];
  /** Most important section first; on a terminal it comes last, next to the prompt. */
  readonly isRanked?: boolean;
  readonly steps?: readonly NextStep[];
}

/** With what a file needs that is read elsewhere, and later. */
export interface Report extends Findings {
  /** `Data platform drift` */
  readonly about: string;
  readonly checkedAt: string;
  readonly tool: string;
  /** What its sections list, together. */
  readonly lists: string;
  /** The command that leaves nothing out. */
  readonly whole: string;
}

export const code = (text: string): Code => ({ code: text });

/** The parts of a text, each as the renderer writes it. */
export function written(text: Text, plain: (text: string) => string, verbatim = plain): string {
  const parts: readonly Part[] = Array.isArray(text) ? text : [text as Part];
  return parts
    .map((part) => {
      if (typeof part === "string") return plain(part);
      return "code" in part ? verbatim(part.code) : plain(part.word);
    })
    .join("");
}

/** `gone: 2` */
export function headingOf({ title, count }: Section): string {
  return count === undefined ? title : `${title}: ${count}`;
}

/** The rows of sections are there to be read; one that lists nothing only counts. */
export function hasRows({ rows }: Section): boolean {
  return rows.length > 0;
}
