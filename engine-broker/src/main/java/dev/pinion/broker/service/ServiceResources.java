package dev.pinion.broker.service;

import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.document.RegistryWriter;
import dev.pinion.broker.monitor.BrokerMonitor;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Concrete services. */
final class ServiceResources implements ResourceCollection {
  private final Registrar registrar;
  private final RegistryReader reader;
  private final BrokerMonitor brokerMonitor;

  ServiceResources(Registrar registrar, RegistryReader reader, BrokerMonitor brokerMonitor) {
    this.brokerMonitor = brokerMonitor;
    this.registrar = registrar;
    this.reader = reader;
  }

  @Override
  public @Nullable String find(String id) {
    return registrar.registry().service(id).map(RegistryWriter::service).orElse(null);
  }

  @Override
  public Collection<String> all() {
    return registrar.registry().services().stream()
        .map(
            each ->
                ObservationJson.observed(
                    RegistryWriter.service(each), brokerMonitor.services(each.id())))
        .toList();
  }

  @Override
  public ChangeOutcome put(String id, byte[] body) throws IOException {
    return switch (reader.service(ContractReader.withId(id, body))) {
      case DocumentReading.Invalid<RegisteredService> invalid ->
          ChangeOutcome.invalid(invalid.problems());
      case DocumentReading.Valid<RegisteredService>(RegisteredService service)
          when !service.id().equals(id) ->
          ChangeOutcome.refused(
              BrokerStatus.INVALID,
              "expected \"" + id + "\" as id, as in the path, found \"" + service.id() + "\"");
      case DocumentReading.Valid<RegisteredService>(RegisteredService service) -> put(service);
    };
  }

  private ChangeOutcome put(RegisteredService service) throws IOException {
    boolean isNew = registrar.registry().service(service.id()).isEmpty();
    if (isNew && registrar.registry().services().size() >= ServiceRegistry.MAX_SERVICES) {
      return ChangeOutcome.refused(
          BrokerStatus.FULL,
          "the limit of " + ServiceRegistry.MAX_SERVICES + " services is reached");
    }
    if (!RegistryWriter.service(service).equals(find(service.id()))) {
      registrar.changeDeferred(
          serviceRegistry -> serviceRegistry.with(service), "service " + service.id());
    }
    return new ChangeOutcome.Done();
  }

  @Override
  public ChangeOutcome delete(String id) throws IOException {
    registrar.change(serviceRegistry -> serviceRegistry.without(id), "service " + id + " removed");
    return new ChangeOutcome.Done();
  }

  /** Withdraws a service, so that it is not bound any more; bound calls stay so. */
  ChangeOutcome withdraw(String id) throws IOException {
    Instant now = registrar.now();
    RegisteredService service = registrar.registry().service(id).orElseThrow();
    if (service.until() != null && !service.until().isAfter(now)) {
      return new ChangeOutcome.Done();
    }
    Instant from = service.from();
    Instant end = from != null && from.isAfter(now) ? from : now;
    registrar.change(
        serviceRegistry -> serviceRegistry.with(service.withdrawn(end)),
        "service " + id + " withdrawn");
    return new ChangeOutcome.Done();
  }
}
