import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('path', 'process');
