import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('command', 'process');
