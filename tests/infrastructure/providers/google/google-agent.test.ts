import { describeAgentProviderContract } from '../../../contracts/agent-provider.contract.js';
import { GOOGLE_WIRE } from '../../../support/fake-model/google-wire.js';

describeAgentProviderContract(GOOGLE_WIRE);
