package dev.pinion.broker.binding;

import dev.pinion.broker.registry.Mapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.Registry;
import dev.pinion.broker.registry.TableShare;
import dev.pinion.core.model.BindingTable;
import dev.pinion.core.model.BoundService;
import dev.pinion.core.model.Candidates;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.ServedPart;
import dev.pinion.core.model.ServiceEndpoint;
import dev.pinion.core.model.ServicePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the kernel's table from the published one. */
public final class TableBindings {
  private final Map<String, Candidates> singles = new HashMap<>();
  private final Registry registry;
  private final Counters counters;

  private TableBindings(
      Registry registry, Function<String, Expression<Payload>> compiler, Counters counters) {
    this.registry = registry;
    this.counters = counters;
    for (RegisteredService each : registry.services()) {
      singles.put(each.id(), Candidates.single(endpoint(each, compiler)));
    }
  }

  /**
   * The kernel's table of a published one.
   *
   * @param compiler compiles the jq of mappings
   * @param counters those of earlier tables, so that shares hold across changes
   */
  public static BindingTable of(
      PublishedTable published, Function<String, Expression<Payload>> compiler, Counters counters) {
    TableBindings made = new TableBindings(published.registry(), compiler, counters);
    Map<String, Map<String, BoundService>> classes = new HashMap<>();
    published
        .bindings()
        .forEach(
            (serviceClass, services) -> {
              Map<String, BoundService> bound = new HashMap<>();
              services.forEach(
                  (service, shares) ->
                      bound.put(service, made.bound(serviceClass, service, shares)));
              classes.put(serviceClass, bound);
            });
    return new BindingTable(
        published.version(),
        published.defaultClass(),
        classes,
        published.callers(),
        published.rates(),
        parts(published.served(), counters));
  }

  private static Map<String, ServedPart> parts(Map<String, Double> served, Counters counters) {
    Map<String, ServedPart> parts = new HashMap<>();
    served.forEach(
        (serviceClass, fraction) -> {
          KroneckerCounter counter = counters.ofFront(serviceClass);
          LongAdder shed = counters.shed(serviceClass);
          long threshold = Deal.unsigned(fraction);
          parts.put(
              serviceClass, new ServedPart(fraction, () -> isServed(counter, threshold, shed)));
        });
    return parts;
  }

  private static boolean isServed(KroneckerCounter counter, long threshold, LongAdder shed) {
    boolean served = Long.compareUnsigned(counter.next(), threshold) < 0;
    if (!served) {
      shed.increment();
    }
    return served;
  }

  private BoundService bound(String serviceClass, String service, List<TableShare> shares) {
    Map<String, Candidates> own = new HashMap<>();
    for (RegisteredService each : registry.services()) {
      if (each.serves().contains(service)) {
        own.put(each.id(), single(each.id()));
      }
    }
    boolean stateful = registry.keepsState(service);
    return new BoundService(stateful, own, choice(serviceClass, service, shares));
  }

  private Supplier<Candidates> choice(
      String serviceClass, String service, List<TableShare> shares) {
    List<Candidates> choices = shares.stream().map(this::candidates).toList();
    if (choices.size() == 1) {
      Candidates only = choices.getFirst();
      return () -> only;
    }
    Deal deal =
        new Deal(
            counters.of(serviceClass, service), shares.stream().map(TableShare::fraction).toList());
    Candidates[] byIndex = choices.toArray(Candidates[]::new);
    return () -> byIndex[deal.next()];
  }

  private Candidates candidates(TableShare share) {
    List<ServiceEndpoint> endpoints =
        share.services().stream().map(id -> single(id).first()).toList();
    return switch (share.pattern()) {
      case SINGLE -> single(share.services().getFirst());
      case ALTERNATE -> new Candidates(Candidates.Pattern.ALTERNATE, endpoints);
      case PARALLEL -> new Candidates(Candidates.Pattern.PARALLEL, endpoints);
    };
  }

  private Candidates single(String id) {
    return Objects.requireNonNull(singles.get(id), "a service that the reader has checked");
  }

  private static ServiceEndpoint endpoint(
      RegisteredService service, Function<String, Expression<Payload>> compiler) {
    Mapping mapping = service.mapping();
    List<HttpCall.Header> headers = new ArrayList<>();
    mapping.headers().forEach((name, value) -> headers.add(new HttpCall.Header(name, value)));
    return new ServiceEndpoint(
        service.id(),
        service.endpoint(),
        service.idempotent(),
        mapping.path() == null ? null : new ServicePath(mapping.path()),
        headers,
        compiled(mapping.request(), compiler),
        compiled(mapping.answer(), compiler),
        service.async());
  }

  private static @Nullable Expression<Payload> compiled(
      @Nullable String source, Function<String, Expression<Payload>> compiler) {
    return source == null ? null : compiler.apply(source);
  }
}
