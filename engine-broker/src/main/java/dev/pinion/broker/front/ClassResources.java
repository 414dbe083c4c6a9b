package dev.pinion.broker.front;

import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.FrontJson;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.document.TableReading;
import dev.pinion.broker.monitor.Monitors;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.core.spi.BrokerFront.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Classes of service. */
final class ClassResources implements Resources {
  private final Office office;
  private final Monitors monitors;
  private final ContractReader reader = new ContractReader();

  ClassResources(Office office, Monitors monitors) {
    this.office = office;
    this.monitors = monitors;
  }

  @Override
  public @Nullable String find(String id) {
    String document = office.contracts().classes().get(id);
    return document == null ? null : FrontJson.serviceClass(id, document);
  }

  @Override
  public Collection<String> all() {
    List<String> all = new ArrayList<>();
    office.contracts().classes().forEach((id, each) -> all.add(observed(id, each)));
    return all;
  }

  private String observed(String id, String document) {
    String shown = FrontJson.serviceClass(id, document);
    return monitors
        .serviceClass(id)
        .map(levels -> ObservationJson.observed(shown, levels))
        .orElse(shown);
  }

  @Override
  public Verdict put(String id, byte[] body) throws IOException {
    String before = office.contracts().classes().get(id);
    if (before == null && office.contracts().classes().size() >= PublishedTable.MAX_CLASSES) {
      return Verdict.refused(
          Outcome.FULL, "the limit of " + PublishedTable.MAX_CLASSES + " classes is reached");
    }
    return switch (reader.serviceClass(id, body)) {
      case TableReading.Invalid<String> invalid -> Verdict.invalid(invalid.problems());
      case TableReading.Valid<String>(String document) when document.equals(before) ->
          new Verdict.Done();
      case TableReading.Valid<String>(String document) ->
          office.redefine(office.contracts().withClass(id, document), "class " + id);
    };
  }

  @Override
  public Verdict delete(String id) throws IOException {
    return office.contracts().isContracted(id)
        ? Verdict.notAdmitted("expected a class without contracts, found some; end them first", "")
        : office.less(office.contracts().withoutClass(id), "class " + id + " ended");
  }
}
