package dev.pinion.broker.service;

import dev.pinion.broker.document.BrokerJson;
import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.registry.Sla;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Contracts of users. */
final class SlaResources implements ResourceCollection {
  private final Registrar registrar;
  private final ContractReader reader = new ContractReader();

  SlaResources(Registrar registrar) {
    this.registrar = registrar;
  }

  @Override
  public @Nullable String find(String id) {
    Sla sla = registrar.contracts().slas().get(id);
    return sla == null ? null : BrokerJson.sla(sla);
  }

  @Override
  public Collection<String> all() {
    return registrar.contracts().slas().values().stream().map(BrokerJson::sla).toList();
  }

  @Override
  public ChangeOutcome put(String id, byte[] body) throws IOException {
    return switch (reader.sla(id, body)) {
      case DocumentReading.Invalid<Sla> invalid -> ChangeOutcome.invalid(invalid.problems());
      case DocumentReading.Valid<Sla>(Sla sla) when BrokerJson.sla(sla).equals(find(id)) ->
          new ChangeOutcome.Done();
      case DocumentReading.Valid<Sla>(Sla sla) when sla.hasEndedAt(registrar.now()) ->
          ChangeOutcome.refused(
              BrokerStatus.INVALID, "expected a moment to come as until, found one gone by");
      case DocumentReading.Valid<Sla>(Sla sla) -> registrar.admit(sla, "contract " + id);
    };
  }

  @Override
  public ChangeOutcome delete(String id) throws IOException {
    return registrar.reduce(registrar.contracts().withoutSla(id), "contract " + id + " ended");
  }
}
