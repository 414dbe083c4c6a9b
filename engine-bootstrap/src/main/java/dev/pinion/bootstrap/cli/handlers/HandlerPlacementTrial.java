package dev.pinion.bootstrap.cli.handlers;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.config.HandlerProvider;
import dev.pinion.handlers.remote.PlacementDecision;
import dev.pinion.handlers.remote.RemoteHandlerProvider;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.transport.NatsTransport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records which handlers of chains may run remotely, and measures them in hosts. */
final class HandlerPlacementTrial implements HandlerProvider, AutoCloseable {
  private final NatsTransport transport;
  private final RemoteHandlerProvider places;
  private final List<RemoteHandlerRequest> noted = new ArrayList<>();

  /**
   * A step that may run remotely.
   *
   * @param auto whether the measured cost decides; otherwise the chain puts it into a host
   * @param decision decision by measurement, or null
   * @param failure reason why it was not measured, or an empty text
   */
  record TrialResult(
      String step, boolean auto, @Nullable PlacementDecision decision, String failure) {
    String text() {
      return decision == null ? "not measured: " + failure : decision.reason();
    }
  }

  HandlerPlacementTrial(NatsOptions nats) throws CommandException {
    transport = nats.connect("pinion handlers explain");
    places =
        new RemoteHandlerProvider(
            transport,
            nats.prefix(),
            EngineLimits.defaults(),
            RemoteSettings.DEFAULTS,
            Clock.system());
  }

  /** Chooses the local handler: its times are measured here. */
  @Override
  public Handler provide(RemoteHandlerRequest remoteHandlerRequest) {
    noted.add(remoteHandlerRequest);
    return remoteHandlerRequest.local();
  }

  List<TrialResult> trial(String chain, Message message, int times) {
    return noted.stream()
        .filter(each -> each.chain().equals(chain))
        .map(each -> trial(each, message, times))
        .toList();
  }

  private TrialResult trial(RemoteHandlerRequest remoteHandlerRequest, Message message, int times) {
    if (remoteHandlerRequest.declared().effect() != EffectClass.STATELESS) {
      return new TrialResult(
          remoteHandlerRequest.step(),
          remoteHandlerRequest.auto(),
          null,
          "its effects would be real, so "
              + (remoteHandlerRequest.auto()
                  ? "it runs here"
                  : "it is in a host as the chain says"));
    }
    try {
      PlacementDecision decision = places.trial(remoteHandlerRequest, message, times);
      return new TrialResult(
          remoteHandlerRequest.step(), remoteHandlerRequest.auto(), decision, "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new TrialResult(
          remoteHandlerRequest.step(), remoteHandlerRequest.auto(), null, "interrupted");
    } catch (Exception e) { // any exception of a handler stays with that handler
      return new TrialResult(
          remoteHandlerRequest.step(),
          remoteHandlerRequest.auto(),
          null,
          String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    places.close();
    transport.close();
  }
}
