package dev.pinion.broker.front;

import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.document.RegistryWriter;
import dev.pinion.broker.document.TableReading;
import dev.pinion.broker.monitor.Monitors;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.Registry;
import dev.pinion.core.spi.BrokerFront.Outcome;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Concrete services. */
final class ServiceResources implements Resources {
  private final Office office;
  private final RegistryReader reader;
  private final Monitors monitors;

  ServiceResources(Office office, RegistryReader reader, Monitors monitors) {
    this.monitors = monitors;
    this.office = office;
    this.reader = reader;
  }

  @Override
  public @Nullable String find(String id) {
    return office.registry().service(id).map(RegistryWriter::service).orElse(null);
  }

  @Override
  public Collection<String> all() {
    return office.registry().services().stream()
        .map(
            each ->
                ObservationJson.observed(
                    RegistryWriter.service(each), monitors.services(each.id())))
        .toList();
  }

  @Override
  public Verdict put(String id, byte[] body) throws IOException {
    return switch (reader.service(ContractReader.withId(id, body))) {
      case TableReading.Invalid<RegisteredService> invalid -> Verdict.invalid(invalid.problems());
      case TableReading.Valid<RegisteredService>(RegisteredService service)
          when !service.id().equals(id) ->
          Verdict.refused(
              Outcome.INVALID,
              "expected \"" + id + "\" as id, as in the path, found \"" + service.id() + "\"");
      case TableReading.Valid<RegisteredService>(RegisteredService service) -> put(service);
    };
  }

  private Verdict put(RegisteredService service) throws IOException {
    boolean isNew = office.registry().service(service.id()).isEmpty();
    if (isNew && office.registry().services().size() >= Registry.MAX_SERVICES) {
      return Verdict.refused(
          Outcome.FULL, "the limit of " + Registry.MAX_SERVICES + " services is reached");
    }
    if (!RegistryWriter.service(service).equals(find(service.id()))) {
      office.changeSoon(registry -> registry.with(service), "service " + service.id());
    }
    return new Verdict.Done();
  }

  @Override
  public Verdict delete(String id) throws IOException {
    office.change(registry -> registry.without(id), "service " + id + " removed");
    return new Verdict.Done();
  }

  /** Withdraws a service, so that it is not bound any more; bound calls stay so. */
  Verdict withdraw(String id) throws IOException {
    Instant now = office.now();
    RegisteredService service = office.registry().service(id).orElseThrow();
    if (service.until() != null && !service.until().isAfter(now)) {
      return new Verdict.Done();
    }
    Instant from = service.from();
    Instant end = from != null && from.isAfter(now) ? from : now;
    office.change(
        registry -> registry.with(service.withdrawn(end)), "service " + id + " withdrawn");
    return new Verdict.Done();
  }
}
