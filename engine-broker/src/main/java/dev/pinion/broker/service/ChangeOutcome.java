package dev.pinion.broker.service;

import dev.pinion.broker.document.BrokerJson;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import java.util.List;

/** Result of a change. */
sealed interface ChangeOutcome {
  /** It is done, and durable. */
  record Done() implements ChangeOutcome {}

  /** It is not done; nothing has changed. */
  record Refused(BrokerResponse reply) implements ChangeOutcome {}

  /** A document with problems. */
  static Refused invalid(List<Diagnostic> problems) {
    return new Refused(
        new BrokerResponse(
            BrokerStatus.INVALID, "", problems.getFirst().message(), BrokerJson.errors(problems)));
  }

  /** A promise that cannot be kept, or a resource that is needed. */
  static Refused notAdmitted(String why, String members) {
    return new Refused(new BrokerResponse(BrokerStatus.NOT_ADMITTED, "", why, members));
  }

  /** Any other refusal. */
  static Refused refused(BrokerStatus brokerStatus, String why) {
    return new Refused(BrokerResponse.problem(brokerStatus, why));
  }
}
