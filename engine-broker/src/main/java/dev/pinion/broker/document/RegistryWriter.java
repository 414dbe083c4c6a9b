package dev.pinion.broker.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the input of {@link RegistryReader}. Thread-safe. */
public final class RegistryWriter {
  private RegistryWriter() {}

  /** A document of a registry. */
  public static byte[] registry(ServiceRegistry serviceRegistry) {
    return DocumentJson.pretty(
        new RegistryDocument(
            RegistryReader.REGISTRY, services(serviceRegistry.version(), serviceRegistry)));
  }

  /** A document of one service: the input of {@link RegistryReader#service}. */
  public static String service(RegisteredService service) {
    return DocumentJson.text(document(service));
  }

  /** A document of a table. */
  public static byte[] table(PublishedTable table) {
    return DocumentJson.pretty(
        new TableDocument(
            RegistryReader.TABLE,
            table.defaultClass(),
            services(table.version(), table.registry()),
            table.callers(),
            table.rates(),
            table.served(),
            table.bindings()));
  }

  private static Services services(long version, ServiceRegistry serviceRegistry) {
    return new Services(
        version,
        serviceRegistry.services().stream().map(RegistryWriter::document).toList(),
        serviceRegistry.stateful());
  }

  private static ServiceDocument document(RegisteredService service) {
    ConcreteService promise = service.promise();
    Double load = promise.isLimited() ? promise.load() : null;
    return new ServiceDocument(
        promise.id(),
        service.serves(),
        service.endpoint(),
        service.idempotent(),
        new Promise(promise.response(), promise.reliability(), promise.cost(), load),
        new Terms(service.stateful(), service.async(), service.from(), service.until()),
        service.mapping().equals(InterfaceMapping.NONE) ? null : service.mapping());
  }

  record RegistryDocument(String schema, @JsonUnwrapped Services registry) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record TableDocument(
      String schema,
      String defaultClass,
      @JsonUnwrapped Services registry,
      Map<String, List<String>> callers,
      Map<String, Map<String, Double>> rates,
      Map<String, Double> served,
      @JsonInclude(JsonInclude.Include.ALWAYS)
          Map<String, Map<String, List<TableShare>>> bindings) {}

  record Services(long version, List<ServiceDocument> services, Set<String> stateful) {}

  record ServiceDocument(
      String id,
      Set<String> serves,
      String endpoint,
      boolean idempotent,
      @JsonUnwrapped Promise promise,
      @JsonUnwrapped Terms terms,
      @Nullable InterfaceMapping mapping) {}

  record Promise(double r, double d, double c, @Nullable Double load) {}

  record Terms(
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean stateful,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean async,
      @Nullable Instant from,
      @Nullable Instant until) {}
}
