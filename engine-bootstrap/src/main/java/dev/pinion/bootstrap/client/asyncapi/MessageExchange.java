package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.core.invoker.ServiceCaller;

/** A message on its way, or a request for one. */
final class MessageExchange implements ServiceCaller.OngoingCall {
  private final OutcomeReport report;
  private final String description;
  private final Runnable onCancel;
  private volatile boolean cancelled;

  /**
   * An exchange.
   *
   * @param description what it is about
   * @param onCancel run when nobody wants its outcome any more
   */
  MessageExchange(OutcomeReport report, String description, Runnable onCancel) {
    this.report = report;
    this.description = description;
    this.onCancel = onCancel;
  }

  OutcomeReport report() {
    return report;
  }

  boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void cancel() {
    cancelled = true;
    report.cancel();
    onCancel.run();
  }

  @Override
  public String waitsFor() {
    return description;
  }
}
