package dev.pinion.broker.binding;

import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.BoundService;
import dev.pinion.core.binding.ServedFraction;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.binding.ServiceMapping;
import dev.pinion.core.binding.ServicePathTemplate;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
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
public final class BindingTableBuilder {
  private final Map<String, ServiceCandidates> singles = new HashMap<>();
  private final ServiceRegistry serviceRegistry;
  private final KroneckerCounters kroneckerCounters;

  private BindingTableBuilder(
      ServiceRegistry serviceRegistry,
      Function<String, Expression<Payload>> compiler,
      KroneckerCounters kroneckerCounters) {
    this.serviceRegistry = serviceRegistry;
    this.kroneckerCounters = kroneckerCounters;
    for (RegisteredService each : serviceRegistry.services()) {
      singles.put(each.id(), ServiceCandidates.single(endpoint(each, compiler)));
    }
  }

  /**
   * The kernel's table of a published one.
   *
   * @param compiler compiles the jq of mappings
   * @param kroneckerCounters those of earlier tables, so that shares hold across changes
   */
  public static BindingTable of(
      PublishedTable published,
      Function<String, Expression<Payload>> compiler,
      KroneckerCounters kroneckerCounters) {
    BindingTableBuilder made =
        new BindingTableBuilder(published.registry(), compiler, kroneckerCounters);
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
        parts(published.served(), kroneckerCounters));
  }

  private static Map<String, ServedFraction> parts(
      Map<String, Double> served, KroneckerCounters kroneckerCounters) {
    Map<String, ServedFraction> parts = new HashMap<>();
    served.forEach(
        (serviceClass, fraction) -> {
          KroneckerCounter counter = kroneckerCounters.ofFront(serviceClass);
          LongAdder shed = kroneckerCounters.shed(serviceClass);
          long threshold = WeightedChoice.unsigned(fraction);
          parts.put(
              serviceClass, new ServedFraction(fraction, () -> isServed(counter, threshold, shed)));
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
    Map<String, ServiceCandidates> own = new HashMap<>();
    for (RegisteredService each : serviceRegistry.services()) {
      if (each.serves().contains(service)) {
        own.put(each.id(), single(each.id()));
      }
    }
    boolean stateful = serviceRegistry.keepsState(service);
    return new BoundService(stateful, own, choice(serviceClass, service, shares));
  }

  private Supplier<ServiceCandidates> choice(
      String serviceClass, String service, List<TableShare> shares) {
    List<ServiceCandidates> choices = shares.stream().map(this::candidates).toList();
    if (choices.size() == 1) {
      ServiceCandidates only = choices.getFirst();
      return () -> only;
    }
    WeightedChoice weightedChoice =
        new WeightedChoice(
            kroneckerCounters.of(serviceClass, service),
            shares.stream().map(TableShare::fraction).toList());
    ServiceCandidates[] byIndex = choices.toArray(ServiceCandidates[]::new);
    return () -> byIndex[weightedChoice.next()];
  }

  private ServiceCandidates candidates(TableShare share) {
    List<ServiceEndpoint> endpoints =
        share.services().stream().map(id -> single(id).first()).toList();
    return switch (share.pattern()) {
      case SINGLE -> single(share.services().getFirst());
      case ALTERNATE -> new ServiceCandidates(ServiceCandidates.Pattern.ALTERNATE, endpoints);
      case PARALLEL -> new ServiceCandidates(ServiceCandidates.Pattern.PARALLEL, endpoints);
    };
  }

  private ServiceCandidates single(String id) {
    return Objects.requireNonNull(singles.get(id), "a service that the reader has checked");
  }

  private static ServiceEndpoint endpoint(
      RegisteredService service, Function<String, Expression<Payload>> compiler) {
    InterfaceMapping interfaceMapping = service.mapping();
    List<HttpCall.HeaderField> headers = new ArrayList<>();
    interfaceMapping
        .headers()
        .forEach((name, value) -> headers.add(new HttpCall.HeaderField(name, value)));
    return new ServiceEndpoint(
        service.id(),
        service.endpoint(),
        service.idempotent(),
        new ServiceMapping(
            interfaceMapping.path() == null
                ? null
                : new ServicePathTemplate(interfaceMapping.path()),
            headers,
            compiled(interfaceMapping.request(), compiler),
            compiled(interfaceMapping.answer(), compiler)),
        service.async());
  }

  private static @Nullable Expression<Payload> compiled(
      @Nullable String source, Function<String, Expression<Payload>> compiler) {
    return source == null ? null : compiler.apply(source);
  }
}
