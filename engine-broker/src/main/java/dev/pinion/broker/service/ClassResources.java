package dev.pinion.broker.service;

import dev.pinion.broker.document.BrokerJson;
import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.monitor.BrokerMonitor;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Classes of service. */
final class ClassResources implements ResourceCollection {
  private final Registrar registrar;
  private final BrokerMonitor brokerMonitor;
  private final ContractReader reader = new ContractReader();

  ClassResources(Registrar registrar, BrokerMonitor brokerMonitor) {
    this.registrar = registrar;
    this.brokerMonitor = brokerMonitor;
  }

  @Override
  public @Nullable String find(String id) {
    String document = registrar.contracts().classes().get(id);
    return document == null ? null : BrokerJson.serviceClass(id, document);
  }

  @Override
  public Collection<String> all() {
    List<String> all = new ArrayList<>();
    registrar.contracts().classes().forEach((id, each) -> all.add(observed(id, each)));
    return all;
  }

  private String observed(String id, String document) {
    String shown = BrokerJson.serviceClass(id, document);
    return brokerMonitor
        .serviceClass(id)
        .map(levels -> ObservationJson.observed(shown, levels))
        .orElse(shown);
  }

  @Override
  public ChangeOutcome put(String id, byte[] body) throws IOException {
    String before = registrar.contracts().classes().get(id);
    if (before == null && registrar.contracts().classes().size() >= PublishedTable.MAX_CLASSES) {
      return ChangeOutcome.refused(
          BrokerStatus.FULL, "the limit of " + PublishedTable.MAX_CLASSES + " classes is reached");
    }
    return switch (reader.serviceClass(id, body)) {
      case DocumentReading.Invalid<String> invalid -> ChangeOutcome.invalid(invalid.problems());
      case DocumentReading.Valid<String>(String document) when document.equals(before) ->
          new ChangeOutcome.Done();
      case DocumentReading.Valid<String>(String document) ->
          registrar.redefine(registrar.contracts().withClass(id, document), "class " + id);
    };
  }

  @Override
  public ChangeOutcome delete(String id) throws IOException {
    return registrar.contracts().isContracted(id)
        ? ChangeOutcome.notAdmitted(
            "expected a class without contracts, found some; end them first", "")
        : registrar.reduce(registrar.contracts().withoutClass(id), "class " + id + " ended");
  }
}
