package dev.pinion.bootstrap.cli;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.config.RemoteHandlers;
import dev.pinion.handlers.remote.NatsTransport;
import dev.pinion.handlers.remote.PlaceDecision;
import dev.pinion.handlers.remote.RemoteLimits;
import dev.pinion.handlers.remote.RemotePlaces;
import dev.pinion.handlers.remote.RemoteTimes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records which handlers of chains may run remotely, and measures them in hosts. */
final class TriedPlaces implements RemoteHandlers, AutoCloseable {
  private final NatsTransport transport;
  private final RemotePlaces places;
  private final List<Placement> noted = new ArrayList<>();

  /**
   * A step that may run remotely.
   *
   * @param auto whether the measured cost decides; otherwise the chain puts it into a host
   * @param decision decision by measurement, or null
   * @param failure reason why it was not measured, or an empty text
   */
  record Tried(String step, boolean auto, @Nullable PlaceDecision decision, String failure) {
    String text() {
      return decision == null ? "not measured: " + failure : decision.reason();
    }
  }

  TriedPlaces(NatsOptions nats) throws CommandFailure {
    transport = nats.connect("pinion handlers explain");
    places =
        new RemotePlaces(
            transport,
            nats.prefix(),
            EngineLimits.defaults(),
            RemoteLimits.DEFAULTS,
            RemoteTimes.DEFAULTS,
            Clock.system());
  }

  /** Chooses the local handler: its times are measured here. */
  @Override
  public Handler place(Placement placement) {
    noted.add(placement);
    return placement.local();
  }

  List<Tried> tried(String chain, Message message, int times) {
    return noted.stream()
        .filter(each -> each.chain().equals(chain))
        .map(each -> tried(each, message, times))
        .toList();
  }

  private Tried tried(Placement placement, Message message, int times) {
    if (placement.declared().effect() != EffectClass.STATELESS) {
      return new Tried(
          placement.step(),
          placement.auto(),
          null,
          "its effects would be real, so "
              + (placement.auto() ? "it runs here" : "it is in a host as the chain says"));
    }
    try {
      PlaceDecision decision = places.tried(placement, message, times);
      return new Tried(placement.step(), placement.auto(), decision, "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Tried(placement.step(), placement.auto(), null, "interrupted");
    } catch (Exception e) { // any exception of a handler stays with that handler
      return new Tried(placement.step(), placement.auto(), null, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    places.close();
    transport.close();
  }
}
