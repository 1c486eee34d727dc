import { isJsonObject, type Json } from '../../../domain/json.js';
import { createRedactor } from '../../../domain/redaction.js';
import type { RecordedRunContext } from '../../../ports/agent-recordings.js';

const WORKSPACE = '{{workspace}}';

/** Makes what is recorded fit for every machine and every reader, and back. */
export interface PortableJson {
  /** Without secrets, and with a name in the place of the workspace's path. */
  readonly toFile: (value: Json) => Json;
  /** With the path of this run's workspace; what was a secret stays hidden. */
  readonly fromFile: (value: Json) => Json;
}

export function portableJson({ secrets, workspace }: RecordedRunContext): PortableJson {
  const redactor = createRedactor(secrets);
  // `/srv/app` is not the beginning of `/srv/application`.
  const path = new RegExp(`${workspace.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g');
  const isPath = workspace.length > 1;
  return {
    toFile: (value) =>
      redactor.json(isPath ? mapTexts(value, (text) => text.replace(path, () => WORKSPACE)) : value),
    fromFile: (value) => mapTexts(value, (text) => text.replaceAll(WORKSPACE, () => workspace)),
  };
}

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, map)]));
}
