package dev.pinion.broker.front;

import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.TableReading;
import dev.pinion.core.spi.BrokerFront.Outcome;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The model of the process: a single one, under an empty id. */
final class ModelResource implements Resources {
  private final Office office;
  private final ContractReader reader = new ContractReader();

  ModelResource(Office office) {
    this.office = office;
  }

  @Override
  public @Nullable String find(String id) {
    String model = office.contracts().model();
    return model.isEmpty() ? null : model;
  }

  @Override
  public Collection<String> all() {
    String model = find("");
    return model == null ? List.of() : List.of(model);
  }

  @Override
  public Verdict put(String id, byte[] body) throws IOException {
    return switch (reader.model(body)) {
      case TableReading.Invalid<String> invalid -> Verdict.invalid(invalid.problems());
      case TableReading.Valid<String>(String model) when model.equals(find(id)) ->
          new Verdict.Done();
      case TableReading.Valid<String>(String model) ->
          office.redefine(office.contracts().withModel(model), "model");
    };
  }

  @Override
  public Verdict delete(String id) {
    return Verdict.refused(Outcome.NOT_ADMITTED, "expected another model in its place, found none");
  }
}
