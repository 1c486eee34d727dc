import { describeAttacks } from '../../security/attacks/harness/describe-attacks.js';

describeAttacks('resource', 'kernel');
