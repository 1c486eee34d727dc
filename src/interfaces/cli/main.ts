#!/usr/bin/env node
import { VERSION } from '../../application/version.js';
import { processIo } from './process-io.js';
import { reportError } from './report-error.js';

const io = processIo();
const argv = process.argv.slice(2);
process.on('uncaughtException', (error) => process.exit(reportError(error, argv, io)));
// Answered before anything is loaded: a script that asks for the version asks often.
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  io.out(`${VERSION}\n`);
  await io.end(0);
}
// An AI command line waits for this one before it asks its model: it loads nothing that it does not need.
if (argv.length === 3 && argv[0] === 'serve' && argv[1] === '--attach') {
  const { attach } = await import('./attach.js');
  await io.end(await attach(argv[2] ?? '', io).catch((error: unknown) => reportError(error, argv, io)));
}
const { runCli } = await import('./run-cli.js');
await io.end(await runCli(argv, io));
