import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('network', 'process');
