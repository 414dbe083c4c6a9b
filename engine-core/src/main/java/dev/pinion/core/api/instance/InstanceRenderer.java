package dev.pinion.core.api.instance;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.model.instance.InstanceView;

/** Answers an exchange with an instance. Event loop only. */
@FunctionalInterface
public interface InstanceRenderer {
  /**
   * Shows an instance.
   *
   * @throws ProblemException when the instance cannot be shown as the client wants it
   */
  void show(HttpExchange httpExchange, InstanceView instance) throws ProblemException;
}
