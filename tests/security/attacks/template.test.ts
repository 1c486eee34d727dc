import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('template', 'process');
