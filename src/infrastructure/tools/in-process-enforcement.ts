import { type Enforcement, NOTHING_ENFORCED } from '../../domain/enforcement.js';

/** What holds for a tool that opens files through the gate and starts nothing. */
export const IN_PROCESS_FILES: Enforcement = Object.freeze({
  ...NOTHING_ENFORCED,
  backend: 'in-process',
  fsRead: 'in-process',
  fsWrite: 'in-process',
});

/** What holds for a tool that connects to hosts the gate has checked and starts nothing. */
export const IN_PROCESS_NETWORK: Enforcement = Object.freeze({
  ...NOTHING_ENFORCED,
  backend: 'in-process',
  network: 'in-process',
});
