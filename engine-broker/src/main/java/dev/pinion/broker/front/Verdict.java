package dev.pinion.broker.front;

import dev.pinion.broker.document.FrontJson;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.spi.BrokerFront.Outcome;
import dev.pinion.core.spi.BrokerFront.Reply;
import java.util.List;

/** Result of a change. */
sealed interface Verdict {
  /** It is done, and durable. */
  record Done() implements Verdict {}

  /** It is not done; nothing has changed. */
  record Refused(Reply reply) implements Verdict {}

  /** A document with problems. */
  static Refused invalid(List<Diagnostic> problems) {
    return new Refused(
        new Reply(Outcome.INVALID, "", problems.getFirst().message(), FrontJson.errors(problems)));
  }

  /** A promise that cannot be kept, or a resource that is needed. */
  static Refused notAdmitted(String why, String members) {
    return new Refused(new Reply(Outcome.NOT_ADMITTED, "", why, members));
  }

  /** Any other refusal. */
  static Refused refused(Outcome outcome, String why) {
    return new Refused(Reply.problem(outcome, why));
  }
}
