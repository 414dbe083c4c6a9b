package dev.pinion.bootstrap.history.publish;

import dev.pinion.bootstrap.settings.EventSinkSpec;
import dev.pinion.bootstrap.settings.LifecycleSinkSpec;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Subscriptions of the configuration: sinks of lifecycle events. */
public final class StandingSubscriptions {
  private StandingSubscriptions() {}

  /**
   * The subscriptions of sinks, each under the name of its setting.
   *
   * @param sinks all sinks that have a name
   */
  public static List<Subscription> of(List<LifecycleSinkSpec> specs, List<EventSinkSpec> sinks) {
    Map<String, URI> places = new HashMap<>();
    sinks.forEach(sink -> places.put(sink.name(), sink.uri()));
    List<Subscription> standing = new ArrayList<>();
    for (LifecycleSinkSpec spec : specs) {
      URI place = Objects.requireNonNull(places.get(spec.sink()), spec.sink());
      standing.add(
          new Subscription(
              spec.name(),
              place,
              new EventSelection(Set.of(), spec.types()),
              spec.namespace(),
              null,
              Subscription.ContentMode.STRUCTURED,
              null,
              "application/json",
              0,
              0,
              Long.MAX_VALUE));
    }
    return standing;
  }
}
