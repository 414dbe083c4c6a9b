package dev.pinion.broker.front;

import dev.pinion.broker.contract.Sla;
import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.FrontJson;
import dev.pinion.broker.document.TableReading;
import dev.pinion.core.spi.BrokerFront.Outcome;
import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Contracts of users. */
final class SlaResources implements Resources {
  private final Office office;
  private final ContractReader reader = new ContractReader();

  SlaResources(Office office) {
    this.office = office;
  }

  @Override
  public @Nullable String find(String id) {
    Sla sla = office.contracts().slas().get(id);
    return sla == null ? null : FrontJson.sla(sla);
  }

  @Override
  public Collection<String> all() {
    return office.contracts().slas().values().stream().map(FrontJson::sla).toList();
  }

  @Override
  public Verdict put(String id, byte[] body) throws IOException {
    return switch (reader.sla(id, body)) {
      case TableReading.Invalid<Sla> invalid -> Verdict.invalid(invalid.problems());
      case TableReading.Valid<Sla>(Sla sla) when FrontJson.sla(sla).equals(find(id)) ->
          new Verdict.Done();
      case TableReading.Valid<Sla>(Sla sla) when sla.hasEndedAt(office.now()) ->
          Verdict.refused(Outcome.INVALID, "expected a moment to come as until, found one gone by");
      case TableReading.Valid<Sla>(Sla sla) -> office.admit(sla, "contract " + id);
    };
  }

  @Override
  public Verdict delete(String id) throws IOException {
    return office.less(office.contracts().withoutSla(id), "contract " + id + " ended");
  }
}
