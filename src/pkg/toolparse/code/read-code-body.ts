import { readCallShapes } from '../formats/call-shapes.js';
import { fixesOf, mendJson } from '../json/mend-json.js';
import { tryParse } from '../json/own.js';
import type { Draft } from '../scan/draft.js';
import type { BodyReading } from '../scan/marked-frame.js';
import { readCode } from './code-reader.js';

/** The calls of a body that should be code; models that are told so write JSON at times. */
export function readCodeBody(body: string, isClosed: boolean): BodyReading | undefined {
  if (/^\s*\[?\s*\{/.test(body)) return readJson(body, isClosed);
  const code = readCode(body);
  if (!code) return undefined;
  const last = code.calls.length - 1;
  const drafts = code.calls.map(
    ({ name, positional, named, repeats }, index): Draft => ({
      name,
      arguments: { kind: 'code', positional, named },
      complete: code.complete || index < last,
      fixes: code.fixes,
      repeats,
    }),
  );
  return { drafts, length: code.end };
}

function readJson(body: string, isClosed: boolean): BodyReading | undefined {
  const value = tryParse(body);
  const mended = value === undefined ? mendJson(body) : undefined;
  const found = value ?? mended?.value;
  const calls = found === undefined ? undefined : readCallShapes(found, { strict: false });
  const isWhole = isClosed || (mended?.openDepth ?? 0) === 0;
  const drafts = calls?.map(
    (call): Draft => ({
      name: call.name,
      id: call.id,
      arguments: { kind: 'json', value: call.arguments, beside: call.beside },
      complete: isWhole,
      fixes: mended ? fixesOf(mended, body) : [],
    }),
  );
  return drafts && { drafts, length: mended?.end ?? body.length };
}
