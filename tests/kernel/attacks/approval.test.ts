import { describeAttacks } from '../../security/attacks/harness/describe-attacks.js';

describeAttacks('approval', 'kernel');
