/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

/** Whether a key's name says that its value is a secret: `database_password`, `GITHUB_TOKEN`, `APIKey`; not `max_tokens`. */
export function isSecretKey(key: string): boolean {
  if (!SUSPECT.test(key)) return false;
  const words = wordsOf(key);
  if (HARMLESS_ENDINGS.has(words.at(-1) ?? '')) return false;
  return (
    ALWAYS_SECRET.test(words.join('')) || words.some((word, index) => isSecretWord(word, words[index - 1]))
  );
}

/** Hides what looks like a secret wherever it stands in a text. Linear in the text, whatever the text is. */
export function redactShapes(text: string): string {
  if (TOO_SHORT.test(text)) return text;
  const named = redactNamedValues(text);
  return SHAPES.reduce(
    (current, { hint, pattern, replacement }) =>
      hint === undefined || current.includes(hint) ? current.replace(pattern, replacement) : current,
    named,
  );
}

// No shape fits into so little; most values are names, paths and small words.
const TOO_SHORT = /^[\w./]{0,18}$/;

// Spares almost every key the splitting.
const SUSPECT = /pass|secret|token|auth|cookie|credential|session|bearer|jwt|otp|key/i;

// Found inside longer words too: nothing harmless is spelled with these.
const ALWAYS_SECRET = /password|passwd|passphrase|credential|apikey|privatekey/;

const SECRET_WORDS = new Set(
  (
    'secret secrets token authorization auth cookie cookies session sessionid bearer jwt otp passcode ' +
    'authtoken accesstoken refreshtoken accesskey secretkey clientsecret'
  ).split(' '),
);
const KEY_OWNERS = new Set('api private access secret signing encryption ssh account master'.split(' '));
const TOKEN_OWNERS = new Set('auth access refresh api bearer session'.split(' '));
// `token_count` counts, `token_url` points: the secret itself is elsewhere.
const HARMLESS_ENDINGS = new Set(
  'count limit usage used budget type length size url uri endpoint expires ttl timeout name file path'.split(
    ' ',
  ),
);

function isSecretWord(word: string, before = ''): boolean {
  if (SECRET_WORDS.has(word)) return true;
  if (word === 'key' || word === 'keys') return KEY_OWNERS.has(before);
  // Plain `tokens` are what models are paid by.
  return word === 'tokens' && TOKEN_OWNERS.has(before);
}

function wordsOf(key: string): string[] {
  return key
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

// `NAME=value`, `name: value`, `"name": "value"` (escaped or not), `--name value`.
const NAME =
  /(?<![\w-])(?:-{0,2}([A-Za-z][\w-]{0,63})\\{0,3}["']?[ \t]{0,4}[=:][ \t]{0,4}\\{0,3}["']?|--([A-Za-z][\w-]{0,63})[ \t]{1,4}(?!-))/g;
// In quotes all of it; bare, one word and no shell syntax: a command must not hide behind a secret's name.
const VALUE =
  /(?<=["'])[^"'\\]{1,4096}|(?:(?:basic|bearer|digest|token|negotiate)[ \t]{1,4})?[^\s"'\\&;,|<>()$`]{1,4096}/iy;
const COOKIE_PAIRS = /(?:;[ \t]{0,4}[\w-]{1,64}=[^\s"'\\&;,|<>()$`]{1,4096}){0,64}/y;

function redactNamedValues(text: string): string {
  if (!/[=:]|--/.test(text)) return text;
  let redacted = '';
  let end = 0;
  for (const match of text.matchAll(NAME)) {
    const name = match[1] ?? match[2] ?? '';
    const start = match.index + match[0].length;
    if (start < end || !isSecretKey(name)) continue;
    const valueEnd = endOfValue(text, start, name);
    if (valueEnd === undefined) continue;
    redacted += text.slice(end, start) + REDACTED;
    end = valueEnd;
  }
  return redacted + text.slice(end);
}

function endOfValue(text: string, start: number, name: string): number | undefined {
  VALUE.lastIndex = start;
  if (!VALUE.test(text)) return undefined;
  if (!/cookie$/i.test(name)) return VALUE.lastIndex;
  COOKIE_PAIRS.lastIndex = VALUE.lastIndex;
  COOKIE_PAIRS.test(text);
  return COOKIE_PAIRS.lastIndex;
}

interface Shape {
  /** A text without it cannot match: spares most texts the search. */
  readonly hint?: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

const SHAPES: readonly Shape[] = [
  {
    hint: '-----BEGIN ',
    // To its end, or as far as it can be one: output may be cut in the middle of a key.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s\\:,.-]*?(?:-----END [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----|(?![A-Za-z0-9+/=\s\\:,.-]))/g,
    replacement: REDACTED,
  },
  { hint: '://', pattern: /:\/\/[^\s/?#"'<>]{1,4096}@/g, replacement: `://${REDACTED}@` },
  { pattern: /\b(bearer[ \t]{1,4})[\w.~+/=-]{4,}/gi, replacement: `$1${REDACTED}` },
  {
    pattern:
      /(?<![A-Za-z0-9])(?:sk-[\w-]{16,}|[rs]k_(?:live|test)_\w{16,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|npm_\w{30,}|xox[abeoprs]-[\w-]{10,}|A(?:KIA|SIA)[A-Z0-9]{16}|AIza[\w-]{30,})/g,
    replacement: REDACTED,
  },
  // A JSON web token. The look-behind keeps one run of characters from being searched many times.
  { hint: 'eyJ', pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, replacement: REDACTED },
];
