import { describeAgentProviderContract } from '../../../contracts/agent-provider.contract.js';
import { OPENAI_CHAT_WIRE, OPENAI_COMPATIBLE_WIRE } from '../../../support/fake-model/chat-wire.js';
import { RESPONSES_WIRE } from '../../../support/fake-model/responses-wire.js';

describeAgentProviderContract(RESPONSES_WIRE);
describeAgentProviderContract(OPENAI_CHAT_WIRE);
describeAgentProviderContract(OPENAI_COMPATIBLE_WIRE);
