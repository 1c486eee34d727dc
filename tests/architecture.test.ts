import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** The import table of docs/architecture.md. A layer may import the layers listed, and nothing else of ours. */
const LAYERS: Record<
  string,
  { readonly ours: readonly string[]; readonly npm: boolean; readonly node: boolean }
> = {
  domain: { ours: ['domain'], npm: false, node: false },
  ports: { ours: ['domain', 'ports'], npm: false, node: false },
  'pkg/toolparse': { ours: ['pkg/toolparse'], npm: true, node: false },
  application: { ours: ['domain', 'ports', 'pkg/toolparse', 'application'], npm: false, node: false },
  infrastructure: { ours: ['domain', 'ports', 'pkg/toolparse', 'infrastructure'], npm: true, node: true },
  testing: { ours: ['domain', 'ports', 'application', 'infrastructure', 'testing'], npm: true, node: true },
  'ai-sdk': { ours: ['domain', 'ports', 'application', 'ai-sdk'], npm: true, node: true },
  'interfaces/cli': {
    ours: ['domain', 'ports', 'application', 'pkg/toolparse', 'interfaces/cli', 'container'],
    npm: true,
    node: true,
  },
  container: {
    ours: ['domain', 'ports', 'application', 'infrastructure', 'container'],
    npm: true,
    node: true,
  },
  index: {
    ours: ['domain', 'ports', 'application', 'infrastructure', 'container'],
    npm: false,
    node: false,
  },
};

const SRC = resolve('src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => path.split(sep).join('/'));

describe('architecture', () => {
  it('puts every source file into a layer', () => {
    expect(files.filter((file) => layerOf(file) === undefined)).toEqual([]);
  });

  it('lets imports point inward only', () => {
    expect(files.flatMap(forbiddenImports)).toEqual([]);
  });

  it('keeps the concerns of infrastructure apart', () => {
    const crossings = files
      .filter((file) => file.startsWith('infrastructure/'))
      .flatMap((file) =>
        importsOf(file)
          .map((specifier) => targetOf(file, specifier))
          .filter((target) => target?.startsWith('infrastructure/') && concernOf(target) !== concernOf(file))
          .map((target) => `${file} imports ${target}`),
      );
    expect(crossings).toEqual([]);
  });

  it('never imports an index from inside', () => {
    const offenders = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.') && specifier.endsWith('/index.js'))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(offenders).toEqual([]);
  });
});

function layerOf(file: string): string | undefined {
  return Object.keys(LAYERS).find((layer) => file === `${layer}.ts` || file.startsWith(`${layer}/`));
}

function concernOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

function targetOf(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = relative(SRC, resolve(SRC, dirname(file), specifier))
    .split(sep)
    .join('/');
  return target.replace(/\.js$/, '.ts');
}

function forbiddenImports(file: string): string[] {
  const layer = LAYERS[layerOf(file) ?? ''];
  if (!layer) return [];
  return importsOf(file)
    .filter((specifier) => !isAllowed(file, specifier, layer))
    .map((specifier) => `${file} imports ${specifier}`);
}

function isAllowed(file: string, specifier: string, layer: (typeof LAYERS)[string]): boolean {
  if (specifier.startsWith('node:')) return layer.node;
  const target = targetOf(file, specifier);
  if (target === undefined) return layer.npm;
  return layer.ours.includes(layerOf(target) ?? 'outside src');
}
